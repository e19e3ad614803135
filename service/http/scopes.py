"""What a token may ask for: every operation names the scope that it needs, and a narrowed token stays where it belongs.

This is decided before anything of an operation runs. What it needs of the game itself, that a seat is the one to which
a token is narrowed, is in `access`.
"""

from service.http.operations import Operation
from service.http.problems import Problem
from service.principals import Principal


def admit(operation: Operation, principal: Principal, path: dict[str, str]) -> None:
    """Raises `Problem` where the token may not ask for the operation, or not for what the path names."""
    if operation.scope == "any":
        return
    if operation.scope not in principal.scopes:
        raise scope_missing(str(operation.scope), principal)
    if principal.narrowed and (
        operation.beyond or not principal.within(path.get("game_id"), path.get("tournament_id"))
    ):
        raise outside_of_token(principal)


def need(principal: Principal, scope: str) -> None:
    """Raises `Problem` where the token lacks a scope that only some requests of an operation need."""
    if scope not in principal.scopes:
        raise scope_missing(scope, principal)


def scope_missing(needed: str, principal: Principal) -> Problem:
    """The problem of a token that may do other things only."""
    return Problem(
        "scope_missing",
        f"This needs a token with the scope `{needed}`.",
        params={"needed": needed, "scopes": sorted(principal.scopes)},
    )


def outside_of_token(principal: Principal) -> Problem:
    """The problem of a token that is good for something else only."""
    narrowing = {"game": principal.game, "seat": principal.seat, "tournament": principal.tournament}
    given = {name: value for name, value in narrowing.items() if value is not None}
    told = ", ".join(f"{name} {value}" for name, value in given.items())
    return Problem("outside_of_token", f"The token is good for {told} only.", params=given)


def told(operation: Operation) -> str:
    """What an operation needs of a token, for its description; nothing where it takes none."""
    if operation.credential == "none":
        return ""
    if operation.scope == "any":
        return "Any valid token will do."
    needed = f"the scope `{operation.scope}`"
    beyond = ", not narrowed to a game or tournament" if operation.beyond else ""
    if operation.credential == "optional":
        return f"A token that is sent along needs {needed}{beyond}."
    return f"Needs a token with {needed}{beyond}."
