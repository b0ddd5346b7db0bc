"""The model is plain data."""

import json
import pickle
import subprocess
import sys

import pytest

from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Row, Table

COLUMNS = (Column("word"), Column("count", "right"))
TABLE = Table("Words", COLUMNS, (Row(("a", "1"), "match"), Row(("b\ud800\u202e", "2"))), note="two of many")
STEPS = Steps("Title", (Heading("H"), Paragraph("P"), Formula("x", "1/2", "0.5"), TABLE), "x = 0.5")


def test_steps_are_values() -> None:
    again = pickle.loads(pickle.dumps(STEPS))
    assert again == STEPS and hash(again) == hash(STEPS)


def test_to_dict_survives_json_and_keeps_the_text_as_it_was() -> None:
    data = STEPS.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert [part["kind"] for part in data["parts"]] == ["heading", "paragraph", "formula", "table"]
    assert data["parts"][3]["rows"][1] == {"cells": ["b\ud800\u202e", "2"], "mark": None}
    assert data["parts"][3]["note"] == "two of many"


def test_a_chain_reads_like_its_terms() -> None:
    assert str(Formula.chain("BP", "a", "b", "c")) == "BP = a = b = c"
    assert Formula.chain("BP", "a") == Formula("BP", "a", None)
    with pytest.raises(ValueError, match="at least one term"):
        Formula.chain("x")


def test_neighbouring_formulas_are_one_block() -> None:
    x, y, z = (Formula(name, "1") for name in "xyz")
    steps = Steps("T", (x, y, Paragraph("1"), Paragraph("2"), z, TABLE), "")
    blocks = steps.render_blocks(str, str, lambda formulas: "".join(each.name for each in formulas), lambda _: "table")
    assert blocks == ["xy", "1", "2", "z", "table"]


def test_rich_is_imported_only_for_the_terminal() -> None:
    code = (
        "import sys, refscore.steps as s; steps = s.Steps('T', (), 'r'); str(steps), steps._repr_html_(); "
        "assert 'rich' not in sys.modules; steps.__rich__(); assert 'rich' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
