"""The shape of the house, read from the source text: layers, sizes and names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PURE_STDLIB = {
    "abc", "array", "ast", "base64", "binascii", "bisect", "collections", "contextlib", "copy", "dataclasses",
    "datetime", "decimal", "enum", "fractions", "functools", "hashlib", "heapq", "hmac", "itertools", "json", "math",
    "operator", "re",
    "statistics", "string", "struct", "types", "typing",
}  # fmt: skip
PURE_PACKAGES = {"domain", "msgspec", "gacrux", "openskill"}
"""Beside msgspec only what computes: FIDE's pairings and tie-breaks, ratings."""
LOADED_LATE = {"gacrux", "openskill"}
"""They take long to load, so they are imported where they are needed, and the service starts quickly."""

FILE_LINES_MAX = 350
FUNCTION_LINES_MAX = 75
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def imported_packages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every import in the file, those inside functions too: line and first part of the module's name."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name.split(".")[0]) for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield node.lineno, module.split(".")[0]
            case ast.Call(func=ast.Name(id="__import__")):
                yield node.lineno, "__import__"


def long_functions(tree: ast.Module) -> Iterator[tuple[int, str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES_MAX:
                yield node.lineno, node.name, length


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def impure_imports(tree: ast.Module) -> list[tuple[int, str]]:
    allowed = PURE_STDLIB | PURE_PACKAGES
    return [(line, name) for line, name in imported_packages(tree) if name not in allowed]


def test_the_domain_never_asks_what_time_it_is() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("domain")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"now", "utcnow", "today"}
    ]
    assert not found


def test_packages_that_load_slowly_are_imported_inside_functions() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("domain", "service")
        for node in parsed(path).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        if name.split(".")[0] in LOADED_LATE
    ]
    assert not found


def test_the_domain_imports_nothing_but_pure_modules_and_itself() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sources("domain")
        for line, name in impure_imports(parsed(path))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "import os.path",
        "from service import settings",
        "def f():\n    from time import time",
        "async def f():\n    import asyncio as a",
        "__import__('socket')",
    ],
)
def test_the_import_rule_sees_every_way_of_importing(text: str) -> None:
    assert len(impure_imports(ast.parse(text))) == 1


def test_nothing_of_the_product_imports_the_tests() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources("domain", "service")
        for line, name in imported_packages(parsed(path))
        if name in {"tests", "pytest", "hypothesis", "schemathesis"}
    ]
    assert found == []


def test_files_stay_short() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources("domain", "service")}
    assert {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > FILE_LINES_MAX} == {}


def test_functions_stay_short() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}: {length} lines"
        for path in sources("domain", "service")
        for line, name, length in long_functions(parsed(path))
    ]
    assert found == []


def test_files_and_folders_are_named_for_what_they_hold() -> None:
    vague = [
        path
        for path in sources("domain", "service", "tests")
        if VAGUE_NAMES & set(path.relative_to(ROOT).with_suffix("").parts)
    ]
    assert vague == []
