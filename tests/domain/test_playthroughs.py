"""The playthroughs kept beside this file are what the engine says today; see `playthrough` for what is in them."""

import pytest

from domain.rulesets import PRESETS
from tests.domain.playthrough import BYTES_MAX, FOLDER, difference

EVENTS_SHOWN = {
    "dealt", "drew", "took_pile", "took_upcard", "melded", "laid_red_three", "asked", "answered", "discarded",
    "hand_ended", "adjudicated", "game_ended", "revealed",
}  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_a_playthrough_is_as_it_was(preset: str) -> None:
    assert difference(preset) is None, "`python -m tests.domain.playthrough --write` writes it anew"


def test_there_is_a_playthrough_of_every_preset_and_no_other() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(PRESETS)
    assert max(path.stat().st_size for path in FOLDER.iterdir()) <= BYTES_MAX


def test_every_kind_of_event_happens_in_some_playthrough() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.iterdir())
    assert {kind for kind in EVENTS_SHOWN if f'"type":"{kind}"' not in text} == set()
