"""How a bracket stands: who meets whom now, and who has come how far."""

from collections.abc import Mapping

from msgspec import Struct

from domain.pairing.brackets import Bracket, BracketMatch, LoserOf, Seed, Source, WinnerOf
from domain.pairing.shapes import NoPairing, NoPairingCode

Sides = tuple[int | None, int | None]


class Standing(Struct, frozen=True):
    """A bracket after some results, by seeds.

    `sides` gives the sides of each match as far as they are known; `ready` are the matches to be played now; `needless`
    the reset that will not be; `places` lists who is out or through, the best first, equals together.
    """

    sides: dict[str, Sides]
    ready: tuple[str, ...]
    needless: tuple[str, ...]
    places: tuple[tuple[int, ...], ...]
    over: bool


def standing(bracket: Bracket, winners: Mapping[str, int], out: Mapping[int, str] | None = None) -> Standing:
    """How a bracket stands when these matches, by id, were won by these seeds.

    The seeds in `out` stand for nobody, whatever they won: they are placed as losers of the match that is named there,
    where each had to come and did not.

    Raises NoPairing (field_invalid) for a match that does not exist, was not ready, or was won by an outsider.
    """
    unknown = set(winners) - {match.id for match in bracket.matches}
    if unknown:
        raise _invalid(f"The bracket has no match {min(unknown)}.", "matches of the bracket")
    sides: dict[str, Sides] = {}
    needless: list[str] = []
    ready: list[str] = []
    for match in bracket.matches:
        one, other = (_side(source, sides, winners) for source in match.sources)
        sides[match.id] = (one, other)
        if match.reset and _settled(match, sides, winners):
            needless.append(match.id)
        if match.id in winners:
            if None in (one, other) or winners[match.id] not in (one, other) or match.id in needless:
                raise _invalid(f"{winners[match.id]} cannot have won match {match.id}.", "winners that play the match")
        elif one is not None and other is not None and match.id not in needless:
            ready.append(match.id)
    over = all(match.id in winners or match.id in needless for match in bracket.matches)
    return Standing(sides, tuple(ready), tuple(needless), _places(bracket, sides, winners, needless, out or {}), over)


def _side(source: Source, sides: Mapping[str, Sides], winners: Mapping[str, int]) -> int | None:
    match source:
        case Seed(number):
            return number
        case WinnerOf(name):
            return winners.get(name)
        case LoserOf(name):
            winner = winners.get(name)
            if winner is None:
                return None
            one, other = sides[name]
            return other if winner == one else one


def _settled(match: BracketMatch, sides: Mapping[str, Sides], winners: Mapping[str, int]) -> bool:
    """Whether the final that a reset would repeat was won by who had not lost before."""
    source = match.sources[0]
    return isinstance(source, WinnerOf) and source.match in winners and winners[source.match] == sides[source.match][0]


def _places(
    bracket: Bracket,
    sides: Mapping[str, Sides],
    winners: Mapping[str, int],
    needless: list[str],
    out: Mapping[int, str],
) -> tuple[tuple[int, ...], ...]:
    """Who has no match left: the winner, the loser of the final, third place, then the losers of later rounds first."""
    ahead = {source for match in bracket.matches if match.id not in needless for source in match.sources}
    # Whoever loses here and plays on is placed by that match at least.
    further = {
        source.match: match.id for match in bracket.matches for source in match.sources if isinstance(source, LoserOf)
    }
    groups: dict[tuple[int, int], list[int]] = {}
    keys: dict[str, tuple[int, int]] = {}
    for match in reversed(bracket.matches):
        last = WinnerOf(match.id) not in ahead
        keys[match.id] = (1, 1) if match.section == "third" else (0, 1) if last else (2, -match.round)
        if LoserOf(match.id) in ahead:
            keys[match.id] = keys[further[match.id]]
        elif match.id in winners:
            placed = [(keys[match.id], _loser(match, sides, winners))]
            if match.section == "third" or last:
                placed.append(((keys[match.id][0], 0), winners[match.id]))
            for key, seed in placed:
                if seed not in out:
                    groups.setdefault(key, []).append(seed)
    for seed, match_id in out.items():
        groups.setdefault(keys[match_id], []).append(seed)
    return tuple(tuple(sorted(groups[key])) for key in sorted(groups))


def _loser(match: BracketMatch, sides: Mapping[str, Sides], winners: Mapping[str, int]) -> int:
    one, other = sides[match.id]
    loser = other if winners[match.id] == one else one
    assert loser is not None
    return loser


def _invalid(message: str, needed: str) -> NoPairing:
    return NoPairing(NoPairingCode.FIELD_INVALID, message, needed=needed)
