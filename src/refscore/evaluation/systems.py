"""Checks of what an evaluation is made from: the texts of systems, rows that were computed elsewhere, and labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from refscore.errors import InputError, Location
from refscore.evaluation.scoring import Block, key
from refscore.metrics import RowMetric, Rows, columns, kernel_threads
from refscore.segments import Sourced, as_array, check_sides

# The side in errors of hypotheses that are not in a dictionary of systems.
PLAIN_SIDE = "hypotheses"


def read_systems(
    systems: Any, references: Any, sources: Any, threads: int | None, unnamed: str
) -> tuple[Block, tuple[str, ...]]:
    """Return all segments as one block, and the name of the system of each run.

    Args:
        systems: The texts of each system, by name. The first system is the baseline. A list of texts is a single
            system. The texts of several runs are a dictionary with one entry per run, or a list of lists of texts.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        sources: The source of each segment, for metrics that need it.
        threads: The number of threads; all cores by default.
        unnamed: The name of a system that has none.
    """
    texts = list(sources) if isinstance(sources, Iterator) else sources
    if not isinstance(systems, Mapping):
        hypotheses, entries = _reusable(systems, references, threads)
        if entries is not None:
            check_sides(hypotheses, entries)
        return Block([hypotheses], entries, texts, sides=(PLAIN_SIDE,)), (unnamed,)
    if not systems:
        raise InputError(Location("systems"), "has 0 systems", "map the name of each system to its texts")
    entries = _reusable((), references, threads)[1]
    if not hasattr(entries, "__len__") and entries is not None:
        raise InputError(Location("references"), f"must be a sequence, not {type(entries).__name__}")
    sides: list[tuple[str, str, Any]] = []
    for name, each in systems.items():
        if not isinstance(name, str) or not name:
            raise InputError(Location("systems"), f"has the name {name!r}", "use non-empty strings as names")
        sides += [(name, *run) for run in _read_runs(each, entries, f"systems[{name!r}]")]
    read = [_reusable(hypotheses, entries, threads) for _, _, hypotheses in sides]
    block = Block([pair[0] for pair in read], read[0][1], texts, sides=[side for _, side, _ in sides])
    return block, tuple(name for name, _, _ in sides)


def _read_runs(texts: Any, references: Any, side: str) -> list[tuple[str, Any]]:
    """Return the texts of each run of a system, with their name in errors."""
    if isinstance(texts, Mapping):
        runs = [(f"{side}[{run!r}]", each) for run, each in texts.items()]
    elif _is_list_of_runs(texts, references):
        runs = [(f"{side}[{k}]", each) for k, each in enumerate(texts)]
    else:
        runs = [(side, texts)]
    if not runs:
        raise InputError(Location(side), "is empty", "pass the texts of at least one run")
    checked = []
    for place, each in runs:
        hypotheses = list(each) if isinstance(each, Iterator) else each
        if isinstance(hypotheses, str) or not hasattr(hypotheses, "__len__"):
            problem = f"must be a list of texts, not {type(hypotheses).__name__}"
            raise InputError(Location(place), problem, "pass one text per segment")
        if references is not None and len(hypotheses) != len(references):
            problem = f"has {len(hypotheses)} texts for {len(references)} segments"
            raise InputError(Location(place), problem, "pass one per segment")
        checked.append((place, hypotheses))
    return checked


def _is_list_of_runs(texts: Any, references: Any) -> bool:
    """Return whether texts are lists of texts. They could be token sequences only if references were tokens, too."""

    def first(value: Any) -> Any:
        return value[0] if isinstance(value, (list, tuple)) and value else None

    entry = first(references)
    is_text = isinstance(entry, str) or any(isinstance(item, str) for item in entry or ())
    return is_text and isinstance(first(texts), (list, tuple)) and isinstance(first(first(texts)), str)


def read_batch(
    runs: Sequence[str],
    hypotheses: Any,
    references: Any = None,
    sources: Any = None,
    *,
    threads: int | None = None,
    units: Any = None,
    groups: Mapping[str, Any] | None = None,
) -> Block:
    """Return a batch of a stream as a block, whose sides have a length and can be read several times."""
    if isinstance(references, Sourced):
        references, sources = references.references, references.sources
    if isinstance(hypotheses, Mapping):
        names = [*dict.fromkeys(runs)]
        if set(hypotheses) != set(names):
            problem, fix = "does not have the names of the systems", f"pass hypotheses for {', '.join(names)}"
            raise InputError(Location(PLAIN_SIDE), problem, fix)
        read, block_runs = read_systems({name: hypotheses[name] for name in names}, references, sources, threads, "")
        if block_runs != tuple(runs):
            problem, fix = "does not have the runs of the systems", f"pass one list each for {', '.join(runs)}"
            raise InputError(Location(PLAIN_SIDE), problem, fix)
        sides, entries, names_of_sides = read.hypotheses, read.references, read.sides
    elif len(runs) > 1:
        fix = f"pass a dictionary with hypotheses for {', '.join(dict.fromkeys(runs))}"
        raise InputError(Location(PLAIN_SIDE), "is not a dictionary, but there are several systems", fix)
    else:
        one, entries = _reusable(hypotheses, references, threads)
        if entries is not None:
            check_sides(one, entries)
        sides, names_of_sides = [one], (PLAIN_SIDE,)
    texts = list(sources) if isinstance(sources, Iterator) else sources
    unit_labels, group_labels = check_labels(units, groups, len(sides[0]))
    return Block(sides, entries, texts, unit_labels, group_labels, names_of_sides)


def _reusable(hypotheses: Any, references: Any, threads: int | None) -> tuple[Any, Any]:
    """Return both sides with a length, and readable several times: once per metric."""
    sides = {"hypotheses": hypotheses, "references": references}
    sides |= zip(sides, columns(hypotheses, references, kernel_threads(threads)), strict=True)
    for name, side in sides.items():
        array = as_array(side, Location(name))
        sides[name] = list(side) if isinstance(side, Iterator) else side if array is None else array
    return sides["hypotheses"], sides["references"]


def check_labels(
    units: Any, groups: Mapping[str, Any] | None, segments: int
) -> tuple[list[Hashable] | None, dict[str, list[Hashable]]]:
    """Return the labels of units, and those of each grouping, as lists with one label per segment."""
    from refscore.significance.inputs import label_numbers  # slow to import

    def listed(labels: Any, side: str) -> list[Hashable]:
        names, numbers = label_numbers(labels, segments, side)
        return [names[number] for number in numbers.tolist()]

    if groups is not None and not isinstance(groups, Mapping):
        raise InputError(Location("groups"), "is not a mapping", 'pass {"domain": labels} with one label per segment')
    if units is None and not groups:
        return None, {}
    return (
        None if units is None else listed(units, "units"),
        {name: listed(labels, name) for name, labels in (groups or {}).items()},
    )


def check_rows_of_runs(
    rows: Mapping[str, Any], metrics: Mapping[str, RowMetric[Any]], runs: Sequence[str], segments: int | None
) -> dict[str, Rows]:
    """Return rows that were computed elsewhere, by the key of their run and metric.

    `rows` has an array per label if there is one run, else a dictionary by system, with a list of arrays for a system
    with several runs.
    """
    checked: dict[str, Rows] = {}
    names = [*dict.fromkeys(runs)]
    for label, given in rows.items():
        if label not in metrics:
            problem, fix = "is not among the metrics", f"pass rows of {', '.join(metrics)}"
            raise InputError(Location(f"rows[{label!r}]"), problem, fix)
        by_system = given if isinstance(given, Mapping) else {names[0]: given}
        if set(by_system) != set(names):
            problem, fix = "does not have the names of the systems", f"pass rows for {', '.join(names)}"
            raise InputError(Location(f"rows[{label!r}]"), problem, fix)
        for name in names:
            indexes = [run for run, system in enumerate(runs) if system == name]
            place = f"rows[{label!r}]" + (f"[{name!r}]" if isinstance(given, Mapping) else "")
            of_runs = by_system[name]
            tables = of_runs if len(indexes) > 1 or _is_list_of_tables(of_runs) else [of_runs]
            if len(tables) != len(indexes):
                problem = f"has {len(tables)} arrays for {len(indexes)} runs"
                raise InputError(Location(place), problem, "pass one array per run")
            for index, table in zip(indexes, tables, strict=True):
                checked[key(index, label)] = metrics[label].check_rows(table, Location(place), segments=segments)
    return checked


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 1 and getattr(value[0], "ndim", 0) == 2
