"""Cross-IMPs of one board: each result against each other one."""

from collections import Counter
from collections.abc import Sequence

from domain.standings.imps import DIVISOR, imps


def cross_imps(results: Sequence[int], divisor: int = DIVISOR) -> tuple[int, ...]:
    """The sum of each result's IMPs against all others, in their order. Together they are 0."""
    times = Counter(results)
    totals = {result: sum(count * imps(result - other, divisor) for other, count in times.items()) for result in times}
    return tuple(totals[result] for result in results)
