"""Board-a-match: a board is won, drawn or lost, by however much. Scores are in hundredths."""


def board_a_match(own: int, other: int) -> tuple[int, int]:
    """What either team has of a board: 2 for the better result, 1 each for equal ones."""
    if own == other:
        return 100, 100
    return (200, 0) if own > other else (0, 200)
