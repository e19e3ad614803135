"""The fold: results one after the other change the standings of the subjects in them."""

from collections.abc import Mapping, MutableMapping, Sequence
from decimal import Decimal

from domain.ratings import glicko, plackett_luce
from domain.ratings.models import GLICKO, MODELS
from domain.ratings.shapes import (
    MANY,
    NO_COMPANY,
    SUBJECT_JOINT,
    Change,
    Kind,
    Partnership,
    Rating,
    Result,
    ResultInvalid,
    Standing,
    company_of,
    subject_of,
)

SIDES_MAX = 64
PLAYERS_MAX = 64
"""Most sides of a result, and most players of a side."""


def check_result(result: Result) -> None:
    """Raises `ResultInvalid` for what the models cannot rate."""
    sides, players = result.sides, [player for side in result.sides for pair in side for player in pair]
    if not 2 <= len(sides) <= SIDES_MAX:
        raise ResultInvalid(f"A result has 2 to {SIDES_MAX} sides.")
    if len(result.ranks) != len(sides) or min(result.ranks) < 1:
        raise ResultInvalid("Every side has a rank, 1 or higher.")
    if any(not side or not all(side) or sum(map(len, side)) > PLAYERS_MAX for side in sides):
        raise ResultInvalid(f"A side has 1 to {PLAYERS_MAX} players, and no partnership is empty.")
    if len(set(players)) != len(players):
        raise ResultInvalid("Nobody plays twice in a result.")
    if any(SUBJECT_JOINT in player or player in (NO_COMPANY, MANY) for player in players):
        raise ResultInvalid(f"A player's id is not empty, not {MANY!r}, and without {SUBJECT_JOINT!r}.")
    if result.model == GLICKO and [len(side) for side in sides] + [len(players)] != [1, 1, 2]:
        raise ResultInvalid("Heads-up results are of two sides with one player each.")


def subjects_of(result: Result) -> dict[str, Partnership]:
    """Everybody whose rating a result changes: the players by subject."""
    return {subject_of(each): tuple(sorted(each)) for _, teams in _teams(result) for team in teams for each in team}


def rate(result: Result, standings: Mapping[str, Standing]) -> tuple[Change, ...]:
    """What a result changes, given the standings before it by subject; who has none is a newcomer."""
    changes: list[Change] = []
    for kind, teams in _teams(result):
        before = [[_rating(result, standings, subject_of(each)) for each in team] for team in teams]
        after = _rated(result, before)
        for team, rank, olds, news in zip(teams, result.ranks, before, after, strict=True):
            for players, old, new in zip(team, olds, news, strict=True):
                standing = _standing(result, standings.get(subject_of(players)), kind, players, new)
                changes.append(
                    Change(
                        subject=subject_of(players),
                        kind=kind,
                        players=tuple(sorted(players)),
                        rank=rank,
                        before=old,
                        after=standing,
                    )
                )
    return tuple(changes)


def fold(results: Sequence[Result], standings: MutableMapping[str, Standing]) -> list[tuple[Change, ...]]:
    """The changes by result, in order; the standings are brought up to date."""
    folded = []
    for result in results:
        changes = rate(result, standings)
        standings.update((change.subject, change.after) for change in changes)
        folded.append(changes)
    return folded


def _teams(result: Result) -> list[tuple[Kind, list[list[Partnership]]]]:
    """The subjects by side: each person alone, and where partners met partners each partnership as one."""
    persons: list[list[Partnership]] = [[(player,) for pair in side for player in pair] for side in result.sides]
    teams: list[tuple[Kind, list[list[Partnership]]]] = [("person", persons)]
    if result.partnerships and all(len(pair) > 1 for side in result.sides for pair in side):
        teams.append(("partnership", [list(side) for side in result.sides]))
    return teams


def _rating(result: Result, standings: Mapping[str, Standing], subject: str) -> Rating:
    known = standings.get(subject)
    return MODELS[result.model].newcomer if known is None else known.rating


def _rated(result: Result, before: Sequence[Sequence[Rating]]) -> list[list[Rating]]:
    if result.model != GLICKO:
        return plackett_luce.rated(before, result.ranks)
    ((one,), (other,)) = before
    first, second = result.ranks
    score = Decimal(1 if first < second else 0 if first > second else "0.5")
    return [[glicko.rated(one, [(other, score)])], [glicko.rated(other, [(one, 1 - score)])]]


def _standing(result: Result, known: Standing | None, kind: Kind, players: Partnership, rating: Rating) -> Standing:
    company = NO_COMPANY
    if kind == "person":
        (player,) = players
        pair = next(pair for side in result.sides for pair in side if player in pair)
        company = company_of(pair, player)
    if known is None:
        return Standing(rating, 1, company)
    return Standing(rating, known.results + 1, company if company == known.company else MANY)
