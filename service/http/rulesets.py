"""Rule sets: the presets, their schema, and overrides checked with every fault listed."""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from domain.ruleset_faults import RuleSetFault, RuleSetInvalidError
from domain.rulesets import PRESETS, RuleSet, resolve, schema
from service.http.operations import AnswerKind, Call, Header, Operation, Reply
from service.http.problems import Problem

PUBLIC: Final[Header] = (b"cache-control", b"public, max-age=3600")


class RuleSetQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A preset's name or a complete rule set object, and options to lay over it."""

    ruleset: Annotated[str, Meta(max_length=64)] | dict[str, Any]
    options: dict[str, Any] | None = None


class RuleSetShown(Struct, frozen=True, kw_only=True):
    """A rule set, whole, with the hash that a game's first event has of it."""

    name: str
    hash: str
    ruleset: RuleSet


class RuleSetList(Struct, frozen=True, kw_only=True):
    """The presets, and the JSON Schema of rule sets and of the options laid over them."""

    presets: tuple[RuleSetShown, ...]
    schema: dict[str, Any]


class RuleSetVerdict(Struct, frozen=True, kw_only=True):
    """Whether a rule set can be played: resolved if so, and everything that is wrong if not."""

    valid: bool
    resolved: RuleSetShown | None
    faults: tuple[RuleSetFault, ...]


def shown(ruleset: RuleSet) -> RuleSetShown:
    """A rule set as it is shown."""
    return RuleSetShown(name=ruleset.name, hash=ruleset.sha256(), ruleset=ruleset)


_PRESETS: Final = {name: shown(resolve(name)) for name in PRESETS}
_LIST: Final = msgspec.json.encode(RuleSetList(presets=tuple(_PRESETS.values()), schema=schema()))
_SINGLE: Final = {name: msgspec.json.encode(preset) for name, preset in _PRESETS.items()}


async def list_rulesets(_call: Call) -> Reply:
    return Reply(200, _LIST, (PUBLIC,))


async def get_ruleset(call: Call) -> Reply:
    found = _SINGLE.get(call.path["name"])
    if found is None:
        raise Problem("ruleset_not_found", f"The presets are {', '.join(PRESETS)}.", params={"presets": list(PRESETS)})
    return Reply(200, found, (PUBLIC,))


async def validate_ruleset(call: Call) -> Reply:
    question: RuleSetQuestion = call.body
    try:
        resolved = resolve(question.ruleset, question.options)
        verdict = RuleSetVerdict(valid=True, resolved=shown(resolved), faults=())
    except RuleSetInvalidError as invalid:
        verdict = RuleSetVerdict(valid=False, resolved=None, faults=invalid.faults)
    return Reply(200, msgspec.json.encode(verdict))


def ruleset_problem(invalid: RuleSetInvalidError) -> Problem:
    """The problem of a rule set that cannot be played."""
    return Problem("ruleset_invalid", str(invalid), faults=[msgspec.to_builtins(fault) for fault in invalid.faults])


OPERATIONS: Final = (
    Operation(
        id="listRulesets",
        method="GET",
        path="/v1/rulesets",
        tag="rule sets",
        summary="The presets and the schema of rule sets",
        credential="none",
        answers=(AnswerKind(status=200, description="All presets, whole.", kind=RuleSetList),),
        run=list_rulesets,
    ),
    Operation(
        id="getRuleset",
        method="GET",
        path="/v1/rulesets/{name}",
        tag="rule sets",
        summary="One preset",
        credential="none",
        answers=(AnswerKind(status=200, description="The preset, whole.", kind=RuleSetShown),),
        problems=("ruleset_not_found",),
        run=get_ruleset,
    ),
    Operation(
        id="validateRuleset",
        method="POST",
        path="/v1/rulesets/validate",
        tag="rule sets",
        summary="Check a rule set and options",
        credential="none",
        body=RuleSetQuestion,
        body_example={"ruleset": "samba-official", "options": {"target": 5000}},
        answers=(AnswerKind(status=200, description="The verdict.", kind=RuleSetVerdict),),
        run=validate_ruleset,
    ),
)
