from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refscore.conventions.scoring import Scorer, ordered_settings
from refscore.errors import RefscoreError
from refscore.metrics import Metric, Score
from refscore.settings import Setting, Stage, settings_by_name


@dataclass(frozen=True)
class Change:
    """A switched setting, described in words.

    Args:
        settings: The values before and after, as text, by the name of the setting.
        title: The topic of the setting.
        stage: Where the setting applies: "text", "counting" or "formula".
        before: The meaning of the value before.
        after: The meaning of the value after.

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
    """The effect of one change on the score, or of several changes that only make sense together.

    Args:
        changes: The switched settings.
        score: The score after the step.
        difference: The score after the step minus the score before, on the score's own scale, 0..1 for most metrics.
        touched: The number of segments with changed statistics; 0 if the step only changes how sums are scored.

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
        """The values before and after, as text, by the name of the setting."""
        return {name: values for change in self.changes for name, values in change.settings.items()}

    @property
    def titles(self) -> str:
        """The topics of the settings."""
        return ", ".join(change.title for change in self.changes)

    @property
    def meanings(self) -> str:
        """The meanings of the values before and after, in one line."""
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
    """Yield the steps from one metric to another of the same class, in the fixed order of the settings.

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


def _changes(settings: Sequence[Setting], before: Metric[Any], after: Metric[Any]) -> tuple[Change, ...]:
    old, new, declared = settings_by_name(before), settings_by_name(after), before.settings()
    changes = []
    for setting in settings:
        names = [name for name in setting.names if old[name] != new[name]]
        values = {name: (declared[name].show(old[name]), declared[name].show(new[name])) for name in names}
        changes.append(Change(values, setting.title, setting.stage, setting.describe(old), setting.describe(new)))
    return tuple(changes)
