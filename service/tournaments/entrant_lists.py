"""Lists of entrants as clubs have them: CSV, JSON or a report file of FIDE, read to lines with every fault told."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from domain.tournaments.terms import PLAYERS_OF_ENTRANT_MAX
from service.tournaments.cells import plain
from service.tournaments.guests import NAME_LENGTH_MAX
from service.tournaments.one_line import one_line
from service.trf.reading import read_trf
from service.trf.shapes import Fault, TrfInvalid

ENTRANT_NAME_MAX: Final = 80
FAULTS_MAX: Final = 50
RATING_MAX: Final = 1_000_000
CLUBS_MAX: Final = 10
PLAYER_ID: Final = re.compile("p[0-9a-f]{20}")
COLUMNS: Final = ("name", "players", "rating", "avoid")
PASSED_OVER: Final = ("entrant", "seed", "player_names", "status", "late_round")
"""Columns of an exported list that say nothing to another tournament."""

_RATING: Final = re.compile("(-?[0-9]{1,5})(?:[.,]([0-9]{1,2}))?")
_CLUB: Final = re.compile("[0-9A-Za-z-]{1,64}")
_ALSO: Final = re.compile(r"\s*[&;]\s*")


class ListedEntrant(Struct, frozen=True, kw_only=True):
    """A line: where it stands, the entrant's own name, and its members, each by id or by name."""

    line: int
    name: str | None
    members: tuple[str, ...]
    rating: int | None = None
    avoid: tuple[str, ...] = ()


class EntrantIn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entrant of a list in JSON. `players` are ids, or names of persons who have no account; without them `name` is
    the name of the only one. `rating` (hundredths) orders the seeds; `avoid` are codes of clubs or households."""

    name: Annotated[str, Meta(min_length=1, max_length=ENTRANT_NAME_MAX)] | None = None
    players: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...], Meta(max_length=PLAYERS_OF_ENTRANT_MAX)
    ] = ()
    rating: Annotated[int, Meta(ge=-RATING_MAX, le=RATING_MAX)] | None = None
    avoid: Annotated[
        tuple[Annotated[str, Meta(pattern="^[0-9A-Za-z-]{1,64}$(?!\\n)")], ...], Meta(max_length=CLUBS_MAX)
    ] = ()


class ListInvalid(Exception):
    """A list that cannot be used; `faults` has what is wrong with it, the first ones of many. `others` are the lines
    that could be read all the same, in which more may be wrong."""

    def __init__(self, faults: tuple[Fault, ...], others: tuple[ListedEntrant, ...] = ()) -> None:
        super().__init__("; ".join(each.message for each in faults))
        self.faults = faults
        self.others = others


def from_csv(data: bytes) -> list[ListedEntrant]:
    """The lines of a table with headings, separated by commas, semicolons or tabs. Raises `ListInvalid`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _invalid(data[: error.start].count(b"\n") + 1, "not_text", "The list is not in UTF-8.") from error
    if "\0" in text:
        raise _invalid(text[: text.index("\0")].count("\n") + 1, "not_text", "A NUL stands in the list.")
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        headings = [each.strip().lower() for each in next(rows, [])]
        _check_headings(headings)
        return _checked(_csv_line(rows.line_num, headings, row) for row in rows if any(map(str.strip, row)))
    except csv.Error as error:
        raise _invalid(rows.line_num, "not_csv", f"The line cannot be read: {error}.") from error


def _check_headings(headings: list[str]) -> None:
    unknown = [each for each in headings if each not in (*COLUMNS, *PASSED_OVER)]
    if unknown:
        raise _invalid(1, "column_unknown", f"There is no column {unknown[0]!r}; there are {', '.join(COLUMNS)}.")
    if len(set(headings)) < len(headings) or not {"name", "players"} & set(headings):
        raise _invalid(1, "column_missing", "A list has a column name or players, and each column once.")


def _csv_line(number: int, headings: list[str], row: list[str]) -> ListedEntrant | Fault:
    if len(row) > len(headings):
        return Fault(number, "cells_too_many", f"The line has {len(row)} cells for {len(headings)} columns.")
    cells = dict(zip(headings, (plain(one_line(each)) for each in row), strict=False))
    rating = None
    if cells.get("rating"):
        found = _RATING.fullmatch(cells["rating"])
        if found is None:
            return Fault(number, "rating_invalid", f"This is no rating: {cells['rating']!r}.")
        rating = 100 * int(found[1]) + int((found[2] or "0").ljust(2, "0")) * (-1 if found[1].startswith("-") else 1)
    avoid = tuple(cells.get("avoid", "").split())
    if len(avoid) > CLUBS_MAX or not all(_CLUB.fullmatch(each) for each in avoid):
        told = f"Codes of clubs are 1 to 64 letters, digits and hyphens, {CLUBS_MAX} codes at most."
        return Fault(number, "avoid_invalid", told)
    return _line(number, cells.get("name") or None, _members(cells.get("players", "")), rating, avoid)


def _members(text: str) -> tuple[str, ...]:
    """Ids with spaces between, or names with & or ; between."""
    words = tuple(text.split())
    if all(PLAYER_ID.fullmatch(each) for each in words):
        return words
    return tuple(each for each in _ALSO.split(text) if each)


def from_json(data: Any) -> list[ListedEntrant]:
    """The lines of decoded JSON: a list of entrants, counted from 1. Raises `ListInvalid`."""
    if not isinstance(data, list):
        raise _invalid(0, "not_a_list", "A list of entrants is needed.")

    def lines() -> Iterator[ListedEntrant | Fault]:
        for number, each in enumerate(data, 1):
            try:
                entrant = msgspec.convert(each, EntrantIn)
            except msgspec.ValidationError as error:
                yield Fault(number, "form_invalid", str(error))
                continue
            name = None if entrant.name is None else one_line(entrant.name)
            players = tuple(map(one_line, entrant.players))
            yield _line(number, name or None, players, entrant.rating, entrant.avoid)

    return _checked(lines())


def from_trf(data: bytes) -> list[ListedEntrant]:
    """The players of a report file; what they played there is left aside. Raises `ListInvalid`."""
    try:
        trf = read_trf(data)
    except TrfInvalid as invalid:
        raise ListInvalid(invalid.faults) from invalid
    lines = (
        _line(each.line, one_line(each.name) or f"Number {each.number}", (), 100 * each.rating or None, ())
        for each in trf.competitors
    )
    return _checked(lines)


def _line(
    number: int, name: str | None, members: tuple[str, ...], rating: int | None, avoid: tuple[str, ...]
) -> ListedEntrant | Fault:
    """Without members the name says who they are."""
    if not members:
        members, name = tuple(each for each in _ALSO.split(name or "") if each), None
    if not members:
        return Fault(number, "name_missing", "Nobody is named.")
    if len(members) > PLAYERS_OF_ENTRANT_MAX:
        return Fault(number, "members_too_many", f"An entrant has {PLAYERS_OF_ENTRANT_MAX} members at most.")
    too_long = [each for each in members if len(each) > NAME_LENGTH_MAX]
    if too_long or len(name or "") > ENTRANT_NAME_MAX:
        told = f"A person's name has {NAME_LENGTH_MAX} letters at most, an entrant's {ENTRANT_NAME_MAX}."
        return Fault(number, "name_too_long", told)
    return ListedEntrant(line=number, name=name, members=members, rating=rating, avoid=avoid)


def _checked(lines: Iterator[ListedEntrant | Fault]) -> list[ListedEntrant]:
    found: list[ListedEntrant] = []
    faults: list[Fault] = []
    seen: dict[str, int] = {}
    for each in lines:
        if isinstance(each, Fault):
            faults.append(each)
        else:
            found.append(each)
            faults += _twice(each, seen)
        if len(faults) >= FAULTS_MAX:
            break
    if faults:
        raise ListInvalid(tuple(faults[:FAULTS_MAX]), tuple(found))
    if not found:
        raise _invalid(0, "nobody", "The list has nobody in it.")
    return found


def _twice(entrant: ListedEntrant, seen: dict[str, int]) -> Iterator[Fault]:
    """A player by id may stand in a list once; two persons may have one name."""
    for each in entrant.members:
        if PLAYER_ID.fullmatch(each):
            if each in seen:
                yield Fault(entrant.line, "player_twice", f"{each} stands in line {seen[each]} already.")
            seen[each] = entrant.line


def _invalid(line: int, code: str, message: str) -> ListInvalid:
    return ListInvalid((Fault(line, code, message),))
