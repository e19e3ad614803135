"""Schedules that are known before the first card: who sits where in every round."""

from typing import Literal

from msgspec import Struct

from domain.pairing.shapes import NoPairing, NoPairingCode


class Table(Struct, frozen=True):
    """A table of a round: its sides in the order of the seats, the first North-South, and its set of boards, from 1.

    A side lists entrants by number, from 1: a pair or person alone, or the partners of an individual movement.
    """

    number: int
    sides: tuple[tuple[int, ...], ...]
    boards: int


class Round(Struct, frozen=True):
    """A round: its tables, and who sits out."""

    number: int
    tables: tuple[Table, ...]
    out: tuple[int, ...] = ()


class Movement(Struct, frozen=True):
    """All rounds of a movement for so many entrants; with two winners North-South and East-West are ranked apart."""

    name: str
    entrants: int
    rounds: tuple[Round, ...]
    winners: Literal[1, 2]


def bounded(what: str, count: int, fewest: int, most: int) -> None:
    """Raise NoPairing (too_few, too_many) unless there are as many as a movement takes."""
    if count < fewest:
        message = f"{what} needs {fewest} at least, there are {count}."
        raise NoPairing(NoPairingCode.TOO_FEW, message, needed=fewest, count=count)
    if count > most:
        raise NoPairing(
            NoPairingCode.TOO_MANY, f"{what} takes {most} at most, there are {count}.", most=most, count=count
        )


def bounded_rounds(what: str, rounds: int, most: int) -> None:
    """Raise NoPairing (rounds_impossible) unless a movement has so many rounds."""
    if not 1 <= rounds <= most:
        message = f"{what} has 1 to {most} rounds, {rounds} are asked for."
        raise NoPairing(NoPairingCode.ROUNDS_IMPOSSIBLE, message, rounds=rounds, most=most)
