"""Exact rounding of fractions of integers."""


def half_up(numerator: int, denominator: int) -> int:
    """The nearest integer to a fraction with a positive denominator; a half goes up."""
    return (2 * numerator + denominator) // (2 * denominator)


def half_away(numerator: int, denominator: int) -> int:
    """The nearest integer to a fraction with a positive denominator; a half goes away from 0, alike for both sides."""
    return half_up(numerator, denominator) if numerator >= 0 else -half_up(-numerator, denominator)
