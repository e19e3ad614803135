"""Through whose eyes a game is looked back at: a seat's, everybody's, or nobody's."""

from typing import Annotated, Final, Literal
from urllib.parse import urlencode

from msgspec import Meta, Struct

from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.redaction import Viewer
from domain.views import record_is_public
from service.http.access import Access, check_public, needed_viewer
from service.http.games import ShareCode
from service.http.operations import PRIVATE, Header
from service.live import LiveGame

LASTING: Final[Header] = (b"cache-control", b"public, max-age=86400, immutable")
"""For what never changes but with the form that a later version of the service may give it."""


class Eyes(Struct, frozen=True, forbid_unknown_fields=True):
    """Through the eyes of which `seat`, or with `all_hands` of everybody, from that seat if one is given. Without
    either, those of the caller's own seat, or of nobody: what lies open. `code` is that of a share link.
    """

    seat: Literal["", "0", "1", "2", "3", "4", "5"] = ""
    all_hands: Annotated[bool, Meta(description="Every card; once the record is public.")] = False
    code: ShareCode = ""

    def parameters(self, **more: int) -> str:
        """These parameters and others as the query of an address."""
        given = {"seat": self.seat, "all_hands": "true" if self.all_hands else "", "code": self.code, **more}
        written = urlencode({name: value for name, value in given.items() if value != ""})
        return f"?{written}" if written else ""


class Perspective(Struct, frozen=True):
    """As whom somebody looks, and from which seat; null from none."""

    viewer: Viewer
    seat: int | None


def perspective(live: LiveGame, allowed: Access, eyes: Eyes) -> Perspective:
    """As whom the caller looks back. Other seats, and all hands, are seen once the record is public.

    Raises `Problem`, `LobbyRefused`.
    """
    needed_viewer(allowed)
    seat, players = int(eyes.seat) if eyes.seat else None, live.state.table.rules.players
    if seat is not None and seat >= players:
        raise LobbyRefused(LobbyCode.UNKNOWN_SEAT, seat=seat, players=players)
    if eyes.all_hands:
        check_public(live)
        return Perspective("everyone", seat)
    if seat is None:
        return Perspective("watcher" if allowed.seat is None else allowed.seat, allowed.seat)
    if seat != allowed.seat:
        check_public(live)
    return Perspective(seat, seat)


def caching(live: LiveGame, eyes: Eyes) -> Header:
    """How long an answer may be kept: for ever where its address alone says what stands in it, and nothing follows."""
    named = eyes.all_hands or eyes.seat
    listed = live.facts.visibility == "public" and not eyes.code
    return LASTING if named and listed and record_is_public(live.state) and not live.sealed else PRIVATE
