"""What an engine proposes is held against the rules that no pairing may break before it is believed."""

import pytest

from domain.tournaments.proposals import Proposal, ProposedMatch, check_proposal
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.seating import Bye

ONE_TWO = ProposedMatch((("e1",), ("e2",)))
THREE_FOUR = ProposedMatch((("e3",), ("e4",)))
THERE = ("e1", "e2", "e3", "e4")


def proposal(*matches: ProposedMatch, byes: dict[str, Bye] | None = None, relaxed: str | None = None) -> Proposal:
    relaxations = () if relaxed is None else (relaxed,)
    return Proposal(matches=matches, byes=byes or {}, engine="test 1", given={}, relaxations=relaxations)


def test_a_sound_proposal_is_believed() -> None:
    check_proposal(proposal(ONE_TWO, THREE_FOUR), THERE, [])
    check_proposal(proposal(ONE_TWO, byes={"e3": "bye"}), THERE[:3], [])


@pytest.mark.parametrize(
    "unsound",
    [
        proposal(ONE_TWO),
        proposal(ONE_TWO, ONE_TWO, THREE_FOUR),
        proposal(ONE_TWO, THREE_FOUR, byes={"e4": "bye"}),
        proposal(ONE_TWO, THREE_FOUR, byes={"e5": "bye"}),
    ],
)
def test_everybody_is_in_it_once_and_nobody_else(unsound: Proposal) -> None:
    with pytest.raises(TournamentRefused) as refused:
        check_proposal(unsound, THERE, [])
    assert refused.value.params["why"] == "engine_unsound"


def test_nobody_meets_again_unless_a_relaxation_says_so() -> None:
    met = [frozenset({"e1", "e2"})]
    with pytest.raises(TournamentRefused):
        check_proposal(proposal(ONE_TWO, THREE_FOUR), THERE, met)
    check_proposal(proposal(ONE_TWO, THREE_FOUR, relaxed="rematch:e1+e2"), THERE, met)
