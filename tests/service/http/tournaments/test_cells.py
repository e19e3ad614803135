"""What the cells of a crosstable call a round that was not played."""

from domain.tournaments.crosstable import crosstable
from domain.tournaments.formats import Swiss
from domain.tournaments.seating import Bye
from domain.tournaments.terms import Registration
from service.http.tournaments.cross_sheet import cross_blocks
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told, met


def test_a_cell_of_the_crosstable_says_bye_late_or_void() -> None:
    told = Told(terms_of(Swiss(rounds=3), registration=Registration(late_rounds=2, late_score=40)), 7)
    byes: dict[str, Bye] = {"e5": "bye", "e6": "half_bye", "e7": "zero_bye"}
    told.round([met("e1", "e2", 500, 0), met("e3", "e4", 500, 0)], byes)
    told.rule("r1m2", kind="void")
    told.enter(late_round=2)
    names = {each: each for each in told.state.entrants}
    (block,) = cross_blocks(told.state, crosstable(told.state), names)
    cells = {line.name: line.cells[0] for line in block.lines}
    assert [cells[f"e{number}"].against for number in range(3, 9)] == [
        "4 n void", "3 e void", "bye", "half bye", "–", "late",
    ]  # fmt: skip
    assert cells["e8"].score == "8.00"
