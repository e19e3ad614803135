"""The tie-breaks of terms that name none, as the ranking has them."""

from typing import Final

from domain.tournaments import terms
from domain.tournaments.tie_breaks import CODES, SCORE

DEFAULT_VP: Final = (SCORE, *(CODES[each] for each in terms.DEFAULT_VP))
DEFAULT_WDL: Final = (SCORE, *(CODES[each] for each in terms.DEFAULT_WDL))
