"""What is left out of terms is as usual."""

from typing import Any

import msgspec
import pytest

from domain.fairness import MASTER_BYTES
from domain.tournaments.terms import DEFAULT_BOARDS, DEFAULT_VP, DEFAULT_WDL, TieBreak
from service.http.tournaments.terms_wanted import TermsWanted, resolved


@pytest.mark.parametrize(
    ("stage", "tie_breaks"),
    [
        ({}, DEFAULT_VP),
        ({"score": {"kind": "win_draw_loss"}}, DEFAULT_WDL),
        ({"score": {"kind": "butler"}}, DEFAULT_BOARDS),
        ({"score": {"kind": "win_draw_loss"}, "tie_breaks": ["wins"]}, ("wins",)),
    ],
)
def test_tie_breaks_that_are_not_declared_are_the_usual_ones_of_the_score(
    stage: dict[str, Any], tie_breaks: tuple[TieBreak, ...]
) -> None:
    form = {"kind": "swiss", "rounds": 3}
    wanted: dict[str, Any] = {
        "stages": [{"format": form, **stage}],
        "boards": {} if stage.get("score") == {"kind": "butler"} else None,
    }
    found = resolved(msgspec.convert(wanted, TermsWanted), bytes(MASTER_BYTES))
    assert found.stages[0].tie_breaks == tie_breaks
