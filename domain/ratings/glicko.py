"""Glicko-2 (Glickman, "Example of the Glicko-2 system", 22 March 2022), in decimals.

Every step is an operation of the decimal arithmetic that is rounded correctly to `PRECISION` digits, so the numbers are
the same on every machine. A rating period is one result here: both players change by what the other had before it.
"""

from collections.abc import Callable, Sequence
from decimal import Context, Decimal, localcontext
from typing import Final

from domain.ratings.shapes import EXACT_DECIMALS, Rating, rounded

PRECISION: Final = 34
TAU: Final = Decimal("0.5")
"""How fast volatility may change."""

_SCALE: Final = Decimal("173.7178")
_CENTRE: Final = Decimal(1500)
_PI: Final = Decimal("3.141592653589793238462643383279503")
_CLOSE: Final = Decimal("1e-6")
"""Where the iteration for the volatility ends, as in the publication: nearer, the tenth digit would be another."""

_CONTEXT: Final = Context(prec=PRECISION)

Game = tuple[Rating, Decimal]
"""The opponent's rating before the period, and the score: 1, 1/2 or 0."""


def rated(player: Rating, games: Sequence[Game]) -> Rating:
    """The player's rating after a period with these games (steps 2 to 8)."""
    with localcontext(_CONTEXT):
        volatility = player.volatility
        assert volatility is not None
        mu, phi = (player.estimate - _CENTRE) / _SCALE, player.deviation / _SCALE
        information = total = Decimal(0)
        for opponent, score in games:
            weight = _weight(opponent.deviation / _SCALE)
            expected = 1 / (1 + (-weight * (mu - (opponent.estimate - _CENTRE) / _SCALE)).exp())
            information += weight * weight * expected * (1 - expected)
            total += weight * (score - expected)
        variance = 1 / information
        volatility = _new_volatility(phi, volatility, variance, variance * total)
        widened = phi * phi + volatility * volatility
        after = 1 / (1 / widened + information).sqrt()
        estimate, deviation = _CENTRE + _SCALE * (mu + after * after * total), _SCALE * after
        return Rating(*(rounded(number, EXACT_DECIMALS) for number in (estimate, deviation, volatility)))


def _weight(phi: Decimal) -> Decimal:
    return 1 / (1 + 3 * phi * phi / (_PI * _PI)).sqrt()


def _new_volatility(phi: Decimal, sigma: Decimal, variance: Decimal, delta: Decimal) -> Decimal:
    """Step 5: the zero of a function, bracketed and then closed in on (the Illinois way of false position)."""
    a = (sigma * sigma).ln()
    surprise = delta * delta - phi * phi - variance

    def f(x: Decimal) -> Decimal:
        grown = x.exp()
        whole = phi * phi + variance + grown
        return grown * (surprise - grown) / (2 * whole * whole) - (x - a) / (TAU * TAU)

    left = a
    right = surprise.ln() if surprise > 0 else _below(f, a)
    at_left, at_right = f(left), f(right)
    while abs(right - left) > _CLOSE:
        middle = left + (left - right) * at_left / (at_right - at_left)
        at_middle = f(middle)
        if at_middle * at_right <= 0:
            left, at_left = right, at_right
        else:
            at_left /= 2
        right, at_right = middle, at_middle
    return (left / 2).exp()


def _below(f: Callable[[Decimal], Decimal], a: Decimal) -> Decimal:
    """The first of a - tau, a - 2 tau, … at which the function is not negative."""
    x = a - TAU
    while f(x) < 0:
        x -= TAU
    return x
