"""Long work in a thread of its own: one piece after the other, and no process waits for it that is asked to stop."""

import asyncio
import subprocess
import sys
from threading import Event as Signal

import pytest

from service.tournaments.apart import Apart, TooMuchWaits

SECONDS_MAX = 20.0
LEFT_BEHIND = """
import asyncio, time
from service.tournaments.apart import Apart

async def leave() -> None:
    apart = Apart(2)
    asking = asyncio.ensure_future(apart.do(lambda: time.sleep(600)))
    await asyncio.sleep(0.2)
    asking.cancel()
    apart.close()

asyncio.run(leave())
"""


def test_a_process_goes_though_long_work_is_under_way() -> None:
    subprocess.run([sys.executable, "-c", LEFT_BEHIND], check=True, timeout=SECONDS_MAX)


async def test_what_waits_does_not_begin_once_it_is_closed() -> None:
    apart, begun, go_on = Apart(2), Signal(), Signal()

    def held() -> str:
        begun.set()
        assert go_on.wait(SECONDS_MAX)
        return "done"

    done = []
    first = asyncio.ensure_future(apart.do(held))
    second = asyncio.ensure_future(apart.do(lambda: done.append(1)))
    await asyncio.to_thread(begun.wait, SECONDS_MAX)
    with pytest.raises(TooMuchWaits):
        await apart.do(lambda: None)
    apart.close()
    go_on.set()
    assert await first == "done"
    with pytest.raises(asyncio.CancelledError):
        await second
    assert done == []


async def test_what_the_work_raises_comes_to_who_asked_and_the_next_one_begins() -> None:
    apart = Apart(2)
    with pytest.raises(ZeroDivisionError):
        await apart.do(lambda: 1 // 0)
    assert await apart.do(lambda: 5) == 5
    apart.close()
