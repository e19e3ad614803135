"""The tie-breaks of files (records 202 and 212) by the codes that they have here."""

from typing import Final

from domain.standings.keys import KEYS

_ALIASES: Final = {"PTS": "SCORE", "KS": "KOYA"}


def code_of(written: str, *, games_first: bool = False) -> str:
    """The code of a tie-break as a file or a person writes it; what is not known here comes back as it is written.

    Of teams the first score is that of matches (MPTS), or of games (GPTS).
    """
    code = written.strip().upper().replace("/", "-").replace(":", "-")
    if code == ("GPTS" if games_first else "MPTS"):
        return "SCORE"
    code = _ALIASES.get(code, code)
    return code if code in KEYS else written.strip()
