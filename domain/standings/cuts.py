"""The cuts of the Buchholz and Sonneborn-Berger families: which rounds of an entrant do not count."""

from collections.abc import Sequence

from domain.standings.unplayed import Contribution


def split_cut(
    parts: Sequence[Contribution], *, low: int, high: int, weighted: bool
) -> tuple[list[Contribution], list[Contribution]]:
    """The parts that stay and those that are cut, lowest first (C.07, 16.5).

    Parts are cut by the opponent's score, then by what they count. While a voluntarily unplayed round is there, the
    one that counts least goes instead, unless the part of the lowest opponent counts more still. The highest are cut
    without such an exception. `weighted`: parts count score × result.
    """

    if not low and not high:
        return list(parts), []
    left = [
        (part.score, part.score * part.result if weighted else part.score, place) for place, part in enumerate(parts)
    ]
    gone: list[Contribution] = []
    for _ in range(min(low, len(left))):
        lowest = min(left)
        voluntary = [part for part in left if parts[part[2]].voluntary]
        if voluntary:
            least = min(voluntary, key=lambda part: (part[1], part[0]))
            lowest = least if lowest[1] <= least[1] else lowest
        left.remove(lowest)
        gone.append(parts[lowest[2]])
    for _ in range(min(high, len(left))):
        highest = max(left)
        left.remove(highest)
        gone.append(parts[highest[2]])
    return [parts[place] for _, _, place in left], gone
