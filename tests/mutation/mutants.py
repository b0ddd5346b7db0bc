"""The mutants of a module: cosmic-ray's changes, without those that no test could or should notice."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

# An arithmetic operator is replaced by its inverse and a similar operator, not by all eleven others: a test that
# notices one of the others also notices these.
BINARY = {
    "Add": ("Sub", "Mul"),
    "Sub": ("Add", "Mul"),
    "Mul": ("Div", "Add"),
    "Div": ("Mul", "FloorDiv"),
    "FloorDiv": ("Div", "Mul"),
    "Mod": ("Mul", "FloorDiv"),
    "Pow": ("Mul", "Div"),
    "LShift": ("RShift",),
    "RShift": ("LShift",),
    "BitAnd": ("BitOr",),
    "BitOr": ("BitAnd",),
    "BitXor": ("BitAnd",),
}
# A comparison is replaced by its negation and by the one that differs at equality.
COMPARISON = {
    "Lt": ("LtE", "GtE"),
    "LtE": ("Lt", "Gt"),
    "Gt": ("GtE", "LtE"),
    "GtE": ("Gt", "Lt"),
    "Eq": ("NotEq", "LtE", "GtE"),
    "NotEq": ("Eq", "Lt", "Gt"),
    "Is": ("IsNot",),
    "IsNot": ("Is",),
    "In": ("NotIn",),
    "NotIn": ("In",),
}


@dataclass(frozen=True)
class Mutant:
    """A module with one change: its location, the old and new code, and the whole changed source."""

    operator: str
    occurrence: int
    line: int
    before: str
    after: str
    source: str


def _wanted(name: str) -> bool:
    short = name.removeprefix("core/")
    for family, kept in (("ReplaceBinaryOperator_", BINARY), ("ReplaceComparisonOperator_", COMPARISON)):
        if short.startswith(family):
            was, _, becomes = short.removeprefix(family).partition("_")
            return becomes in kept.get(was, ())
    if short.startswith("ReplaceUnaryOperator_"):
        return "Delete" in short
    return short not in ("NoOp", "RemoveDecorator", "VariableInserter", "VariableReplacer")


class _Negations(ast.NodeTransformer):
    """Rewrite `not a == b` as `a != b`, so both count as one mutant."""

    OPPOSITES: ClassVar[dict[type[ast.cmpop], type[ast.cmpop]]] = {
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
        ast.Is: ast.IsNot,
        ast.IsNot: ast.Is,
        ast.In: ast.NotIn,
        ast.NotIn: ast.In,
        ast.Lt: ast.GtE,
        ast.GtE: ast.Lt,
        ast.Gt: ast.LtE,
        ast.LtE: ast.Gt,
    }

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[operator], comparators=[right])):
                return ast.Compare(left, [self.OPPOSITES[type(operator)]()], [right])
            case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=operand)):
                return operand
        return node


def _meaning(source: str) -> str:
    return ast.dump(_Negations().visit(ast.parse(source)))


def _set_aside(tree: ast.Module) -> Iterator[ast.AST]:
    """Return annotations, error texts, asserts, code for type checkers, and `strict` of zip."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(decorator_list=[ast.Name(id="overload")]):
                yield node
            case ast.arg(annotation=annotation) if annotation:
                yield annotation
            case ast.FunctionDef(returns=returns) if returns:
                yield returns
            case ast.AnnAssign(annotation=annotation):
                yield annotation
            case ast.Raise() | ast.Assert():
                yield node
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node.test
            case ast.keyword(arg="strict", value=value):
                yield value


def _places(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    found = []
    for node in _set_aside(ast.parse(source)):
        assert isinstance(node, (ast.expr, ast.stmt)) and node.end_lineno is not None
        assert node.end_col_offset is not None
        found.append(((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)))
    return found


def _orders_texts(name: str, mutated: str, line: int) -> bool:
    """Return whether a mutant compares the order of two names where the module tests equality."""
    if not name.startswith("core/ReplaceComparisonOperator_") or name.endswith(("Eq", "Is", "IsNot", "In", "NotIn")):
        return False
    return any(
        isinstance(node, ast.Compare)
        and node.lineno <= line <= (node.end_lineno or 0)
        and any(isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for operator in node.ops)
        and any(isinstance(value, ast.Constant) and isinstance(value.value, str) for value in node.comparators)
        for node in ast.walk(ast.parse(mutated))
    )


def _only_positional(source: str) -> int:
    nodes = ast.walk(ast.parse(source))
    return sum(len(node.args.posonlyargs) for node in nodes if isinstance(node, ast.FunctionDef))


def _chunks(source: str) -> Iterator[tuple[int, int]]:
    """Return the lines of each statement of the module and its classes: small, so changing them is fast."""
    for node in ast.parse(source).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in inner:
            decorators = getattr(part, "decorator_list", [])
            yield min(item.lineno for item in (part, *decorators)) - 1, part.end_lineno or part.lineno


def mutants(path: Path) -> Iterator[Mutant]:
    """Return all relevant mutants of a module, ordered by line."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    operators = [(name, get_operator(name)()) for name in operator_names() if _wanted(name)]
    for begin, end in _chunks(source):
        chunk = lines[begin:end]
        plain = textwrap.dedent("\n".join(chunk)) + "\n"
        margin = chunk[0][: len(chunk[0]) - len(chunk[0].lstrip())]
        found = []
        for name, occurrence, changed in _changes(plain, operators):
            own = [margin + line if line else line for line in changed.splitlines()]
            at = next(i for i, (old, new) in enumerate(zip(chunk, own, strict=False)) if old.strip() != new.strip())
            whole = "\n".join([*lines[:begin], *own, *lines[end:], ""])
            found.append(Mutant(name, occurrence, begin + at + 1, chunk[at].strip(), own[at].strip(), whole))
        yield from sorted(found, key=lambda mutant: (mutant.line, mutant.operator, mutant.occurrence))


def _changes(source: str, operators: list[tuple[str, Operator]]) -> Iterator[tuple[str, int, str]]:
    """Return the distinct changed texts of a statement, by operator and number."""
    aside = _places(source)
    meanings = {_meaning(source)}
    for name, operator in operators:
        positions = [place for node in ast_nodes(get_ast(source)) for place in operator.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(positions):
            if any(first <= start < last for first, last in aside):
                continue
            changed = mutate_code(source, operator, occurrence)
            if changed is None:
                continue
            try:
                meaning = _meaning(changed)
            except SyntaxError:
                continue
            # The `*` among parameters is mistaken for an operator.
            if _only_positional(changed) or meaning in meanings or _orders_texts(name, changed, start[0]):
                continue
            meanings.add(meaning)
            yield name, occurrence, changed
