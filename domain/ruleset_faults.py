"""What can be wrong with a rule set (rule book 13.2), as data: a key, a place, a code and a sentence."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

FaultCode = Literal[
    "unknown_preset",
    "name_is_fixed",
    "missing_key",
    "unknown_key",
    "ill_typed",
    "out_of_range",
    "not_a_choice",
    "bad_text",
    "too_short",
    "not_ascending",
    "keys_not_players",
    "keys_not_ranks",
    "open_step_not_last",
    "last_step_not_open",
    "excluded",
    "forbidden",
    "draw_too_small",
    "no_way_out",
    "needs_sequences",
    "needs_number_of_players",
    "not_in_target_choices",
    "too_few_cards",
]

_SENTENCES: Final[Mapping[FaultCode, str]] = {
    "unknown_preset": "There is no preset of this name; there are {allowed}.",
    "name_is_fixed": "Options may not rename a rule set.",
    "missing_key": "{at} is missing.",
    "unknown_key": "{at} is not a key of a rule set.",
    "ill_typed": "{at} must be {expected}.",
    "out_of_range": "{at} must be from {minimum} to {maximum}.",
    "not_a_choice": "{at} must be one of {allowed}.",
    "bad_text": "{at} must be 1 to {maximum} characters out of a-z, 0-9 and -.",
    "too_short": "{at} needs at least {minimum} entry.",
    "not_ascending": "{at} must be ascending, without doubles.",
    "keys_not_players": "{at} by players needs exactly the keys {needed}.",
    "keys_not_ranks": "{at} needs exactly the keys {needed}.",
    "open_step_not_last": "{at} may be null in the last step only.",
    "last_step_not_open": "{at} must be null, because it is the last step.",
    "excluded": "{at} must be {needed} where {because}.",
    "forbidden": "{at} may not be {forbidden} where {because}.",
    "draw_too_small": "{at} must be at least {minimum} for every number of seats where stock_end is recycle.",
    "no_way_out": "{at} may not be true where final_discard_required is true: only a pass would be left.",
    "needs_sequences": "{at} asks for a samba ({value}), which needs sequences.",
    "needs_number_of_players": "{at} as {value} needs {needed} among players.",
    "not_in_target_choices": "{at} is {value}, which is not among target_choices: {allowed}.",
    "too_few_cards": "{at}: {players} seats and the upcard need {needed} cards, the pack has {cards}.",
}


class RuleSetFault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault of a rule set.

    key      the rule set's key, or `ruleset` / `options` where the whole value is wrong
    pointer  where it stands inside the rule set object, as a JSON pointer (RFC 6901)
    code     why, for programs; `params` holds what was needed
    message  the same for people
    """

    key: str
    pointer: str
    code: FaultCode
    params: dict[str, object]
    message: str


class RuleSetInvalidError(ValueError):
    """A rule set or its options were refused. `faults` lists everything that is wrong, at least one fault."""

    def __init__(self, faults: Sequence[RuleSetFault]) -> None:
        super().__init__(" ".join(fault.message for fault in faults))
        self.faults = tuple(faults)


def fault(code: FaultCode, *path: object, **params: object) -> RuleSetFault:
    """A fault at a place, given as the keys and indexes that lead there."""
    shown = {name: _shown(value) for name, value in params.items()}
    return RuleSetFault(
        key=str(path[0]),
        pointer="".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path),
        code=code,
        params=params,
        message=_SENTENCES[code].format(at=".".join(map(str, path)), **shown),
    )


def _shown(value: object) -> str:
    match value:
        case list() | tuple():
            return ", ".join(map(_shown, value))
        case dict():
            return " and ".join(f"{key} is {_shown(item)}" for key, item in value.items())
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case _:
            return str(value)
