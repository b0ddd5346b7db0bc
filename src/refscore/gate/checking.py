"""Test new outputs against a baseline by every criterion."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from refscore.comparison import SystemComparison
from refscore.data_warnings import DataWarning, LoopWarning
from refscore.errors import InputError, check_instance
from refscore.evaluation import Evaluation
from refscore.gate.criteria import Configuration, Criteria
from refscore.gate.model import WHOLE, Check, Criterion, Gate, LostSegment, Status
from refscore.inputs import read_side
from refscore.metrics import RowMetric, decimals, looping_segments
from refscore.progress import Progress
from refscore.significance import Outcome
from refscore.significance.results import holm_corrected
from refscore.significance.settings import merge_settings
from refscore.text_display import counted

# The names of the records in the comparison. A new system may have any name.
_BASELINE, _NEW = "baseline", "new"
_BAD_OUTPUTS: dict[Criterion, tuple[str, str]] = {
    "empty": ("Empty outputs", "are empty"),
    "loops": ("Loops", "have a loop"),
}


def check(
    new: Evaluation,
    baseline: Evaluation | None = None,
    criteria: Criteria | Configuration | None = None,
    *,
    oldest: Evaluation | None = None,
    by: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Gate:
    """Test whether new outputs are worse than a baseline, by the same metrics on the same references.

    Args:
        new: The evaluation of the new outputs, of one system.
        baseline: The evaluation of the baseline, such as `refscore.load("main.refscore")`. Without it, only criteria
            about the new outputs apply.
        criteria: The criteria, or a configuration that has some by metric.
        oldest: An older baseline, to find a slow decline that no single comparison shows.
        by: The name of a grouping of `new`. The criteria of metrics also apply to each group.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings of the criteria by name, which replace the ones in `criteria`.

    Returns:
        The verdict with all checks.

    Example:
        >>> import refscore
        >>> from refscore import gate
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> main = refscore.evaluate({"main": ["a cat sat", "it rains", "we go", "no one"]}, refs, "chrf")
        >>> better = refscore.evaluate({"new": refs}, refs, "chrf")
        >>> gate.check(better, main, allow_warnings=True).passed
        True
    """
    for name, each in (("new", new), ("baseline", baseline), ("oldest", oldest)):
        if each is not None:
            check_instance(name, each, Evaluation, "pass what refscore.evaluate or refscore.load returns")
            if len(each.systems) != 1:
                problem = f"has {len(each.systems)} systems: {', '.join(each.systems)}"
                raise InputError(None, f"{name} {problem}", "choose one with evaluation.choose([name])")
    if isinstance(criteria, Configuration):
        configuration = replace(criteria, criteria=merge_settings(Criteria, criteria.criteria, settings))
    else:
        configuration = Configuration(merge_settings(Criteria, criteria, settings))
    for label in configuration.by_metric:
        new.run_scores(label)  # raises an error for an unknown metric
    return _Checking(new, baseline, oldest, configuration, by, threads, progress).gate()


@dataclass(frozen=True)
class _Tested:
    """A comparison with the baseline or the oldest record by one metric in one group."""

    criterion: Criterion
    group: str
    label: str
    section: SystemComparison

    @property
    def outcome(self) -> Outcome:
        return self.section[self.label][_NEW]


@dataclass(frozen=True)
class _Checking:
    new: Evaluation
    baseline: Evaluation | None
    oldest: Evaluation | None
    configuration: Configuration
    by: str | None
    threads: int | None
    progress: Progress | None

    @property
    def criteria(self) -> Criteria:
        return self.configuration.criteria

    @property
    def metrics(self) -> Mapping[str, RowMetric[Any]]:
        return self.new.metrics

    def gate(self) -> Gate:
        tested = self._tested()
        checks = [*self._worse(tested), *self._margins(tested), *self._floors(), *self._about_outputs()]
        failed = [check.metric for check in checks if check.status == "failed" and check.metric]
        label = failed[0] if failed and self.baseline is not None else None
        signatures = [*self.new.signatures.values()]
        signatures += [line for each in tested[:1] for line in each.section.test_signatures]
        return Gate(
            checks=checks,
            system=self.new.systems[0],
            segments=self.new.segments,
            lost=[] if label is None else self._lost(label),
            lost_by="" if label is None else self.new.titles[label],
            undecided=self.criteria.undecided,
            power=self.criteria.power,
            scores=self._scores(tested),
            signatures=signatures,
        )

    def _tested(self) -> list[_Tested]:
        """Return the comparisons with the baseline by group and metric, then those with the oldest record."""
        tested: list[_Tested] = []
        if self.baseline is not None:
            whole = self._compare(self.baseline, self.by)
            sections = {WHOLE: whole, **{str(label): each for label, each in whole.groups.items()}}
            tested += [
                _Tested("worse", group, label, section) for group, section in sections.items() for label in self.metrics
            ]
        if self.oldest is not None:
            whole = self._compare(self.oldest, None)
            tested += [_Tested("decline", WHOLE, label, whole) for label in self.metrics]
        return tested

    def _compare(self, baseline: Evaluation, by: str | None) -> SystemComparison:
        named = (each.choose({name: each.systems[0]}) for name, each in ((_BASELINE, baseline), (_NEW, self.new)))
        first, second = named
        joined = first | second
        tests = self.criteria.tests
        if self.criteria.holm:
            count = self._family(by)
            # Bonferroni's bounds: a margin needs an interval, which Holm's method does not have.
            tests = replace(tests, confidence=1 - (1 - tests.confidence) / count, alpha=tests.alpha / count)
        return joined.compare(_BASELINE, tests, by=by, threads=self.threads, progress=self.progress)

    def _family(self, by: str | None) -> int:
        """Return how many p-values there are at most."""
        groups = 1 + (len({*self.new.groups.get(self.by, ())}) if self.by is not None else 0)
        return len(self.metrics) * ((groups if self.baseline is not None else 0) + (self.oldest is not None))

    def _worse(self, tested: Sequence[_Tested]) -> Iterator[Check]:
        ps = [each.outcome.p for each in tested]
        known = [p for p in ps if p is not None]
        corrected = iter(holm_corrected(known) if self.criteria.holm else known)
        for each, p in zip(tested, ps, strict=True):
            decisive = None if p is None else next(corrected)
            if self.criteria.only_margin and self.configuration.of(each.label).margin is not None:
                continue
            loss = self._loss(each)
            status: Status = "passed"
            reason = f"{self._subject(each)} is not significantly worse"
            if decisive is None:
                status = "undecided"
                reason = f"{self._subject(each)} cannot be tested: there is one segment or unit"
            elif decisive <= self.criteria.alpha and loss > 0:
                status, reason = "failed", f"{self._subject(each)} is significantly worse"
            yield self._check(each, each.criterion, status, reason, p=decisive)

    def _margins(self, tested: Sequence[_Tested]) -> Iterator[Check]:
        for each in tested:
            margin = self.configuration.of(each.label).margin
            if margin is None or each.criterion == "decline":
                continue
            interval, metric = each.outcome.difference_interval, self.metrics[each.label]
            status: Status = "undecided"
            reason = f"{self._subject(each)} has too few segments to decide about a loss of {margin:g}"
            if interval is not None:
                ends = sorted(self._sign(metric) * end for end in (interval.low, interval.high))
                if ends[0] > margin:
                    status, reason = "failed", f"{self._subject(each)} lost more than {margin:g}"
                elif ends[1] <= margin:
                    status, reason = "passed", f"{self._subject(each)} lost at most {margin:g}"
            yield self._check(each, "margin", status, reason, limit=margin)

    def _floors(self) -> Iterator[Check]:
        parts: dict[str, Evaluation] = {WHOLE: self.new}
        if self.by is not None:
            parts |= {str(label): part for label, part in self.new.by(self.by).items()}
        for group, part in parts.items():
            for label, metric in self.metrics.items():
                floor = self.configuration.of(label).floor
                if floor is None:
                    continue
                scores = [score.value * metric.printed_scale for score in part.run_scores(label)]
                score = fmean(scores)
                is_fine = score >= floor if metric.higher_is_better else score <= floor
                title, digits = self.new.titles[label], decimals(metric, None)
                reason = f"{title} is {score:.{digits}f}, and the floor is {floor:g}"
                yield Check(
                    "floor",
                    "passed" if is_fine else "failed",
                    reason,
                    label,
                    title,
                    group,
                    score=score,
                    limit=floor,
                    digits=digits,
                )

    def _about_outputs(self) -> Iterator[Check]:
        outputs, references = _texts(self.new), _references(self.new)
        yield from self._bad_outputs("empty", self.criteria.max_empty, outputs, lambda: _empty(outputs, references))
        yield from self._bad_outputs("loops", self.criteria.max_loops, outputs, lambda: _looping(outputs, references))
        if not self.criteria.allow_warnings:
            before = {warning.kind for warning in _warnings(self.baseline)}
            if self.criteria.max_loops is not None:
                before.add(LoopWarning.kind)  # counted above
            found = [warning for warning in _warnings(self.new) if warning.kind not in before]
            reason = " ".join(f"Warning: {warning} [{warning.kind}]." for warning in found)
            yield Check("warnings", "failed" if found else "passed", reason or "There is no new warning.")

    def _bad_outputs(
        self,
        criterion: Criterion,
        limit: float | None,
        outputs: Sequence[str] | None,
        find: Callable[[], Sequence[int]],
    ) -> Iterator[Check]:
        """Yield the check of outputs that are bad by themselves, which `find` returns."""
        if limit is None or (outputs is None and not any(metric.scores_text for metric in self.metrics.values())):
            return  # given scores may not be about texts
        noun, predicate = _BAD_OUTPUTS[criterion]
        if outputs is None:
            yield Check(criterion, "undecided", f"{noun} cannot be counted without the texts.")
            return
        found, most = find(), math.floor(limit * len(outputs))
        reason = f"{len(found):,} of {counted(len(outputs), 'output')} {predicate}; the limit is {most:,}."
        if found:
            reason += f" The first is segment {found[0] + 1}."
        status: Status = "failed" if len(found) > most else "passed"
        yield Check(criterion, status, reason, score=len(found), limit=most, digits=0)

    def _check(self, each: _Tested, criterion: Criterion, status: Status, reason: str, **values: Any) -> Check:
        metric = self.metrics[each.label]
        scale, outcome, interval = metric.printed_scale, each.outcome, each.outcome.difference_interval
        detectable = each.section.detectable.get(each.label, {}).get(_NEW)
        return Check(
            criterion,
            status,
            reason,
            each.label,
            self.new.titles[each.label],
            each.group,
            baseline=scale * each.section[each.label][_BASELINE].score,
            score=scale * outcome.score,
            difference=None if outcome.difference is None else scale * outcome.difference,
            low=None if interval is None else scale * interval.low,
            high=None if interval is None else scale * interval.high,
            detectable=None if detectable is None else scale * detectable,
            digits=decimals(metric, None),
            **values,
        )

    def _subject(self, each: _Tested) -> str:
        title = self.new.titles[each.label]
        return title if each.group == WHOLE else f"{title} of {each.group}"

    def _sign(self, metric: RowMetric[Any]) -> float:
        """Return the factor from a difference to a loss in printed points."""
        return -metric.printed_scale if metric.higher_is_better else float(metric.printed_scale)

    def _loss(self, each: _Tested) -> float:
        return self._sign(self.metrics[each.label]) * (each.outcome.difference or 0.0)

    def _scores(self, tested: Sequence[_Tested]) -> dict[str, dict[str, float | None]]:
        found: dict[str, dict[str, float | None]] = {}
        intervals = {each.label: each.outcome.interval for each in reversed(tested) if each.group == WHOLE}
        for label, metric in self.metrics.items():
            scores = [score.value for score in self.new.run_scores(label)]
            interval = intervals.get(label)
            ends = (None, None) if interval is None else (interval.low, interval.high)
            values = (fmean(scores), *ends)
            scaled = [None if value is None else metric.printed_scale * value for value in values]
            found[label] = dict(zip(("score", "low", "high"), scaled, strict=True))
        return found

    def _lost(self, label: str) -> list[LostSegment]:
        """Return the segments that lost most by a metric."""
        assert self.baseline is not None
        if len(self.new.runs) > 1 or len(self.baseline.runs) > 1:
            return []
        metric = self.metrics[label]
        (before,) = self.baseline.segment_scores(label, threads=self.threads).values()
        (after,) = self.new.segment_scores(label, threads=self.threads).values()
        losses = np.nan_to_num(self._sign(metric) * (after - before))
        order = np.argsort(-losses, kind="stable")[: self.criteria.worst]
        references = _references(self.new)
        first = None if references is None else [entry[0] for entry in references]
        texts = (_texts(self.baseline), _texts(self.new), first)
        lost = []
        for segment in (k for k in order.tolist() if losses[k] > 0):
            old, output, reference = (None if side is None else side[segment] for side in texts)
            lost.append(
                LostSegment(
                    segment + 1,
                    float(metric.printed_scale * before[segment]),
                    float(metric.printed_scale * after[segment]),
                    old,
                    output,
                    reference,
                )
            )
        return lost


def _empty(outputs: Sequence[str] | None, references: list[list[str]] | None) -> list[int]:
    entries = references or [["?"]] * len(outputs or ())
    pairs = enumerate(zip(outputs or (), entries, strict=True))
    return [i for i, (output, entry) in pairs if not output.strip() and any(text.strip() for text in entry)]


def _looping(outputs: Sequence[str] | None, references: list[list[str]] | None) -> list[int]:
    return looping_segments(outputs or (), references)


def _texts(evaluation: Evaluation) -> Sequence[str] | None:
    """Return the outputs of the first run, if they are in memory and are texts."""
    if evaluation.texts is None:
        return None
    outputs = [*read_side(evaluation.texts.hypotheses[0]).value]
    return outputs if all(isinstance(text, str) for text in outputs) else None


def _references(evaluation: Evaluation) -> list[list[str]] | None:
    if evaluation.texts is None or evaluation.texts.references is None:
        return None
    side = read_side(evaluation.texts.references)
    if side.is_prepared:
        return None
    entries = ([entry] if isinstance(entry, str) else [*entry] for entry in side.value)
    found = [[text for text in entry if isinstance(text, str)] for entry in entries]
    return found if all(found) else None


def _warnings(evaluation: Evaluation | None) -> list[DataWarning]:
    return [] if evaluation is None else evaluation.warnings
