"""What a worker makes of the limits that it is started with."""

import subprocess
import sys
from pathlib import Path

import pytest

# In a process of its own, for which the limits are lowered for good.
SCENE = """
import resource, sys
from pathlib import Path
from service.server import permit_files
from service.settings import Settings
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 900))
permitted = permit_files(Settings(state_dir=Path("/"), connections_max=int(sys.argv[1])))
assert permitted == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
print("permitted", permitted)
"""


@pytest.mark.parametrize(
    ("connections", "permitted", "told"),
    [("10", 300, False), ("600", 856, False), ("700", 900, True)],
    ids=["enough", "raised", "not to be raised"],
)
def test_a_worker_may_open_a_file_for_every_connection_or_says_so(connections: str, permitted: int, told: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCENE, connections],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=True,
    )
    assert f"permitted {permitted}" in done.stdout.splitlines()
    assert ("few_files" in done.stdout + done.stderr) == told
