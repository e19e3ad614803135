"""Tournaments with byes and forfeits, told by their events: FIDE's own library has the same tie-breaks."""

from random import Random

import pytest

from domain.standings.second_opinion import differences
from domain.tournaments.entries import StageEntries, entries_of
from domain.tournaments.formats import Format, RoundRobin, Swiss
from domain.tournaments.matches import FixedHands, MatchTerms, Unplayed, WinDrawLoss
from domain.tournaments.seating import Bye
from domain.tournaments.terms import Stage, TieBreak
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Meeting, Told

TIE_BREAKS: tuple[TieBreak, ...] = (
    "buchholz_cut_1", "buchholz", "median_buchholz", "sonneborn_berger", "progressive", "koya",
)  # fmt: skip


def event(form: Format, entrants: int, score: WinDrawLoss, unplayed: Unplayed) -> Told:
    stage = Stage(
        format=form,
        match=MatchTerms(length=FixedHands(1)),
        score=score,
        tie_breaks=TIE_BREAKS,
        unplayed=unplayed,
    )
    return Told(terms_of(stage), entrants)


def troubled(seed: int, score: WinDrawLoss, bye: int) -> Told:
    """A Swiss with byes, half byes, absences, forfeits, draws, rulings and penalties by chance."""
    chance = Random(seed)
    entrants, rounds = chance.randrange(5, 24), chance.randrange(2, 8)
    told = event(Swiss(rounds=rounds), entrants, score, Unplayed(bye=bye, forfeit_win=100, forfeit_loss=0))
    for _ in range(rounds):
        there = [f"e{n}" for n in range(1, entrants + 1)]
        chance.shuffle(there)
        byes: dict[str, Bye] = {}
        for each in [*there]:
            if chance.random() < 0.12:
                byes[each] = chance.choice(("half_bye", "zero_bye"))
                there.remove(each)
        if len(there) % 2:
            byes[there.pop()] = "bye"
        meetings: list[Meeting] = [
            ((one,), (other,), [(chance.randrange(3), chance.randrange(3))])
            for one, other in zip(there[::2], there[1::2], strict=True)
        ]
        number = told.round(meetings, byes)
        for place in range(1, len(meetings) + 1):
            if chance.random() < 0.12:
                forfeit = chance.choice(((True, False), (False, True), (True, True)))
                told.rule(f"r{number}m{place}", kind="forfeit", forfeit=forfeit)
    if chance.random() < 0.5:
        told.fine("e1", score.draw)
    return told


def disagreements(entered: StageEntries) -> object:
    return differences(
        entered.entries, entered.codes, after=entered.after, scale=entered.scale, pairing=entered.pairing
    )


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(
    ("score", "bye"),
    [(WinDrawLoss(), 100), (WinDrawLoss(win=200, draw=100), 100), (WinDrawLoss(win=200, draw=100), 50)],
)
def test_the_library_agrees_on_a_swiss_with_byes_and_forfeits(seed: int, score: WinDrawLoss, bye: int) -> None:
    told = troubled(seed, score, bye)
    entered = entries_of(told.state, told.state.stages[0])
    assert disagreements(entered) == ()


def test_these_tournaments_have_unplayed_rounds_of_every_kind() -> None:
    kinds = set()
    for seed in range(40):
        told = troubled(seed, WinDrawLoss(), 100)
        entered = entries_of(told.state, told.state.stages[0])
        kinds |= {line.kind for entry in entered.entries for line in entry.lines}
    assert kinds == {"played", "forfeit_win", "forfeit_loss", "full_bye", "half_bye", "zero_bye"}


@pytest.mark.parametrize("seed", range(10))
def test_the_library_agrees_on_a_round_robin_with_forfeits(seed: int) -> None:
    chance = Random(seed)
    told = event(RoundRobin(), 5, WinDrawLoss(), Unplayed(bye=0, forfeit_win=100, forfeit_loss=0))
    for number in range(5):
        out = f"e{number + 1}"
        pairs = [((number + k) % 5 + 1, (number - k) % 5 + 1) for k in (1, 2)]
        meetings: list[Meeting] = [
            ((f"e{one}",), (f"e{other}",), [(chance.randrange(3), chance.randrange(3))]) for one, other in pairs
        ]
        told.round(meetings, {out: "zero_bye"})
        if chance.random() < 0.5:
            told.rule(f"r{number + 1}m1", kind="forfeit", forfeit=(True, False))
    entered = entries_of(told.state, told.state.stages[0])
    assert entered.pairing == "round_robin"
    assert disagreements(entered) == ()
