"""What the documents list is all that there is."""

import re
from pathlib import Path
from typing import get_args

from domain.tournaments.events import AnyTournamentEvent

OPENAPI = Path(__file__).parents[4] / "openapi"


def test_every_type_of_event_is_listed_for_clients_once() -> None:
    text = (OPENAPI / "tournaments.md").read_text(encoding="utf-8")
    table = text.partition("| event | what happened |\n|---|---|\n")[2].partition("\n\n")[0]
    listed = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    types = [kind.__struct_config__.tag for kind in get_args(AnyTournamentEvent)]
    assert sorted(listed) == sorted(types)
