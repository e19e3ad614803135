"""How a round went for an entrant, as it is told: byes as they are given, what a late entrant has, void matches."""

from typing import Final, Literal

from domain.standings.lines import Kind, Line
from domain.tournaments.match_lines import match_kind
from domain.tournaments.state import Match, Round

RoundKind = Literal[
    "played", "adjusted", "bye", "half_bye", "zero_bye", "late", "void", "forfeit_win", "forfeit_loss"
]  # fmt: skip
"""`adjusted`: ruled, or shared for want of hands. `late`: missed by an entrant who came after it (`late_score`)."""

_AS_TOLD: Final[dict[Kind, RoundKind]] = {
    "played": "played",
    "adjusted": "adjusted",
    "full_bye": "bye",
    "half_bye": "half_bye",
    "zero_bye": "zero_bye",
    "forfeit_win": "forfeit_win",
    "forfeit_loss": "forfeit_loss",
}


def round_kind(played: Round, entrant: str, match: Match | None, line: Line) -> RoundKind:
    """How a round went that counts; `match` is the entrant's, None for who sat out or was not there yet."""
    if match is None:
        return _AS_TOLD[line.kind] if entrant in played.byes else "late"
    return "void" if match_kind(match) == "void" else _AS_TOLD[line.kind]
