"""Choose systems and metrics of an evaluation, and join the systems of two evaluations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from refscore.errors import InputError

if TYPE_CHECKING:
    from refscore.evaluation.evaluation import Evaluation


def choose(
    evaluation: Evaluation,
    systems: Sequence[str] | Mapping[str, str] | None,
    metrics: Sequence[str] | None,
    retain: Literal["sums"] | None,
) -> Evaluation:
    """Return the evaluation of some systems by some metrics. Takes the arguments of `Evaluation.choose`."""
    named = evaluation.systems if systems is None else systems
    names = named if isinstance(named, Mapping) else dict(zip(named, named, strict=True))
    runs = [(new, run) for new, old in names.items() for run in evaluation.run_indexes(old)]
    labels = {each: evaluation._label(each) for each in (evaluation.metrics if metrics is None else metrics)}
    chosen = type(evaluation)(
        {label: evaluation.metrics[label] for label in labels},
        [new for new, _ in runs],
        retain="sums" if retain is not None else evaluation.retain,
        seed=0,
    )
    chosen.titles = {label: evaluation.titles[label] for label in labels}
    chosen.segment_metrics = {label: evaluation.segment_metrics[label] for label in labels}
    chosen.ignored_warnings, chosen._found = evaluation.ignored_warnings, [*evaluation._found]
    chosen.units, chosen.groups = evaluation.units, dict(evaluation.groups)
    chosen._versions = {*evaluation._versions}
    chosen.segments, chosen.reference_counts = evaluation.segments, evaluation.reference_counts
    chosen.notes = {**evaluation.notes}
    if len(evaluation.files) == len(evaluation.runs):
        chosen.notes["files"] = [evaluation.files[run][1] for _, run in runs]
    digests = evaluation.digests
    chosen._digests = replace(digests, hypotheses=tuple(digests.hypotheses[run] for _, run in runs))
    if evaluation.texts is not None:
        texts = [evaluation.texts.hypotheses[run] for _, run in runs]
        chosen.texts = replace(evaluation.texts, hypotheses=texts, sides=())
    keys = {(new, label): (run, label) for new, (_, run) in enumerate(runs) for label in labels}
    chosen._sums = {key: evaluation._sums[old].copy() for key, old in keys.items()}
    chosen._totals = {key: evaluation._totals[old] for key, old in keys.items()}
    if chosen._retained is not None and evaluation._retained is not None:
        rows = {key: evaluation._retained.rows(old) for key, old in keys.items()}
        chosen._retained.join(evaluation._retained, evaluation._retained, rows)
    return chosen


def join_systems(first: Evaluation, second: Evaluation) -> Evaluation:
    """Return the evaluation of both evaluations' systems, which have the same references."""
    first._check_same(second, ("metrics", "retain", "segments"))
    shared = sorted({*first.runs} & {*second.runs})
    if shared:
        raise InputError(None, f"both evaluations have a system {shared[0]!r}", "give the systems different names")
    shared_groups = first.groups.keys() & second.groups.keys()
    is_different = {
        "units": first.units and second.units and first.units != second.units,
        "groups": any(first.groups[name] != second.groups[name] for name in shared_groups),
    }
    for name in filter(is_different.get, is_different):
        raise InputError(None, f"the evaluations have different {name}", "use the same labels for both")
    joined = first._copy_for((*first.runs, *second.runs))
    joined.segments, joined._digests = first.segments, first.digests.beside(second.digests)
    joined.reference_counts = first.reference_counts or second.reference_counts
    joined.units, joined.groups = first.units or second.units, first.groups | second.groups
    if first.texts is not None and second.texts is not None:
        both = [*first.texts.hypotheses, *second.texts.hypotheses]
        joined.texts = replace(first.texts, hypotheses=both, sides=())
    if first.files and second.files:
        joined.notes["files"] = [file for _, file in (*first.files, *second.files)]
    joined._versions = first._versions | second._versions
    joined._found = [*first._found, *(each for each in second._found if str(each) not in map(str, first._found))]
    shift = len(first.runs)
    for run, label in ((run, label) for run in range(len(second.runs)) for label in first.metrics):
        joined._sums[run + shift, label] = second._sums[run, label].copy()
        joined._totals[run + shift, label] = second._totals[run, label]
    joined._sums |= {key: total.copy() for key, total in first._sums.items()}
    joined._totals |= first._totals
    if joined._retained is not None and first._retained is not None:
        own = {name: first._retained.rows(name) for name in first._keyed}
        more = {
            (run + shift, label): second._retained.rows((run, label))  # type: ignore[union-attr]
            for run in range(len(second.runs))
            for label in first.metrics
        }
        joined._retained.join(first._retained, second._retained, {**own, **more})
    return joined
