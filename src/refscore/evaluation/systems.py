"""Checks of what an evaluation is made from: the texts of systems, rows that were computed elsewhere, and labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from refscore.errors import InputError, Location, check_instance
from refscore.evaluation.scoring import Block, Key
from refscore.inputs import Input, Side, check_sizes, is_list, read_side, streams_hint
from refscore.metrics import RowMetric, Rows, kernel_threads

# The side in errors of hypotheses that are not in a dictionary of systems.
PLAIN_SIDE = "hypotheses"


def check_names(systems: Any) -> tuple[str, ...]:
    names = () if isinstance(systems, str) or not isinstance(systems, Iterable) else tuple(systems)
    if not names:
        raise InputError(Location("systems"), "is not a list of names", 'pass a list, such as ["old", "new"]')
    for name in names:
        if not isinstance(name, str) or not name:
            raise InputError(Location("systems"), f"has the name {name!r}", "use non-empty strings as names")
    return names


def read_systems(
    systems: Any, references: Any, sources: Any, threads: int | None, unnamed: str
) -> tuple[Block, tuple[str, ...]]:
    """Return all segments as one block, and the name of the system of each run.

    Args:
        systems: The texts of each system, by name. The first system is the baseline. A list of texts is a single
            system. The texts of several runs are a dictionary with one entry per run, or a list of lists of texts.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        sources: The source of each segment, for metrics that need it.
        threads: The number of threads, by default all cores.
        unnamed: The name of a system that has none.
    """
    if not isinstance(systems, Mapping):
        given = _read(systems, references, sources, threads)
        read = None if references is None else given.references
        return Block([given.hypotheses], read, given.sources, sides=(PLAIN_SIDE,)), (unnamed,)
    if not systems:
        raise InputError(Location("systems"), "has 0 systems", "map the name of each system to its texts")
    entries = None if references is None else read_side(references)
    segments = None if entries is None else entries.size
    if entries is not None and segments is None:
        raise InputError(Location("references"), f"must be a sequence, not {type(references).__name__}")
    sides: list[tuple[str, str, Side]] = []
    check_names(systems)
    for name, each in systems.items():
        sides += [(name, *run) for run in _read_runs(each, entries, segments, f"systems[{name!r}]")]
    first, count = Input(sides[0][2], entries, sources), kernel_threads(threads)
    first.read_all(count)
    hypotheses = [each.read(side, count) for _, side, each in sides]
    read = None if references is None else first.references
    block = Block(hypotheses, read, first.sources, sides=[side for _, side, _ in sides])
    return block, tuple(name for name, _, _ in sides)


def _read_runs(texts: Any, references: Side | None, segments: int | None, side: str) -> list[tuple[str, Side]]:
    """Return the texts of each run of a system, with their name in errors. `segments` is their expected number."""
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
        hypotheses = read_side(each)
        size = hypotheses.size
        if size is None:
            problem = f"must be a list of texts, not {type(each).__name__}"
            raise InputError(Location(place), problem, "pass one text per segment")
        if segments not in (None, size):
            hint = streams_hint(references.value, size) if references is not None and references.is_list else ""
            problem = f"has {size} texts for {segments} segments"
            raise InputError(Location(place), problem, f"pass one per segment{hint}")
        checked.append((place, hypotheses))
    return checked


def _is_list_of_runs(texts: Any, references: Side | None) -> bool:
    """Return whether texts are lists of texts. They could be token sequences only if references were tokens, too."""
    entry = _first_of_list(None if references is None else references.value)
    is_text = isinstance(entry, str) or (isinstance(entry, Iterable) and any(isinstance(item, str) for item in entry))
    return is_text and isinstance(_first_of_list(_first_of_list(texts)), str)


def _first_of_list(value: Any) -> Any:
    return value[0] if is_list(value) and value else None


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
    if isinstance(hypotheses, Mapping):
        names = [*dict.fromkeys(runs)]
        if set(hypotheses) != set(names):
            problem, fix = "does not have the names of the systems", f"pass hypotheses for {', '.join(names)}"
            raise InputError(Location(PLAIN_SIDE), problem, fix)
        read, block_runs = read_systems({name: hypotheses[name] for name in names}, references, sources, threads, "")
        if block_runs != tuple(runs):
            problem, fix = "does not have the runs of the systems", f"pass one list each for {', '.join(runs)}"
            raise InputError(Location(PLAIN_SIDE), problem, fix)
        sides, entries, texts, names_of_sides = read.hypotheses, read.references, read.sources, read.sides
    elif len(runs) > 1:
        fix = f"pass a dictionary with hypotheses for {', '.join(dict.fromkeys(runs))}"
        raise InputError(Location(PLAIN_SIDE), "is not a dictionary, but there are several systems", fix)
    else:
        given = _read(hypotheses, references, sources, threads)
        sides, entries, texts, names_of_sides = [given.hypotheses], given.references, given.sources, (PLAIN_SIDE,)
    unit_labels, group_labels = check_labels(units, groups, read_side(sides[0]).size or 0)
    return Block(sides, entries, texts, unit_labels, group_labels, names_of_sides)


def _read(hypotheses: Any, references: Any, sources: Any, threads: int | None) -> Input:
    """Return all sides after reading columns, with a length, and readable several times: once per metric."""
    given, count = Input(hypotheses, references, sources), kernel_threads(threads)
    given.read_all(count)
    if references is not None:
        check_sizes(given)
    return given


def check_labels(
    units: Any, groups: Mapping[str, Any] | None, segments: int
) -> tuple[list[Hashable] | None, dict[str, list[Hashable]]]:
    def listed(labels: Any, side: str) -> list[Hashable]:
        from refscore.significance.inputs import label_numbers  # slow to import

        names, numbers = label_numbers(labels, segments, side)
        return [names[number] for number in numbers.tolist()]

    if groups is not None and not isinstance(groups, Mapping):
        raise InputError(Location("groups"), "is not a mapping", 'pass {"domain": labels} with one label per segment')
    if units is None and not groups:
        return None, {}
    for name in groups or ():
        check_instance("groups", name, str, "name each grouping by a string")
    return (
        None if units is None else listed(units, "units"),
        {name: listed(labels, name) for name, labels in (groups or {}).items()},
    )


def check_rows_of_runs(
    rows: Mapping[str, Any], metrics: Mapping[str, RowMetric[Any]], runs: Sequence[str], segments: int | None
) -> dict[Key, Rows]:
    """Return rows that were computed elsewhere, by the key of their run and metric.

    `rows` has an array per label if there is one run, else a dictionary by system, with a list of arrays for a system
    with several runs.
    """
    checked: dict[Key, Rows] = {}
    names = [*dict.fromkeys(runs)]
    check_instance("rows", rows, Mapping, "map the labels of metrics to their rows")
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
                checked[index, label] = metrics[label].check_rows(table, Location(place), segments=segments)
    return checked


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 1 and getattr(value[0], "ndim", 0) == 2
