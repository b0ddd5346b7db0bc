"""Evaluations as systems: a record or a harness' log may be named wherever a system's file may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from refscore.errors import InputError, Location, UnknownNameError
from refscore.evaluation import Evaluation
from refscore.evaluation.evaluation import UNNAMED
from refscore.evaluation.retained_rows import Retain
from refscore.metrics import RowMetric
from refscore.readers.formats import split_spec
from refscore.readers.harness_logs import SAMPLE, match_samples, read_system
from refscore.readers.system_scores import System

ENDING = ".refscore"


def expand_records(systems: Sequence[System], named: Sequence[bool]) -> list[System]:
    """Return the systems. Files that are records or harnesses' logs are replaced by the systems in them.

    A system without a name from the user has its name in the record, or the file's name if other systems have the same
    one or the record has none. Logs, and records of logs, have only the samples that all of them have.

    Args:
        systems: The systems.
        named: Whether the user named each system.
    """
    expanded = [each for pair in zip(systems, named, strict=True) for each in _expand(*pair)]
    names = [each.name for each, _ in expanded]
    return match_logs([each if names.count(each.name) == 1 else _renamed(each, file) for each, file in expanded])


def _renamed(system: System, name: str) -> System:
    if system.record is None or system.name == name:
        return system
    return replace(system, name=name, record=system.record.choose({name: system.name}))


def match_logs(systems: Sequence[System]) -> list[System]:
    """Return the systems, with only the samples that all logs have in records of logs."""
    logs = [(system, system.record) for system in systems if system.record and SAMPLE in system.record.groups]
    if len(logs) < 2:
        return [*systems]
    matched = iter(match_samples([record for _, record in logs], [system.name for system, _ in logs]))
    is_log = {id(system) for system, _ in logs}
    return [replace(system, record=next(matched)) if id(system) in is_log else system for system in systems]


def _expand(system: System, is_named: bool) -> list[tuple[System, str]]:
    """Return the systems of a file, each with its name if other systems have the same one."""
    path, field = split_spec(system.file)
    if path is None:
        return [(system, system.name)]
    if not str(path).endswith(ENDING):
        log = read_system(path, field, system.name)
        return [(system if log is None else replace(system, record=log), system.name)]
    record = Evaluation.load(path)
    location = Location(file=str(path))
    if field is not None and field not in record.systems:
        error = UnknownNameError.suggest("system", field, record.systems)
        raise InputError(location, f"has no such system ({error})", "choose one of them")
    chosen = record.systems if field is None else [field]
    if len(chosen) == 1:
        name = system.name if is_named or chosen[0] == UNNAMED else chosen[0]
        return [(System(name, system.file, record.choose({name: chosen[0]})), field or system.name)]
    if is_named:
        fix = f"choose one, as in {system.name}={path}:{chosen[0]}"
        raise InputError(location, f"has {len(chosen)} systems: {', '.join(chosen)}", fix)
    return [(System(name, f"{path}:{name}", record.choose([name])), name) for name in chosen]


def retained_by_all(systems: Sequence[System], retain: Retain) -> Retain:
    """Return what an evaluation must retain to be joined with the records of these systems."""
    records = [(system.file, system.record) for system in systems if system.record is not None]
    if all(record.retain == "rows" for _, record in records):
        return "rows" if records else retain
    if retain != "sums":
        file = next(file for file, record in records if record.retain != "rows")
        problem = "has no rows of all segments, which tests and intervals need"
        raise InputError(Location(file=file), problem, "save it with all rows, as `refscore stats --rows` does")
    return retain


def join_records(
    scored: Evaluation | None, systems: Sequence[System], metrics: Mapping[str, RowMetric[Any]], retain: Retain
) -> Evaluation:
    """Return the evaluation of all systems in their order: the texts that were scored, and records.

    Raise an error unless all have the same references.

    Args:
        scored: The evaluation of the systems that are texts, or None if there are none.
        systems: All systems.
        metrics: The metrics by label.
        retain: What the evaluations retain.
    """
    joined = scored
    for system in systems:
        if system.record is None:
            continue
        record = _choose(system, metrics, retain)
        try:
            joined = record if joined is None else joined | record
        except InputError as error:
            raise error.at(Location(file=system.file)) from None
    assert joined is not None
    return joined.choose([*dict.fromkeys(system.name for system in systems)])


def choose_metrics(system: System, like: Evaluation) -> Evaluation:
    """Return the evaluation of the system of a record by the metrics of another evaluation."""
    retained_by_all([system], like.retain)
    return _choose(system, like.metrics, like.retain)


def _choose(system: System, metrics: Mapping[str, RowMetric[Any]], retain: Retain) -> Evaluation:
    assert system.record is not None
    labels = [label for label, metric in metrics.items() if _has_metric(system, label, metric)]
    record = system.record.choose(metrics=labels, retain="sums" if retain == "sums" else None)
    record.notes["files"] = [system.file for _ in record.runs]
    return record


def _has_metric(system: System, label: str, metric: RowMetric[Any]) -> bool:
    """Return True, or raise an error if a record lacks a metric or has it with different settings."""
    assert system.record is not None
    location, saved = Location(file=system.file), system.record.metrics
    if label not in saved:
        problem = f"has no scores by {label} (it has: {', '.join(saved)})"
        raise InputError(location, problem, "choose other metrics, or score the texts again")
    recorded = saved[label]
    if recorded != metric and not (metric.needs_fit and _fits(recorded, metric)):
        problem = f"has different settings for {label}: {recorded.signature}, not {metric.signature}"
        raise InputError(location, problem, "leave out the metrics to use those of the record")
    return True


def _fits(recorded: RowMetric[Any], metric: RowMetric[Any]) -> bool:
    """Return whether the metric of a record is this metric with weights."""
    given = {name: getattr(metric, name) for name in metric.settings()}
    return type(recorded) is type(metric) and all(
        value is None or getattr(recorded, name) == value for name, value in given.items()
    )


def recorded_texts(system: System) -> list[str]:
    """Return the texts of the system of a record."""
    assert system.record is not None
    if system.record.texts is None:
        fix = "save it with its texts, as `refscore stats --texts` does"
        raise InputError(Location(file=system.file), "has no texts", fix)
    return [*system.record.texts.hypotheses[0]]
