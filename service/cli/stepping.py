"""Stepping through a finished game on a terminal, key by key."""

from rich.console import Console, Group
from rich.live import Live

from domain.redaction import Viewer, redact
from domain.statistics import points_on_table
from domain.telling import Names, tell
from domain.views import view_for
from service.cli.course import Course
from service.cli.keyboard import keyboard
from service.cli.printable import printable
from service.cli.scene import Moment, printed_scene, scene
from service.cli.stepper import Stepper


def viewers(players: int, seat: int | None) -> list[Viewer]:
    """Everybody as whom a game can be looked at, beginning with a seat or with all hands open."""
    everybody: list[Viewer] = ["everyone", *range(players), "watcher"]
    first = 0 if seat is None else everybody.index(seat)
    return everybody[first:] + everybody[:first]


def moment(course: Course, names: Names, stepper: Stepper) -> Moment:
    """What a reader is shown."""
    state = course.state(stepper.n)
    rules = state.table.rules
    table = tuple(points_on_table(rules, melds) for melds in state.melds)
    viewer = stepper.viewer
    seen_by = {"everyone": "all hands open", "watcher": "as a watcher sees it"}.get(str(viewer))
    return Moment(
        view=view_for(state, viewer),
        table=table or (0,) * len(rules.sides),
        names=names,
        seen_by=seen_by or f"as {names[int(viewer)]} sees it",
        told=printable(tell(redact(course.event(stepper.n), viewer), names)),
        n=stepper.n,
        length=course.length,
        hands=course.hands,
        note=stepper.note,
        typed=stepper.typed,
        help=stepper.help,
    )


def step_through(course: Course, names: Names, console: Console, stepper: Stepper) -> None:
    """Show the game where the reader is, and do what the keys say, until the reader has enough.

    Names must be printable. The terminal is that of the console and of standard input; it is left as it was found,
    whatever happens.
    """
    with keyboard() as keys, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            live.update(_shown(course, names, console, stepper), refresh=True)
            for key in keys.wait():
                if not stepper.press(key):
                    return


def _shown(course: Course, names: Names, console: Console, stepper: Stepper) -> Group:
    width, height = console.size
    return Group(*scene(moment(course, names, stepper), width, height))


def printed(course: Course, names: Names, console: Console, stepper: Stepper) -> None:
    """Print the moment where the reader is, without keys."""
    for line in printed_scene(moment(course, names, stepper), console.width):
        console.print(line)
