"""The models by which results are rated. A model is never changed: other parameters are another model.

    seats 2        Glicko-2, of our own: two players, and nothing but who won
    seats 3 to 6   Plackett-Luce of OpenSkill: any number of sides, any number of players in each

Heads-up pools have Glicko-2 instead of Plackett-Luce, not beside it: its volatility follows a player whose strength
changes, and one number for one thing is enough.
"""

from decimal import Decimal
from typing import Final

from msgspec import Struct

from domain.ratings.pools import HEADS_UP, POOLS
from domain.ratings.shapes import Rating, rounded

PLACKETT_LUCE: Final = "plackett-luce-1"
GLICKO: Final = "glicko-2-1"


class Model(Struct, frozen=True, kw_only=True):
    """A model: whose work of which version, its parameters as text, and the rating of a newcomer."""

    id: str
    name: str
    version: str
    parameters: dict[str, str]
    newcomer: Rating


MODELS: Final = {
    model.id: model
    for model in (
        Model(
            id=PLACKETT_LUCE,
            name="OpenSkill Plackett-Luce",
            version="openskill 6.2",
            parameters={
                "mu": "25", "sigma": "8.333333333", "beta": "25/6", "tau": "25/300", "kappa": "0.0001", "decimals": "9",
            },
            newcomer=Rating(rounded(25), rounded(25 / 3)),
        ),
        Model(
            id=GLICKO,
            name="Glicko-2",
            version="2022-03-22",
            parameters={
                "rating": "1500", "deviation": "350", "volatility": "0.06", "tau": "0.5", "decimals": "12",
            },
            newcomer=Rating(rounded(1500), rounded(350), rounded(Decimal("0.06"))),
        ),
    )
}  # fmt: skip
"""By id. The database holds the same (migrations/0013)."""

BOT_RATINGS: Final = {
    PLACKETT_LUCE: {
        "greedy": Rating(rounded(25), rounded(0)),
        "random": Rating(rounded(17), rounded(0)),
    },
    GLICKO: {
        "greedy": Rating(rounded(1500), rounded(0), rounded(0)),
        "random": Rating(rounded(1000), rounded(0), rounded(0)),
    },
}
"""Fixed ratings of the bots, by model and level, for people to compare with: nobody's rating moves by a bot. The greedy
bot stands where newcomers do; the random one so far below that the models expect of it what was measured, about 6 % of
the games of partners (8 points of mu) and 5 % of those of two players (500 points)."""


def model_of(pool: str) -> Model:
    """The model of a pool. Raises `KeyError` for what is none."""
    return MODELS[GLICKO if POOLS[pool].seats == HEADS_UP else PLACKETT_LUCE]


def value_of(rating: Rating) -> Decimal:
    """What subjects are ordered by, a level that they very likely exceed: mu - 3 sigma, or rating - 2 deviations."""
    return rating.estimate - (3 if rating.volatility is None else 2) * rating.deviation
