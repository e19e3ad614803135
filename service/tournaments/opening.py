"""A tournament is announced: its master is drawn and committed to, its title kept beside the log."""

import secrets
from collections.abc import Container
from datetime import datetime

from domain.fairness import MASTER_BYTES, board_commitment
from domain.tournaments.announcing import announce
from domain.tournaments.before_start import opening
from domain.tournaments.fold import begin
from domain.tournaments.terms import Terms
from service.tournaments.commands import TournamentCommand, TournamentDone
from service.tournaments.texts import new_text
from service.tournaments.tournaments import Tournaments
from service.version import ENGINE


async def open_tournament(
    tournaments: Tournaments,
    *,
    tournament_id: str,
    organiser: str,
    title: str,
    terms: Terms,
    now: datetime,
    zones: Container[str],
    key: str | None = None,
    digest: str | None = None,
    master: bytes | None = None,
) -> TournamentDone:
    """Begin a tournament's stream; with the same id, key and digest once, however often it is asked for.

    Where registration is to be open at once, it is so when the tournament is there.
    `master` is drawn here where the terms did not need it before. Raises `TournamentRefused`
    (`tournament_terms_invalid`), `KeyConflict`, `GameContended`, `StoreUnavailable`, `StoreBusy`.
    """
    master = master or secrets.token_bytes(MASTER_BYTES)
    text, kept = new_text("title", title, organiser)
    created = announce(terms, text, board_commitment(master), ENGINE, organiser, now, zones)
    opened = opening(begin(tournament_id, created), now)
    command = TournamentCommand(
        actor=organiser, decide=lambda _state, _now, _draw: [created, *opened], key=key, digest=digest, writes=(kept,)
    )
    return await tournaments.create(tournament_id, created, opened, command, master)
