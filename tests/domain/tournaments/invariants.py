"""What holds of every tournament (background f), said of a stream and its state."""

from collections import Counter
from collections.abc import Sequence

from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import replayed
from domain.tournaments.formats import Danish, Elimination, Swiss
from domain.tournaments.games import open_games
from domain.tournaments.history import is_unplayed
from domain.tournaments.matches import VictoryPoints
from domain.tournaments.playing import field_of, goes_in_waves, takes_part
from domain.tournaments.round_events import MatchDecided, ResultRecorded, RoundPaired
from domain.tournaments.state import Match, Tournament


class FaultFound(Exception):
    """An invariant does not hold."""


def check_round(before: Tournament, paired: RoundPaired) -> None:
    """A round that was just paired from this state. Raises `FaultFound`."""
    terms = before.stage_terms(paired.stage)
    seated = Counter(entrant for match in paired.matches for side in match.sides for entrant in side)
    named = seated + Counter([*paired.byes])
    _say(max(named.values(), default=1) == 1, f"twice in round {paired.round}: {named}")
    field = field_of(before, paired.round)
    bracket = isinstance(terms.format, Elimination)
    _say(bracket or set(named) <= set(field), f"not in the stage: {set(named) - set(field)}")
    if not goes_in_waves(terms) and not bracket:
        _say(set(named) == set(field), f"neither seated nor with a bye: {set(field) - set(named)}")
    if not bracket:
        absent = [each for each in seated if not takes_part(before, before.entrants[each])]
        _say(not absent, f"seated, but not there: {absent}")
    asked = [each for each in seated if paired.round in before.entrants[each].byes_asked]
    _say(bracket or not asked, f"seated, but a bye was asked for: {asked}")
    for match in paired.matches:
        for table in match.tables:
            _say(len(set(table.players)) == len(table.players), f"twice at a table: {table}")
            _say("" not in table.players, f"an empty seat: {table}")
    if isinstance(terms.format, Swiss):
        _check_rematches(before, paired)
    if isinstance(terms.format, Swiss | Danish):
        _check_byes(before, paired)
    _check_boards(before, paired)


def _check_rematches(before: Tournament, paired: RoundPaired) -> None:
    met = {
        frozenset((match.paired.sides[0][0], match.paired.sides[1][0]))
        for match in before.matches.values()
        if match.stage == paired.stage and not is_unplayed(match)
    }
    relaxed = {frozenset(each.split(":")[1].split("+")) for each in paired.relaxations if "rematch" in each}
    for match in paired.matches:
        pair = frozenset((match.sides[0][0], match.sides[1][0]))
        _say(pair not in met or pair in relaxed, f"a rematch without a relaxation: {sorted(pair)}")


def _check_byes(before: Tournament, paired: RoundPaired) -> None:
    had = Counter(
        entrant
        for number in before.stages[paired.stage].rounds
        for entrant, bye in before.rounds[number].byes.items()
        if bye == "bye"
    )
    again = [each for each, bye in paired.byes.items() if bye == "bye" and had[each]]
    told = {each.split(":")[1] for each in paired.relaxations if each.startswith("second_bye")}
    _say(set(again) <= told or not paired.matches, f"a second bye without a relaxation: {again}")
    _say(sum(bye == "bye" for bye in paired.byes.values()) < 2 or not paired.matches, "several byes")


def _check_boards(before: Tournament, paired: RoundPaired) -> None:
    if before.terms.boards is None:
        _say(not any(match.boards for match in paired.matches), "boards where there are none")
    elif before.terms.boards.movement == "barometer":
        _say(len({match.boards for match in paired.matches}) <= 1, "not the same boards at all tables")
        fresh = {board for match in paired.matches for board in match.boards}
        played = {board for match in before.matches.values() for board in match.paired.boards}
        _say(not fresh & played, f"boards that were played before: {fresh & played}")
        _say(max(fresh, default=0) <= before.boards, "boards that nobody committed to")


def check_stream(state: Tournament, happened: Sequence[AnyTournamentEvent]) -> None:
    """A whole stream and the state that it leads to. Raises `FaultFound`."""
    _say([each.n for each in happened] == list(range(1, len(happened) + 1)), "events out of order")
    _say(replayed(state.id, happened) == state, "the replay leads to another state")
    decided = Counter(each.match for each in happened if isinstance(each, MatchDecided))
    _say(max(decided.values(), default=1) == 1 or not state.matches, f"decided twice: {decided.most_common(1)}")
    games = Counter(
        (each.result.match, each.result.table, each.result.leg) for each in happened if isinstance(each, ResultRecorded)
    )
    _say(max(games.values(), default=1) == 1, f"a game counted twice: {games.most_common(1)}")
    for match in state.matches.values():
        _check_match(state, match)
    for each in state.rounds.values():
        if each.status == "closed":
            _say(all(match.over for match in state.matches_of(each.number)), f"closed, but not over: {each.number}")


def _check_match(state: Tournament, match: Match) -> None:
    score = state.stage_terms(match.stage).score
    if match.over and match.ruling is None:
        _say(not open_games(state, match) or is_unplayed(match), f"decided, but not played: {match.id}")
    if match.outcome is None or match.ruling is not None or is_unplayed(match):
        return
    if isinstance(score, VictoryPoints) and len(match.paired.sides) == 2:
        _say(sum(match.outcome.score or ()) == 2000, f"not 20 in all: {match.id} {match.outcome}")
    if match.paired.bracket is not None:
        _say(match.outcome.winner is not None, f"nobody goes on: {match.id}")


def _say(holds: bool, fault: str) -> None:
    if not holds:
        raise FaultFound(fault)
