"""The model: what it accepts, what it refuses, and that it is data."""

import doctest
import importlib
import json
import pickle
import subprocess
import sys
from collections.abc import Callable

import pytest

import refscore.steps
from refscore.steps import Column, Formula, Heading, Paragraph, Row, Steps, Table

COLUMNS = (Column("word"), Column("count", "right"))
TABLE = Table("Words", COLUMNS, (Row(("a", "1"), "match"), Row(("b\ud800\u202e", "2"))), note="two of many")
STEPS = Steps("Title", (Heading("H"), Paragraph("P"), Formula("x", "1/2", "0.5"), TABLE), "x = 0.5")


@pytest.mark.parametrize("cells", [(), ("a",), ("a", "1", "2")])
def test_a_row_must_fit_the_columns(cells: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"'Words': rows\[1\] has .* there are 2 columns"):
        Table("Words", COLUMNS, (Row(("a", "1")), Row(cells)))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Column("a", "middle"), "left, right, center, got 'middle'"),  # type: ignore[arg-type]
        (lambda: Row(("a",), "maybe"), "match, partial, miss, got 'maybe'"),  # type: ignore[arg-type]
        (lambda: Table("T", (), ()), "'T' has no columns"),
        (lambda: Formula.chain("x"), "at least one term"),
    ],
)
def test_bad_values_are_named(build: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Row("ab"), "must be a tuple of str, got 'ab'"),  # type: ignore[arg-type]
        (lambda: Row(("a", 1)), r"cells\[1\] must be str, got 1"),  # type: ignore[arg-type]
        (lambda: Table("T", ("a",), ()), r"columns\[0\] must be Column, got 'a'"),  # type: ignore[arg-type]
        (lambda: Steps("T", ("text",), ""), r"parts\[0\] must be Heading or Paragraph or Formula or Table"),  # type: ignore[arg-type]
    ],
)
def test_wrong_types_are_named(build: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        build()


def test_steps_are_values() -> None:
    same = Steps("Title", list(STEPS.parts), "x = 0.5")  # type: ignore[arg-type]
    assert same == STEPS and hash(same) == hash(STEPS)
    assert pickle.loads(pickle.dumps(STEPS)) == STEPS
    with pytest.raises(AttributeError):
        STEPS.title = "other"  # type: ignore[misc]


def test_to_dict_survives_json_and_keeps_the_text_as_it_was() -> None:
    data = STEPS.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert [part["kind"] for part in data["parts"]] == ["heading", "paragraph", "formula", "table"]
    assert data["parts"][3]["rows"][1] == {"cells": ["b\ud800\u202e", "2"], "mark": None}
    assert data["parts"][3]["note"] == "two of many"


def test_a_chain_reads_like_its_terms() -> None:
    assert str(Formula.chain("BP", "a", "b", "c")) == "BP = a = b = c"
    assert Formula.chain("BP", "a") == Formula("BP", "a", None)


def test_neighbouring_formulas_are_one_block() -> None:
    x, y, z = (Formula(name, "1") for name in "xyz")
    first, second = Paragraph("1"), Paragraph("2")
    steps = Steps("T", (x, y, first, second, z), "")
    assert list(steps.blocks()) == [(x, y), first, second, (z,)]


def test_every_public_name_has_a_docstring_with_an_example() -> None:
    for name in refscore.steps.__all__:
        assert ">>>" in (getattr(refscore.steps, name).__doc__ or ""), name
    assert set(refscore.steps.__all__) <= set(dir(refscore.steps))
    with pytest.raises(AttributeError, match="render_pdf"):
        refscore.steps.render_pdf  # noqa: B018


@pytest.mark.parametrize("name", ["visible", "table", "model", "plain", "terminal", "html"])
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"refscore.steps.{name}"))
    assert results.attempted and not results.failed


def test_rich_is_imported_only_for_the_terminal() -> None:
    code = (
        "import sys, refscore.steps as s; steps = s.Steps('T', (), 'r'); str(steps), steps._repr_html_(); "
        "assert 'rich' not in sys.modules; steps.__rich__(); assert 'rich' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
