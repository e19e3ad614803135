"""The rounds of a stage as lines, made without reading everything for every round."""

from collections.abc import Sequence

import pytest

from domain.tournaments import round_lines
from domain.tournaments.formats import Arena
from domain.tournaments.matches import RawPoints
from domain.tournaments.state import Match
from domain.tournaments.terms import Stage
from domain.tournaments.worth import RoundFacts
from tests.domain.tournaments.scenarios import QUICK, terms_of
from tests.domain.tournaments.told import Told, met

ROUNDS = 12


def test_an_arena_in_points_reads_its_matches_once_however_many_rounds_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(terms_of(Stage(format=Arena(minutes=60), match=QUICK, score=RawPoints())), 4)
    for number in range(ROUNDS):
        told.round([met("e1", "e2", 100 * number, 50), met("e3", "e4", 30, 0)])
    read: list[int] = []
    facts = round_lines._facts

    def counted(stage: Stage, matches: Sequence[Match]) -> RoundFacts:
        read.append(len(matches))
        return facts(stage, matches)

    monkeypatch.setattr(round_lines, "_facts", counted)
    told.standings()
    assert sum(read) == 2 * ROUNDS
