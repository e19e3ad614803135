"""Where a reader is in a game, and what each key does."""

from collections.abc import Sequence
from typing import Final

from domain.redaction import Viewer
from service.cli.course import Course, Stop

NEXT: Final = ("right", " ", "n", "enter")
BACK: Final = ("left", "backspace", "b", "p")
FIRST: Final = ("home", "<")
LAST: Final = ("end", "e", ">")
QUIT: Final = ("q", "end_of_input")
STOPS: Final[dict[str, tuple[Stop, int]]] = {
    "down": ("turn", 1), "up": ("turn", -1), "h": ("hand", 1), "H": ("hand", -1), "page_down": ("hand", 1),
    "page_up": ("hand", -1), "t": ("take", 1), "T": ("take", -1), "c": ("canasta", 1), "C": ("canasta", -1),
    "g": ("going_out", 1), "G": ("going_out", -1),
}  # fmt: skip
"""Keys that go to the next event of a kind, or the one before."""

STOP_NAMES: Final[dict[Stop, str]] = {
    "turn": "turn", "hand": "hand", "take": "take of the pile", "canasta": "canasta", "going_out": "going out"
}  # fmt: skip

DIGITS_MAX: Final = 7
"""The longest number that can be typed."""


class Stepper:
    """A reader's place: the event `n` after which the table is shown, and as whom it is looked at.

    `typed` is the number being typed, `note` what there is to say about the last key, `help` whether the keys are
    being explained.
    """

    def __init__(self, course: Course, viewers: Sequence[Viewer], n: int = 1) -> None:
        """`viewers` can be gone through with a key, beginning with the first."""
        self._course = course
        self._viewers = list(viewers)
        self.n = n
        self.typed = ""
        self.note = ""
        self.help = False

    @property
    def viewer(self) -> Viewer:
        """As whom the table is looked at."""
        return self._viewers[0]

    def press(self, key: str) -> bool:
        """What a key does; false when the reader has enough."""
        self.note = ""
        if key in QUIT:
            return False
        typed, self.typed = self.typed, ""
        if self.help:
            self.help = False
        elif len(key) == 1 and key in "0123456789":
            self.typed = (typed + key)[:DIGITS_MAX]
        elif key == "backspace" and typed:
            self.typed = typed[:-1]
        elif key == "enter" and typed:
            self._go(int(typed))
        elif key == "?":
            self.help = True
        elif key == "s":
            self._viewers.append(self._viewers.pop(0))
        else:
            self._step(key)
        return True

    def _step(self, key: str) -> None:
        if key in NEXT:
            self._go(self.n + 1, "This is the last event.")
        elif key in BACK:
            self._go(self.n - 1, "This is the first event.")
        elif key in FIRST:
            self.n = 1
        elif key in LAST:
            self.n = self._course.length
        elif key in STOPS:
            stop, direction = STOPS[key]
            find = self._course.next_stop if direction > 0 else self._course.stop_before
            found = find(stop, self.n)
            if found is None:
                self.note = f"There is no {'further' if direction > 0 else 'earlier'} {STOP_NAMES[stop]}."
            else:
                self.n = found

    def _go(self, n: int, beyond: str = "") -> None:
        """Go to an event, or as near as there is one, and say so."""
        there = min(max(n, 1), self._course.length)
        if there != n:
            self.note = beyond or f"There is no event {n}; there are {self._course.length}."
        self.n = there
