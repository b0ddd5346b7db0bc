"""The tables of settings and presets in the documentation are those of the declarations."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def program(name):
    specification = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    return loaded


tables, stubs = program("tables"), program("stubs")
PAGES = {
    path.relative_to(DOCS).as_posix(): path
    for path in sorted(DOCS.rglob("*.md"))
    if tables.BLOCK.search(path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("page", PAGES)
def test_tables_are_up_to_date(page):
    text = PAGES[page].read_text(encoding="utf-8")
    assert tables.with_tables(PAGES[page]) == text, "regenerate it: python docs/tables.py"


def test_the_types_of_functions_are_up_to_date():
    assert stubs.TARGET.read_text(encoding="utf-8") == stubs.stub(), "regenerate it: python docs/stubs.py"


def test_every_class_has_its_table():
    found = {
        match for path in PAGES.values() for _, match, *_ in tables.BLOCK.findall(path.read_text(encoding="utf-8"))
    }
    names = [*tables.METRICS, *(kind.name for kind in tables.OTHERS[1:])]
    expected = {f"settings {name}" for name in names} | {f"presets {name}" for name in tables.METRICS}
    assert found - {"overlap-presets", "defaults", "keys"} == expected - {"settings cer", "presets cer"}
