"""The same tie-breaks by another program: FIDE's rules for unplayed rounds as the library `gacrux` applies them.

Ranking makes its own sums, because the library takes ten times as long; this module asks the library, so that tests
and an audit can hold both side by side. It runs in this process and touches no file.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from msgspec import Struct

from domain.standings.field import Field
from domain.standings.keys import check_keys
from domain.standings.lines import PLAYED, Entry, Line, Pairing, Scale
from domain.standings.tiebreaks import Values, values

LIBRARY_CODES: Final = {
    "SCORE": "PTS",
    "BH": "BH",
    "BH-C1": "BH/C1",
    "BH-C2": "BH/C2",
    "BH-M1": "BH/M1",
    "BH-M2": "BH/M2",
    "SB": "SB",
    "SB-C1": "SB/C1",
    "PS": "PS",
    "PS-C1": "PS/C1",
    "KOYA": "KS",
}
"""The tie-breaks that the library knows in the same sense."""

_LETTERS: Final = {"full_bye": "P", "half_bye": "D", "zero_bye": "Z", "forfeit_win": "W", "forfeit_loss": "Z"}


class Difference(Struct, frozen=True):
    """A value on which the library is of another opinion; both as integers with the decimals of the key."""

    entrant: str
    code: str
    ours: int | None
    theirs: int | None


def library_values(
    entries: Sequence[Entry], codes: Sequence[str], *, after: int, scale: Scale, pairing: Pairing = "swiss"
) -> dict[str, Values]:
    """For each tie-break that the library knows, its values after a round, in the order of the entries.

    Raises `ValueError` as ranking does, and for rounds against more than one opponent, which the library has not.
    """
    from gacrux.tiebreak import tiebreak

    known = [key.code for key in check_keys(codes) if key.code in LIBRARY_CODES]
    field = Field(entries, after=after, scale=scale, pairing=pairing)
    tournament = _tournament(field)
    # The library counts to the last round of the event unless it is told the round.
    engine = tiebreak(tournament, after, {"is_rr": field.round_robin, "unrated": None})
    asked = {"tiebreak": [LIBRARY_CODES[code] for code in known], "check": False}
    engine.compute_tiebreaks(tournament, asked)
    found = [competitor["tiebreakScore"] for competitor in tournament["competitors"]]
    return {code: [int(scores[place]) for scores in found] for place, code in enumerate(known)}


def differences(
    entries: Sequence[Entry], codes: Sequence[str], *, after: int, scale: Scale, pairing: Pairing = "swiss"
) -> tuple[Difference, ...]:
    """Where the library's values are other than those that entrants are ranked by; empty where both agree."""
    theirs = library_values(entries, codes, after=after, scale=scale, pairing=pairing)
    field = Field(entries, after=after, scale=scale, pairing=pairing)
    return tuple(
        Difference(entry.entrant, key.code, own, other)
        for key in check_keys(codes)
        if key.code in theirs
        for entry, own, other in zip(entries, values(field, key), theirs[key.code], strict=True)
        if own != other
    )


def _tournament(field: Field) -> dict[str, Any]:
    """The field in the library's own form. Competitors are numbered from 1 by place."""
    scale = field.scale
    worth: dict[str, Decimal | str] = {
        "W": Decimal(scale.win),
        "D": Decimal(scale.draw),
        "L": Decimal(scale.loss),
        "Z": Decimal(0),
    }
    worth |= {"F": "W", "H": "D", "P": "W", "A": "D", "U": "Z"}
    return {
        "tournamentType": "round robin" if field.round_robin else "swiss",
        "teamTournament": False,
        "numRounds": field.after,
        "currentRound": field.after,
        "competitors": [_competitor(place, entry) for place, entry in enumerate(field.entries)],
        "scoreSystem": {"game": worth},
        "gameList": [
            game
            for place, lines in enumerate(field.lines)
            for line in lines
            if (game := _game(field, place, line)) is not None
        ],
        "matchList": [],
    }


def _competitor(place: int, entry: Entry) -> dict[str, Any]:
    # Random numbers and ranks are given, or the library would draw them.
    adjust = [{"round": 0, "pairing": True, "points": Decimal(-entry.penalty)}]
    return {"cid": place + 1, "rank": 0, "random": place + 1, "adjust": adjust}


def _game(field: Field, place: int, line: Line) -> dict[str, Any] | None:
    """A round in the library's form, from the side of the opponent with the lower place."""
    if len(line.opponents) > 1:
        raise ValueError(f"{field.entries[place].entrant} had several opponents in round {line.round}.")
    game = {"round": line.round, "played": line.kind in PLAYED or line.kind == "full_bye", "rated": False}
    if not line.opponents:
        return game | {"white": _side(place, line)}
    other = field.index[line.opponents[0]]
    if other < place:
        return None
    for theirs in field.lines[other]:
        if theirs.round == line.round and theirs.opponents == (field.entries[place].entrant,):
            return game | {"white": _side(place, line), "black": _side(other, theirs)}
    raise ValueError(f"Only {field.entries[place].entrant} has the meeting with {line.opponents[0]}.")


def _side(place: int, line: Line) -> dict[str, Any]:
    return {"cid": place + 1, "result": _LETTERS.get(line.kind, "D"), "score": Decimal(line.score)}
