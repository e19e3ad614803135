"""Exact rounding of fractions of integers."""


def half_up(numerator: int, denominator: int) -> int:
    """The nearest integer to a fraction with a positive denominator; a half goes up."""
    return (2 * numerator + denominator) // (2 * denominator)


def half_away(numerator: int, denominator: int) -> int:
    """The nearest integer to a fraction with a positive denominator; a half goes away from 0, alike for both sides."""
    return half_up(numerator, denominator) if numerator >= 0 else -half_up(-numerator, denominator)


def half_even(numerator: int, denominator: int) -> int:
    """The nearest integer to a fraction with a positive denominator; a half goes to the even one.

    So two parts of an even whole, each rounded, make that whole.
    """
    whole, rest = divmod(numerator, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2 == 1))
