"""What a director gives of a pairing stays, also where rounds go on of themselves."""

from datetime import timedelta
from typing import Any

import pytest

from domain.tournaments.clocks import text
from domain.tournaments.formats import Swiss
from domain.tournaments.process import obstacle
from domain.tournaments.terms import Pace
from tests.domain.tournaments.directors import Event, event
from tests.domain.tournaments.scenarios import NOON, terms_of


def paired(**given: Any) -> Event:
    """The first round of an automatic Swiss, paired an hour before it begins; e7 has left since."""
    times = [text(NOON + timedelta(hours=hours)) for hours in (1, 2, 3)]
    tournament = event(terms_of(Swiss(rounds=3), pace=Pace(starts_at=times[0], round_times=tuple(times[1:]))), 8)
    tournament.act("start")
    tournament.act("pair", **given)
    tournament.act("withdraw", entrant="e7")
    return tournament


@pytest.mark.parametrize("given", [{"pinned": [["e1", "e2"]]}, {"byes": {"e1": "half_bye"}}])
def test_a_pairing_with_something_given_is_not_made_anew_of_itself(given: dict[str, Any]) -> None:
    tournament = paired(**given)
    before = tournament.sides(1)
    tournament.now += timedelta(hours=1)
    assert tournament.step() == []
    assert tournament.sides(1) == before
    waits = obstacle(tournament.state, tournament.now)
    assert waits is not None
    assert (waits.code, waits.params["entrants"]) == ("pairing_invalid", ["e7"])
    tournament.act("forfeit", match=waits.params["matches"][0], entrants=["e7"], reason="absence")
    tournament.step()
    assert tournament.state.rounds[1].status == "started"


def test_a_pairing_by_the_format_alone_is_made_anew() -> None:
    tournament = paired()
    tournament.step()
    tournament.step()
    assert "e7" not in {each for match in tournament.sides(1) for each in match}
