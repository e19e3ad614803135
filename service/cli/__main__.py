"""`python -m service.cli` is `meldhouse`."""

from service.cli.main import main

main()
