"""The mutants of a module: what cosmic-ray changes in it, without what no test could or should notice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# An arithmetic operator is replaced by its inverse and by a near relative, not by all eleven others: what notices one
# of the others notices these.
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
# A comparison by its negation and by the one that differs at equality.
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
    """A module with one change: where it is, what it was and became, and the whole source with it."""

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
    return short not in ("NoOp", "RemoveDecorator", "VariableInserter", "VariableReplacer")


class _Negations(ast.NodeTransformer):
    """Writes `not a == b` as `a != b`, so that the two are one mutant."""

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
    """Annotations, errors' texts, asserts, what only a type checker reads, order of names, `strict` of zip."""
    for node in ast.walk(tree):
        match node:
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
    """Whether a mutant asks which of two names comes first, where the module asks whether they are the same."""
    if not name.startswith("core/ReplaceComparisonOperator_") or name.endswith(("Eq", "Is", "IsNot", "In", "NotIn")):
        return False
    return any(
        isinstance(node, ast.Compare)
        and node.lineno <= line <= (node.end_lineno or 0)
        and any(isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for operator in node.ops)
        and any(isinstance(value, ast.Constant) and isinstance(value.value, str) for value in node.comparators)
        for node in ast.walk(ast.parse(mutated))
    )


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a module that count, in the order of its lines."""
    source = path.read_text(encoding="utf-8")
    aside = _places(source)
    meanings = {_meaning(source)}
    lines = source.splitlines()
    found = []
    for name in operator_names():
        if not _wanted(name):
            continue
        operator = get_operator(name)()
        positions = [place for node in ast_nodes(get_ast(source)) for place in operator.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(positions):
            if any(first <= start < last for first, last in aside):
                continue
            mutated = mutate_code(source, operator, occurrence)
            if mutated is None:
                continue
            try:
                meaning = _meaning(mutated)
            except SyntaxError:  # the `*` among parameters is taken for an operator
                continue
            if meaning in meanings or _orders_texts(name, mutated, start[0]):
                continue
            meanings.add(meaning)
            after = mutated.splitlines()
            different = next(i for i, pair in enumerate(zip(lines, after)) if pair[0] != pair[1])  # noqa: B905
            found.append(
                Mutant(name, occurrence, different + 1, lines[different].strip(), after[different].strip(), mutated)
            )
    yield from sorted(found, key=lambda mutant: (mutant.line, mutant.operator, mutant.occurrence))
