"""Changes of the whole engine that must not be seen in any game: orders turned round, classes named otherwise."""

import ast
import io
import tokenize
from collections.abc import Collection
from pathlib import Path


def turned_round(text: str) -> str:
    """The same module with every order turned round that is none of the formats.

    Choices of every `Literal`, members of every enum and union, entries of every dict that is written out, fields of
    every Struct that is made by keyword. Lists and tuples keep their order, since that is theirs to have.
    """
    return ast.unparse(ast.fix_missing_locations(_TurnedRound().visit(ast.parse(text)))) + "\n"


class _TurnedRound(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "Literal" and isinstance(node.slice, ast.Tuple):
            node.slice.elts.reverse()
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        if None not in node.keys:
            node.keys.reverse()
            node.values.reverse()
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        members = _members(node.value)
        if members is not None and len(members) > 1:
            union = members[-1]
            for member in members[-2::-1]:
                union = ast.BinOp(union, ast.BitOr(), member)
            node.value = union
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        by_keyword = any(keyword.arg == "kw_only" for keyword in node.keywords)
        is_enum = any(isinstance(base, ast.Name) and base.id.endswith("Enum") for base in node.bases)
        if by_keyword or is_enum:
            # What describes a field stands below it, and is left out with it.
            described = [statement for statement in node.body[1:] if not _is_text(statement)]
            fields = [statement for statement in described if isinstance(statement, ast.AnnAssign | ast.Assign)]
            others = [statement for statement in described if statement not in fields]
            node.body = [node.body[0], *fields[::-1], *others]
        return node


def _members(value: ast.expr) -> list[ast.expr] | None:
    """The members of a union of names; None for anything else."""
    match value:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            first, last = _members(left), _members(right)
            return None if first is None or last is None else [*first, *last]
        case ast.Name() | ast.Attribute():
            return [value]
        case _:
            return None


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def classes_of(*files: Path) -> set[str]:
    """The names of the classes that files define."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def renamed(text: str, names: Collection[str]) -> str:
    """The same module with other names for some classes, wherever they stand in the code."""
    tokens = [
        token._replace(string=_other(token, names)) for token in tokenize.generate_tokens(io.StringIO(text).readline)
    ]
    # Without positions the tokens are put down anew, so that longer names have room.
    return tokenize.untokenize([(token.type, token.string) for token in tokens])


def _other(token: tokenize.TokenInfo, names: Collection[str]) -> str:
    if token.type == tokenize.NAME and token.string in names:
        return f"Other{token.string[::-1]}"
    if token.type == tokenize.STRING and token.string[1:-1] in names:
        return f"{token.string[0]}Other{token.string[-2:0:-1]}{token.string[0]}"
    return token.string
