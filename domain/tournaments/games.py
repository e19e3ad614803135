"""The games of matches: which should be in play by now, under what rules, between whom.

A match has one game at each of its tables, or one a hand where every hand has its own first-meld minimum; a tied match
of a bracket may have one hand more. The next game of a table is wanted when the one before it is over.
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from domain.rulesets import RuleSet, resolve
from domain.tournaments import clocks
from domain.tournaments.lengths import boards_of_game, decides_ties_by_a_hand, hands_of, legs_of
from domain.tournaments.matches import FixedHands, PerHand
from domain.tournaments.outcomes import is_tied
from domain.tournaments.seating import TableSeats
from domain.tournaments.state import Match, Tournament
from domain.tournaments.terms import Terms

OUT_OF_REACH: Final = 1_000_000
"""The target of a match of so many hands: no side comes near it in the most hands that a match has."""

REGULAR: Final = frozenset({"target", "hand_cap"})
"""How a game ends after which the match goes on with its next one."""


class WantedGame(Struct, frozen=True, kw_only=True):
    """A game that should be in play, `players`, `bots`, `entrants` and `side_of` by seat.

    side_of    the side of the match that a seat belongs to
    boards     one for every hand; none where the game has deals of its own
    beacon     whether the boards depend on the round of a beacon
    sealed     whether only its players may see it, and nobody its result, until all tables have played its boards
    no_new_hand_at, due_at   when no further hand may begin, and when the clock runs out; null without a clock
    """

    tournament: str
    match: str
    round: int
    table: int
    leg: int
    game: str
    players: tuple[str, ...]
    bots: tuple[str | None, ...]
    entrants: tuple[str, ...]
    side_of: tuple[int, ...]
    ruleset: RuleSet
    stock: Literal["common", "striped"]
    boards: tuple[int, ...]
    beacon: bool
    sealed: bool
    move_seconds: int | None
    watch: Literal["anyone", "nobody"]
    rated: bool
    no_new_hand_at: str | None
    due_at: str | None
    end_of_time: Literal["finish_hand", "score_position", "drop_hand"]
    time_called: bool


def game_id(tournament: str, match: str, table: int, leg: int) -> str:
    """The id that the game of a match has, whoever makes it."""
    name = f"meldhouse/match-game\n{tournament}\n{match}\n{table}\n{leg}"
    return "g" + sha256(name.encode()).hexdigest()[:32]


def wanted_games(state: Tournament) -> list[WantedGame]:
    """Every game that should be in play by now. A game that is none of these and has no result is to be ended."""
    if state.status != "running":
        return []
    rulesets: dict[tuple[int, int], RuleSet] = {}
    wanted = []
    for match in open_matches(state):
        for seats, leg in open_games(state, match):
            key = (match.stage, leg)
            if key not in rulesets:
                rulesets[key] = match_ruleset(state.terms, match.stage, leg)
            wanted.append(_wanted(state, match, seats, leg, rulesets[key]))
    return sorted(wanted, key=lambda each: (each.round, each.table, each.leg))


def open_matches(state: Tournament) -> Iterator[Match]:
    """The matches that are being played."""
    for each in state.rounds.values():
        if each.status == "started":
            yield from (match for match in state.matches_of(each.number) if not match.over)


def open_games(state: Tournament, match: Match) -> list[tuple[TableSeats, int]]:
    """The games of a match that have not ended: at each table the next one, and in the end the hand for a tie."""
    stage = state.stage_terms(match.stage)
    regular = range(1, legs_of(stage) + 1)
    opened = [(seats, _next_leg(match, seats.table, regular)) for seats in match.paired.tables]
    wanted = [(seats, leg) for seats, leg in opened if leg is not None]
    held_back = any(match.result(table, leg) is None for table, leg in match.finished if leg in regular)
    if wanted or held_back or not decides_ties_by_a_hand(stage) or not is_tied(state, match):
        return wanted
    extra = regular.stop
    ended = {*match.finished, *((each.table, each.leg) for each in match.results)}
    return [(seats, extra) for seats in match.paired.tables if (seats.table, extra) not in ended]


def _next_leg(match: Match, table: int, legs: range) -> int | None:
    """The game of a table that is to be played; a game that ended out of order is its last one."""
    for leg in legs:
        result = match.result(table, leg)
        if result is None:
            if (table, leg) not in match.finished:
                return leg
        elif result.reason not in REGULAR:
            return None
    return None


def match_ruleset(terms: Terms, stage: int, leg: int) -> RuleSet:
    """The rule set of a game of a match: that of the tournament with the hands, target and first meld of the match."""
    played = terms.stages[stage].match
    hands = hands_of(terms.stages[stage], leg)
    options: dict[str, Any] = {}
    target = OUT_OF_REACH
    if hands is not None:
        options["hand_cap"] = hands
    elif isinstance(played.length, FixedHands) or played.length.target is None:
        return terms.ruleset
    else:
        target = played.length.target
    options["target"] = target
    options["target_choices"] = sorted({*terms.ruleset.target_choices, target})
    if isinstance(played.first_meld, PerHand):
        steps = played.first_meld.points
        options["first_meld"] = [{"below": None, "points": steps[min(leg, len(steps)) - 1]}]
    return _laid_over(terms.ruleset, msgspec.json.encode(options))


@lru_cache(maxsize=256)
def _laid_over(ruleset: RuleSet, options: bytes) -> RuleSet:
    return resolve(ruleset.to_json(), msgspec.json.decode(options))


def _wanted(state: Tournament, match: Match, seats: TableSeats, leg: int, ruleset: RuleSet) -> WantedGame:
    terms = state.terms
    stage = terms.stages[match.stage]
    owners = {entrant: number for number, side in enumerate(match.paired.sides) for entrant in side}
    boards = boards_of_game(stage, match.paired.boards, leg)
    due_at = state.rounds[match.round].due_at if match.due_at is None else match.due_at
    if leg > legs_of(stage):
        due_at = None
    no_new_hand_at = None
    if due_at is not None:
        no_new_hand_at = clocks.text(clocks.moment(due_at) - timedelta(minutes=stage.match.last_hand_minutes))
    return WantedGame(
        tournament=state.id,
        match=match.id,
        round=match.round,
        table=seats.table,
        leg=leg,
        game=game_id(state.id, match.id, seats.table, leg),
        players=seats.players,
        bots=tuple(
            state.entrants[entrant].levels.get(player)
            for entrant, player in zip(seats.entrants, seats.players, strict=True)
        ),
        entrants=seats.entrants,
        side_of=tuple(owners[each] for each in seats.entrants),
        ruleset=ruleset,
        stock=terms.boards.stock if boards and terms.boards is not None else "common",
        boards=boards,
        beacon=bool(boards) and terms.boards is not None and terms.boards.beacon,
        sealed=bool(boards),
        move_seconds=stage.match.move_seconds,
        watch=terms.watch,
        rated=terms.rated,
        no_new_hand_at=no_new_hand_at,
        due_at=due_at,
        end_of_time=stage.match.end_of_time,
        time_called=match.time_called and leg <= legs_of(stage),
    )
