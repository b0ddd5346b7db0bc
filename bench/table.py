"""Print results as a table (with rich in a terminal, plain in a pipe) or as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from . import machine, peers
from .data import Corpus
from .timing import Result, Task

_PLAIN_WIDTH = 140

_METHOD = """\
Method: all contestants use the same data in the same process and take turns in every round; the best round is shown.
Every sample gets new string objects, and sacrebleu's tokenizer caches are emptied before it. The garbage collector is
off. Values are compared (to 1e-9) in an untimed first round. Ratio: how many times faster (or smaller) refscore's first
line is at the same number of threads; a tool without threads has one figure for both. Treat gaps under 2x as ties."""

Outcome = tuple[Task, list[Result]]


def _by_name(results: list[Result]) -> dict[str, dict[str, Result]]:
    names: dict[str, dict[str, Result]] = {}
    for result in results:
        names.setdefault(result.contestant.name, {})[result.contestant.threads] = result
    return names


def _ratio(task: Task, ours: Result | None, theirs: Result | None) -> float | None:
    if ours is None or theirs is None or not ours.samples or not theirs.samples or ours.best <= 0:
        return None
    return theirs.best / ours.best


def _number(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


def _cells(task: Task, name: str, who: dict[str, Result], first: dict[str, Result]) -> list[str]:
    one, every = who.get("1"), who.get("all")
    if one is not None and one.contestant.sample is None:
        return [f"{name}: {peers.MISSING}"]
    figures = [_number(task.shown(result.best)) if result is not None else "" for result in (one, every)]
    if who is first:
        return [name, *figures, "", ""]
    ratios = (_ratio(task, first.get("1"), one), _ratio(task, first.get("all"), every or one))
    return [name, *figures, *("" if ratio is None else f"{_number(ratio)}x" for ratio in ratios)]


def show(corpus: Corpus, outcomes: list[Outcome], repeat: int) -> None:
    """Print the table and its notes."""
    console = Console()
    terminal = console.is_terminal
    if not terminal:
        console = Console(width=_PLAIN_WIDTH, color_system=None)
    table = Table(box=box.SIMPLE_HEAD if terminal else None, pad_edge=False)
    table.add_column("task, contestant")
    for heading in ("1 thread", "all cores", "ratio, 1", "ratio, all"):
        table.add_column(heading, justify="right", no_wrap=True)
    notes: dict[str, list[str]] = {}
    for task, results in outcomes:
        table.add_row(Text(f"{task.title}, {task.unit}  [{task.name}]", style="bold"))
        by_name = _by_name(results)
        first = next(iter(by_name.values()))
        for name, who in by_name.items():
            table.add_row(*(Text(cell) for cell in _cells(task, f"  {name}", who, first)))
            for note in filter(None, (result.contestant.note for result in who.values())):
                notes.setdefault(f"{name}, {note}", []).append(task.name)
        table.add_section()
    versions = ", ".join(f"{name} {version}" for name, version in peers.versions().items())
    size = f"{len(corpus.hypotheses)} segments, references of each: {corpus.reference_count}"
    heading = f"{corpus.name}: {size}; best of {repeat}"
    for line in (heading, machine.line(), versions, ""):
        console.print(Text(line))
    console.print(table)
    for line in ("", " ".join(_METHOD.split()), *(f"{note} [{', '.join(names)}]" for note, names in notes.items())):
        console.print(Text(line))


def warn(outcomes: list[Outcome]) -> bool:
    """Report values that differ from refscore's on standard error. Return whether there are any."""
    found = [(task, result) for task, results in outcomes for result in results if result.mismatch]
    console = Console(stderr=True, soft_wrap=True)
    for task, result in found:
        who = f"{result.contestant.name}, threads {result.contestant.threads}"
        console.print(Text(f"!!! {task.name}: {who}: {result.mismatch}", style="bold red"))
    return bool(found)


def dump(corpus: Corpus, outcomes: list[Outcome], repeat: int, seed: int) -> None:
    """Print everything as JSON."""
    document: dict[str, Any] = {
        "corpus": corpus.name,
        "segments": len(corpus.hypotheses),
        "references": corpus.reference_count,
        "repeat": repeat,
        "seed": seed,
        **machine.describe(),
        "versions": peers.versions(),
        "method": " ".join(_METHOD.split()),
        "tasks": [_task(task, results) for task, results in outcomes],
    }
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    print()


def _task(task: Task, results: list[Result]) -> dict[str, Any]:
    names = _by_name(results)
    first = next(iter(names.values()))
    rows = []
    for result in results:
        row: dict[str, Any] = {"name": result.contestant.name, "threads": result.contestant.threads}
        if result.samples:
            row["best"] = task.shown(result.best)
            row["median"] = task.shown(result.median)
            row["samples"] = [task.shown(sample) for sample in result.samples]
            row["ratio"] = _ratio(task, first.get(result.contestant.threads), result)
        else:
            row["missing"] = peers.MISSING
        if result.contestant.note:
            row["note"] = result.contestant.note
        row["mismatch"] = result.mismatch or None
        rows.append(row)
    return {"name": task.name, "title": task.title, "unit": task.unit, "contestants": rows}
