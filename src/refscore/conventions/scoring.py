from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any

import numpy as np

from refscore._version import __version__
from refscore.data_warnings import unchecked
from refscore.errors import RefscoreError
from refscore.inputs import reusable
from refscore.metrics import Metric, Preset, Rows, Score
from refscore.settings import Setting, Stage, settings_by_name

_STAGES = ("text", "counting", "formula")
# Smaller differences between rows come from the order of computation.
_RELATIVE, _ABSOLUTE = 1e-9, 1e-12


# The references whose script decides about tokenizers.
_SAMPLE = 100


class Scorer:
    """Segments, references and perhaps sources, with their scores cached by metric."""

    def __init__(self, hypotheses: Any, references: Any, sources: Any, threads: int | None) -> None:
        self._hypotheses, self._references, self._sources = map(reusable, (hypotheses, references, sources))
        self._threads = threads
        self._scores: dict[Metric[Any], Score] = {}
        self._last_rows: dict[Metric[Any], Rows] = {}

    def sample_text(self) -> str:
        """Return the first references as one text, empty for tokens."""
        sample = islice(() if self._references is None else self._references, _SAMPLE)
        entries = ((entry,) if isinstance(entry, str) else entry for entry in sample)
        return " ".join(text for entry in entries for text in entry or () if isinstance(text, str))

    def score(self, metric: Metric[Any]) -> Score:
        if metric not in self._scores:
            self._scores[metric] = self._call(metric, "corpus")
        return self._scores[metric]

    def mean_of_segments(self, metric: Metric[Any]) -> float:
        values = self._call(metric, "segments")
        return math.fsum(values) / len(values)

    def touched(self, before: Metric[Any], after: Metric[Any]) -> int:
        """Return how many segments have different statistics under the two metrics."""
        old_columns, new_columns = self._columns(before), self._columns(after)
        changed = np.zeros(self.segments(before), dtype=np.bool_)
        for name in {**old_columns, **new_columns}:
            # A column that only one metric has is 0 for the other.
            old, new = old_columns.get(name, 0), new_columns.get(name, 0)
            changed |= ~np.isclose(old, new, rtol=_RELATIVE, atol=_ABSOLUTE)
        return int(changed.sum())

    def segments(self, metric: Metric[Any]) -> int:
        return len(self._rows(metric))

    def _columns(self, metric: Metric[Any]) -> dict[str, Rows]:
        return dict(zip(metric.columns, self._rows(metric).T, strict=True))

    def _rows(self, metric: Metric[Any]) -> Rows:
        if metric not in self._last_rows:
            while len(self._last_rows) > 1:  # two are enough for a comparison, and rows are large
                self._last_rows.pop(next(iter(self._last_rows)))
            self._last_rows[metric] = self._call(metric, "stats")
        return self._last_rows[metric]

    def _call(self, metric: Metric[Any], method: str) -> Any:
        fitted = metric.fit(self._references) if metric.needs_fit else metric
        score = getattr(fitted, method)
        with unchecked():  # many settings are tried, and most do not fit the data
            return score(self._hypotheses, self._references, sources=self._sources, threads=self._threads)


def known_conventions(metric: Metric[Any]) -> dict[str, Preset]:
    """Return a metric's presets by name, after default and given settings that no preset has."""
    kind = type(metric)
    known: dict[str, Preset] = dict(kind.presets)
    for name, candidate in (("default", kind()), ("given", metric)):
        if not any(has_settings(candidate, preset) for preset in known.values()):
            preset = Preset(
                settings_by_name(candidate),
                tool="refscore",
                version=__version__,
                part=f"{name} settings",
                scale=kind.printed_scale,
            )
            known = {name: preset, **known}
    return known


def has_settings(metric: Metric[Any], preset: Mapping[str, Any]) -> bool:
    # Does not create the preset's metric, which may need packages that are not installed.
    return all(getattr(metric, name) == preset.get(name, each.default) for name, each in metric.settings().items())


def ordered_settings(kind: type[Metric[Any]]) -> list[Setting]:
    """Return the settings as they apply: text, counting, formula. Companions are not listed separately."""
    declared = kind.settings().values()
    companions = {setting.companion for setting in declared}
    chosen = [setting for setting in declared if setting.title and setting.name not in companions]
    return sorted(chosen, key=lambda setting: _STAGES.index(setting.stage))


def show_number(value: float, scale: float) -> str:
    """Return a value with 2 decimals on the scale from 0 to 100, and with 4 decimals on other scales."""
    # Rounded first, since a multiplication by 100 may move a value off a tie.
    return f"{round(value * scale, 10):.{2 if scale == 100 else 4}f}"


def show_difference(before: float, after: float, scale: float) -> str:
    """Return the signed difference between rounded values, so the printed numbers add up."""
    gap = Decimal(show_number(after, scale)) - Decimal(show_number(before, scale))
    sign = "+" if gap > 0 else "−" if gap < 0 else ""
    return f"{sign}{abs(gap)}"


@dataclass(frozen=True)
class Change:
    """A switched setting, described in words.

    Args:
        settings: The values before and after, as text, by setting.
        title: The setting's topic.
        stage: Where the setting applies: "text", "counting" or "formula".
        before: What the value before means.
        after: What the value after means.

    Example:
        >>> import refscore
        >>> result = refscore.conventions.compare_conventions(["a cat, sat"], ["a cat sat"], "gleu")
        >>> change = result["nltk"].steps[0].changes[0]
        >>> change.settings, change.stage
        ({'tokenizer': ('13a', 'none')}, 'text')
        >>> print(change.after)
        none splits at whitespace only
    """

    settings: Mapping[str, tuple[str, str]]
    title: str
    stage: Stage
    before: str
    after: str

    @property
    def reason(self) -> str:
        """The title and both meanings in one line."""
        return f"{self.title}: {self.before}; {self.after}"


@dataclass(frozen=True)
class Step:
    """How one change affects the score, or several changes that only make sense together.

    Args:
        changes: The switched settings.
        score: The score after the step.
        difference: The score after the step minus the score before, on the score's own scale, 0..1 for most metrics.
        touched: How many segments' statistics changed. 0 if the step only changes how sums are scored.

    Example:
        >>> import refscore
        >>> result = refscore.conventions.compare_conventions(["a cat, sat", "a dog"], ["a cat sat", "a dog"], "gleu")
        >>> (step,) = result["nltk"].steps
        >>> round(step.difference, 4), step.touched, step.score == refscore.gleu(
        ...     ["a cat, sat", "a dog"], ["a cat sat", "a dog"], preset="nltk"
        ... )
        (0.0171, 1, True)
    """

    changes: tuple[Change, ...]
    score: Score
    difference: float
    touched: int

    def __repr__(self) -> str:
        return f"<step {self.titles}: {self.difference:+.4f} to {self.score.value:.4f}>"

    @property
    def settings(self) -> dict[str, tuple[str, str]]:
        """The values before and after, as text, by setting."""
        return {name: values for change in self.changes for name, values in change.settings.items()}

    @property
    def titles(self) -> str:
        """The settings' topics."""
        return ", ".join(change.title for change in self.changes)

    @property
    def meanings(self) -> str:
        """What the values before and after mean, in one line."""
        return "; ".join(f"{change.before}; {change.after}" for change in self.changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the step as a dictionary, ready for JSON."""
        return {
            "settings": {name: {"from": before, "to": after} for name, (before, after) in self.settings.items()},
            "stages": list(dict.fromkeys(change.stage for change in self.changes)),
            "reasons": [change.reason for change in self.changes],
            "value": self.score.value,
            "difference": self.difference,
            "segments": self.touched,
            "signature": self.score.signature,
        }


def steps_between(scorer: Scorer, start: Metric[Any], end: Metric[Any]) -> Iterator[Step]:
    """Yield the steps from one metric to another with the same class, in a fixed order.

    If a metric with one more switched setting is invalid or cannot score the segments, the next one is switched too.
    """
    reached, waiting = start, list[Setting]()
    target = settings_by_name(end)
    for setting in ordered_settings(type(start)):
        current = settings_by_name(reached)
        if all(current[name] == target[name] for name in setting.names):
            continue
        waiting.append(setting)
        switched = {name: target[name] for entry in waiting for name in entry.names}
        try:
            metric = type(start).with_settings({**current, **switched})
            score = scorer.score(metric)
        except RefscoreError:
            continue
        difference = score.value - scorer.score(reached).value
        yield Step(_changes(waiting, reached, metric), score, difference, scorer.touched(reached, metric))
        reached, waiting = metric, []


def single_steps(scorer: Scorer, start: Metric[Any], fixed: Iterable[str] = ()) -> Iterator[Step]:
    """Yield a step for each common value of each setting that the start does not have, and for all of written form.

    `fixed` names settings that stay.
    """
    together = {"lowercase": True, "normalize": "nopunct"}
    kind, current = type(start), settings_by_name(start)
    free = [setting for setting in ordered_settings(kind) if setting.name not in fixed]
    switches = [{setting.name: value} for setting in free for value in setting.alternatives]
    if {*together} <= {setting.name for setting in free} and current["normalize"] == "none":
        switches.append(together)
    before = scorer.score(start).value
    for switched in switches:
        if any(current[name] == value for name, value in switched.items()):
            continue
        try:
            metric = kind.with_settings({**current, **switched})
            score = scorer.score(metric)
        except RefscoreError:
            continue
        changed = [setting for setting in free if setting.name in switched]
        yield Step(_changes(changed, start, metric), score, score.value - before, scorer.touched(start, metric))


def _changes(settings: Sequence[Setting], before: Metric[Any], after: Metric[Any]) -> tuple[Change, ...]:
    old, new, declared = settings_by_name(before), settings_by_name(after), before.settings()
    changes = []
    for setting in settings:
        names = [name for name in setting.names if old[name] != new[name]]
        values = {name: (declared[name].show(old[name]), declared[name].show(new[name])) for name in names}
        changes.append(Change(values, setting.title, setting.stage, setting.describe(old), setting.describe(new)))
    return tuple(changes)
