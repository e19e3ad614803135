"""Why an embedded server could not be started or kept."""

from typing import Literal

EmbeddedCode = Literal[
    "account_missing",
    "address_too_long",
    "binaries_fail",
    "binaries_missing",
    "data_of_another_version",
    "end_failed",
    "keeps_dying",
    "not_main_thread",
    "start_failed",
    "start_too_slow",
    "state_dir_in_use",
    "state_dir_unusable",
]


class EmbeddedFault(Exception):
    """A failure of the embedded servers: `code` for programs, the text for people, with what they can do."""

    def __init__(self, code: EmbeddedCode, text: str) -> None:
        super().__init__(text)
        self.code = code
