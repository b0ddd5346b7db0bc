"""Generated files are up to date: tables in the documentation, types of functions, automata of kernels."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS, TOOLS = ROOT / "docs", ROOT / "native" / "tools"


def program(name, folder=DOCS):
    specification = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    loaded = importlib.util.module_from_spec(specification)
    sys.modules[name] = loaded  # dataclasses look their module up
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
    expected = {f"settings {name}" for name in names} | {
        f"presets {name}" for name, kind in tables.METRICS.items() if kind.presets
    }
    assert found - {"overlap-presets", "defaults", "keys"} == expected - {"settings cer", "presets cer"}


@pytest.mark.slow
def test_the_automata_of_ptb_are_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    make = program("make_ptb_automata", TOOLS)
    assert make.FILE.read_text(encoding="utf-8").splitlines() == make.lines(), f"regenerate it: python {make.__file__}"


PATTERN_MATCHES = {
    r"a.b?": ["a.", "A.", "a.B", "A.b"],
    r"[ab]c{2,3}|<vowel>+x": ["acc", "bccc", "ex", "eeox", "EX"],
    r"k\?": ["k?", "K?", "\u212a?"],
    r"[^\u0001-\uffff]": ["\0"],
    r"(\d|-)*\t": ["\t", "-\t", "4-2\t"],
}


@pytest.mark.parametrize("pattern", PATTERN_MATCHES)
def test_automata_accept_what_patterns_describe(pattern):
    automata = program("automata", TOOLS)
    digits = frozenset(map(ord, "0123456789"))
    compiled = automata.compile_patterns({"d": digits}, {"vowel": "e|o"}, [(0, pattern)])

    def accepts(text):
        state = 1
        for character in text:
            state = compiled.automata[0][state].next[compiled.classes[ord(character)]]
        return compiled.automata[0][state].accepts == 0

    texts = {text for texts in PATTERN_MATCHES.values() for text in texts} | {"", "a", "ab", "acccc", "xe", "4\t4"}
    assert {text for text in texts if accepts(text)} == set(PATTERN_MATCHES[pattern])


@pytest.mark.parametrize("pattern", ["(a", "a)", "[a", "<a", "<unknown>", "a{1}", "\\", "\\u12", "[", "a{"])
def test_wrong_patterns_are_refused(pattern):
    automata = program("automata", TOOLS)
    with pytest.raises(ValueError, match="pattern"):
        automata.compile_patterns({}, {}, [(0, pattern)])
