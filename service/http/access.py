"""Who may know what of a game: one place for every operation that names one.

    seat holder                 everything their seat may see
    others, the table willing   the public form, as watchers
    others                      that the game exists, its rule set, seats and status

A sealed game (formats, part 5) shows others no more than the last, whatever the table allows and be it long over, and
even to its seats neither the record nor what follows from it: every operation that tells of a game goes through
`needed_viewer`, and through `check_unsealed` where it tells more than a seat knows.

An unlisted game exists only for its seats, for who opened it, for who has its share code, and for those for whom a
seat is kept: an invitation is worth as much as the share code.
"""

import hmac
from datetime import datetime
from typing import Literal

from msgspec import Struct

from domain.redaction import Viewer
from domain.state import State, seat_of
from domain.views import record_is_public, viewer_now
from service.commands import GameUnknown
from service.http.problems import Problem
from service.http.scopes import outside_of_token
from service.invitations import Invitations
from service.live import LiveGame
from service.principals import Principal


class Access(Struct, frozen=True):
    """What somebody is to a game: their seat, whether they opened it, and as whom they see it (None: not at all).

    `sealed_until` is when a seal ends that keeps them from seeing it.
    """

    seat: int | None
    opened: bool
    invited: bool
    viewer: Viewer | None
    sealed_until: datetime | None = None

    @property
    def inside(self) -> bool:
        """Whether the share link is theirs to pass on."""
        return self.seat is not None or self.opened


def access(live: LiveGame, principal: Principal | None, code: str | None) -> Access:
    """What the caller is to a game. Raises `GameUnknown` where they may not even know that it exists.

    A token that is narrowed to a seat is good only while its player holds that seat; raises `Problem` after that.
    """
    state = live.state
    facts = live.facts
    player = None if principal is None else principal.player
    seat = None if player is None else seat_of(state.table, player)
    if principal is not None and principal.seat not in (None, seat):
        raise outside_of_token(principal)
    if seat is not None:
        return Access(seat, player == facts.created_by, True, viewer_now(state, seat))
    opened = player is not None and player == facts.created_by
    invited = opened or (code is not None and hmac.compare_digest(code.encode(), facts.share_code.encode()))
    if facts.visibility != "public" and not invited:
        raise GameUnknown
    if live.sealed:
        return Access(None, opened, invited, None, facts.sealed_until)
    return Access(None, opened, invited, _watching(state, invited))


async def access_of(invitations: Invitations, live: LiveGame, principal: Principal | None, code: str | None) -> Access:
    """What the caller is to a game, invitations looked up where they matter. Raises `GameUnknown`."""
    try:
        found = access(live, principal, code)
    except GameUnknown:
        if principal is None or not await invitations.invited(live.facts.id, principal.player):
            raise
    else:
        if found.viewer is not None or found.invited or principal is None:
            return found
        if not await invitations.invited(live.facts.id, principal.player):
            return found
    return access(live, principal, live.facts.share_code)


def _watching(state: State, invited: bool) -> Literal["watcher", "everyone"] | None:
    who = state.table.watch.who
    if record_is_public(state):
        return "everyone"
    return "watcher" if who == "anyone" or (who == "link" and invited) else None


def needed_viewer(access: Access) -> Viewer:
    """As whom the caller sees the cards. Raises `Problem`."""
    if access.viewer is None:
        if access.sealed_until is not None:
            raise _sealed(access.sealed_until)
        raise Problem("watching_not_allowed", "This table is not shown to others while it plays.")
    return access.viewer


def check_unsealed(live: LiveGame) -> None:
    """Raises `Problem` while the game is sealed: for what tells more than its own seats may know, whoever asks."""
    if live.sealed and live.facts.sealed_until is not None:
        raise _sealed(live.facts.sealed_until)


def check_public(live: LiveGame) -> None:
    """Raises `Problem` while the record of the game, which tells every card, is not public."""
    check_unsealed(live)
    if not record_is_public(live.state):
        table = live.state.table
        raise Problem(
            "record_not_public",
            "It tells every card, and is shown once the game has ended and its deals are revealed.",
            params={"status": table.status, "needed": "revealed" if table.status == "ended" else "ended"},
        )


def _sealed(until: datetime) -> Problem:
    return Problem(
        "game_sealed",
        "Until its seal is lifted the game is for those at its seats only.",
        params={"sealed_until": until},
    )


def needed_seat(access: Access) -> int:
    """The caller's seat. Raises `Problem`."""
    if access.seat is None:
        raise Problem("not_your_seat", "You hold no seat at this table.")
    return access.seat
