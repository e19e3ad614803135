"""Who holds up the others: entrants who did not come to the last matches that are open."""

from datetime import datetime

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
    """The entrants noted as missing that a person is still to play for; none once a game of the match has ended."""
    if match.results or match.finished:
        return []
    persons = {
        entrant
        for table in match.paired.tables
        for entrant, player in zip(table.entrants, table.players, strict=True)
        if player not in state.entrants[entrant].levels
    }
    return [each for each in match.missing if each in persons]
