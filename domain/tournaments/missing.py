"""Who holds up the others: entrants who did not come to the last matches that are open."""

from datetime import datetime

from domain.tournaments.outcomes import still_missing
from domain.tournaments.pairing_rounds import stage_is_over
from domain.tournaments.playing import goes_in_waves
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.results import is_played_out
from domain.tournaments.state import Match, Tournament


def entrants_missing(state: Tournament, now: datetime) -> TournamentRefused | None:
    """`entrants_missing`, with the matches and who did not come, where nothing else is played any more; else None.

    Waves do not wait for one another, so that those of an arena or a ladder hold up nothing before its time is over.
    """
    if state.status != "running" or state.stage is None:
        return None
    if goes_in_waves(state.stage_terms(state.stage.number)) and not stage_is_over(state, now):
        return None
    started = [each.number for each in state.rounds.values() if each.status == "started"]
    matches = [match for number in started for match in state.matches_of(number) if not is_played_out(state, match)]
    absent = {match.id: _absent(state, match) for match in matches}
    if not absent or not all(absent.values()):
        return None
    return TournamentRefused(
        TournamentCode.ENTRANTS_MISSING,
        matches=[*absent],
        entrants=sorted({each for entrants in absent.values() for each in entrants}),
        needed="a move of theirs, substitute, forfeit, or rule",
    )


def _absent(state: Tournament, match: Match) -> list[str]:
    """Who is still missing from a match; nobody once a game of it has ended."""
    return [] if match.results or match.finished else still_missing(state, match)
