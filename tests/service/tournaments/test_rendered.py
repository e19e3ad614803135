"""Pages that were made are kept, as long as nothing that they are made from has changed, and not without end."""

import asyncio

from service.tournaments.rendered import Rendered


async def test_what_has_not_changed_is_made_once() -> None:
    rendered = Rendered()
    made: list[int] = []

    def page() -> bytes:
        made.append(len(made))
        return b"page %d" % len(made)

    assert [await rendered.of(("page", 1, {"e1": "Ada"}), page) for _ in range(3)] == [b"page 1"] * 3
    assert await rendered.of(("page", 1, {"e1": "Bob"}), page) == b"page 2"
    assert await rendered.of(("page", 2, {"e1": "Ada"}), page) == b"page 3"
    assert len(made) == 3


async def test_what_many_ask_for_at_once_is_made_once() -> None:
    rendered = Rendered()
    made: list[int] = []

    def page() -> bytes:
        made.append(1)
        return b"page"

    assert await asyncio.gather(*(rendered.of("page", page) for _ in range(50))) == [b"page"] * 50
    assert len(made) == 1


async def test_what_was_longest_unused_leaves_first() -> None:
    rendered = Rendered(25)
    for key in "abaca":
        assert await rendered.of(key, lambda: b"x" * 10) == b"x" * 10
    assert len(rendered) == 2
    assert await rendered.of("a", lambda: b"new") == b"x" * 10
    assert await rendered.of("b", lambda: b"new") == b"new"


async def test_what_is_larger_than_everything_is_made_all_the_same() -> None:
    rendered = Rendered(5)
    assert await rendered.of("a", lambda: b"x" * 10) == b"x" * 10
    assert len(rendered) == 0
