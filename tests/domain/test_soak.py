"""A small number of the games that `python -m tests.domain.soak` plays in their thousands, and that it finds faults."""

import pytest

from domain.refusals import Code, Refusal
from domain.rulesets import resolve
from domain.simulation import Setup
from tests.domain import soak

GAMES = 2 * len(soak.TABLES)


def test_random_games_at_every_table_are_without_a_fault() -> None:
    played = list(soak.play(GAMES, b"soak in CI", 1))
    assert [fault for _, faults in played for fault in faults] == []
    assert min(events for events, _ in played) > 20


def test_a_state_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "problems", lambda state: state.version == 20)
    _, faults = soak.look_over(Setup(resolve("samba-official"), ("random",) * 4, 1), b"seed", 1)
    assert faults == ["version 20: True"]


def test_a_list_of_legal_moves_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "decide", lambda *_: Refusal(Code.MUST_DISCARD))
    _, faults = soak.look_over(Setup(resolve("samba-official"), ("random",) * 4, 1), b"seed", 1)
    assert any("listed as possible" in fault for fault in faults)


def _break() -> None:
    raise KeyError("nothing")


def test_a_game_that_breaks_off_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "legal_moves", lambda *_: _break())
    _, faults = soak.look_over(Setup(resolve("samba-official"), ("random",) * 4, 1), b"seed", 1)
    assert faults == ["KeyError: 'nothing'"]
