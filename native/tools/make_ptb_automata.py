"""Compile the patterns of the tokenizers `ptb` and `ptb-coco` to native/refscore/generated/ptb_automata.inc.

python native/tools/make_ptb_automata.py
"""

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from textwrap import wrap

import automata
import numpy as np
from ptb_patterns import AUTOMATA, NAMES, RULES

TOOLS = Path(__file__).parent
FILE = TOOLS.parent / "refscore" / "generated" / "ptb_automata.inc"
WIDTH = 120
NOTHING = 0xFF  # a state that accepts nothing


def array(kind: str, name: str, rows: Iterable[Iterable[object]]) -> list[str]:
    """Return the lines of an array of structs."""
    cells = " ".join("{" + ",".join(map(str, row)) + "}," for row in rows)
    return [f"constexpr {kind} {name}[] = {{", *wrap(cells, WIDTH), "};"]


def changes(state: automata.State, other: automata.State) -> list[tuple[int, int, int]]:
    """Return runs of classes whose next state is different from another state's: first class, end, next state."""
    runs: list[tuple[int, int, int]] = []
    for number, (target, before) in enumerate(zip(state.next, other.next, strict=True)):
        if target == before:
            continue
        if runs and runs[-1][1:] == (number, target):
            runs[-1] = (runs[-1][0], number + 1, target)
        else:
            runs.append((number, number + 1, target))
    return runs


def automaton_lines(name: str, states: list[automata.State]) -> list[str]:
    """Return the arrays of an automaton. A state is stored as its differences from the most similar earlier one."""
    rows: list[tuple[int, int, int]] = []
    runs: list[tuple[int, int, int]] = []
    moves = np.array([state.next for state in states])
    for i, state in enumerate(states):
        like = int((moves[:i] != moves[i]).sum(1).argmin()) if i > 0 else 0
        different = changes(state, states[like])
        rows.append((like, NOTHING if state.accepts is None else state.accepts, len(different)))
        runs += different
    return [*array("StateRow", f"k{name}States", rows), *array("StateChange", f"k{name}Changes", runs)]


def lines() -> list[str]:
    """Return the lines of the file."""
    alphabet = {
        letter: frozenset(unit for first, last in ranges for unit in range(first, last + 1))
        for letter, ranges in json.loads((TOOLS / "ptb_alphabet.json").read_text()).items()
    }
    patterns = [(AUTOMATA.index(rule.automaton), rule.pattern) for rule in RULES]
    compiled = automata.compile_patterns(alphabet, NAMES, patterns)
    classes = compiled.classes
    bounds = [0, *(unit for unit, (one, other) in enumerate(pairwise(classes), 1) if one != other)]
    written = [
        "// Made by native/tools/make_ptb_automata.py; do not edit.",
        f"constexpr size_t kClasses = {max(classes) + 1};",
    ]
    written += array("ClassRun", "kClassRuns", ((unit, classes[unit]) for unit in bounds))
    written += array("Rule", "kRuleList", ((f"Form::{rule.form}", f"Cut::{rule.cut}") for rule in RULES))
    for name, states in zip(AUTOMATA, compiled.automata, strict=True):
        written += automaton_lines(name, states)
    return written


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n")
