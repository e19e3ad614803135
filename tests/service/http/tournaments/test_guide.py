"""The director's guide does what it says: its commands are run as they stand."""

import asyncio
import os
import re
from pathlib import Path

from tests.service.http.conftest import LiveServer

GUIDE = Path(__file__).parents[4] / "openapi" / "directing.md"
SECONDS_MAX = 300


async def test_an_event_is_directed_by_the_guide_alone(live: LiveServer) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    script = "set -euo pipefail\n" + "\n".join(blocks)
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", script, env=os.environ | {"URL": live.url},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(SECONDS_MAX):
        output, _ = await process.communicate()
    told = output.decode()
    assert process.returncode == 0, told
    assert '"type":"urn:meldhouse:problem' not in told
    podium = re.findall(r'"rank":([123]),"entrant":"e\d+","score":(\d+)', told)[-3:]
    assert [rank for rank, _ in podium] == ["1", "2", "3"]
    assert [int(score) for _, score in podium] == sorted((int(score) for _, score in podium), reverse=True)
    assert "The tournament is finished" in told
