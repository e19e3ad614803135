"""Games on boards for which there was no time any more."""

from domain.tournaments.acts import CallTime
from domain.tournaments.formats import Danish
from domain.tournaments.matches import FixedHands, MatchTerms, PerHand
from domain.tournaments.terms import Boards
from tests.service.tournaments.checks import assert_sound
from tests.service.tournaments.hall import Hall, terms_of


async def test_a_hand_on_boards_that_never_began_does_not_keep_its_round_open(hall: Hall) -> None:
    """Every hand is a game of its own; time is called after the first at one table, in the first at the other."""
    match = MatchTerms(length=FixedHands(2), minutes=30, end_of_time="finish_hand", first_meld=PerHand(points=(50, 90)))
    live = await hall.begin(terms_of(Danish(rounds=1), match=match, boards=Boards()), 4)
    first, second = await hall.dealt(live)
    await hall.act(live, CallTime(round=1))
    await hall.settle(live)
    await hall.play_hand(first)
    await hall.settle(live)
    await hall.play_hand(second)
    state = await hall.until(live, lambda state: state.status == "finished")
    told = {(result.match, result.leg): result.reason for each in state.matches.values() for result in each.results}
    assert told[first.match, 2] == told[second.match, 2] == "not_begun"
    await assert_sound(hall, live)
