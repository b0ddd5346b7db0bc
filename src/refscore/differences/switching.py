"""From one metric to another by one setting at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refscore.differences.scoring import Scorer
from refscore.errors import RefscoreError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score
from refscore.metrics.core.setting_words import WORDS, SettingWords, Stage, settings_of, shown_value


@dataclass(frozen=True)
class Change:
    """A setting that is switched over, in words.

    Args:
        settings: For each name its values before and after, as text.
        title: What the setting is about.
        stage: Whether it acts on the text, on what is counted, or in the formula.
        before: What its value before means.
        after: What its value after means.

    Example:
        >>> import refscore
        >>> result = refscore.conventions(["a cat, sat"], ["a cat sat"], "gleu")
        >>> change = result["nltk"].steps[0].changes[0]
        >>> change.settings, change.stage
        ({'tokenizer': ('13a', 'none')}, 'text')
        >>> print(change.after)
        none splits at white space only
    """

    settings: Mapping[str, tuple[str, str]]
    title: str
    stage: Stage
    before: str
    after: str

    @property
    def reason(self) -> str:
        """Both meanings, in one line."""
        return f"{self.title}: {self.before}; {self.after}"


@dataclass(frozen=True)
class Step:
    """What one change, or several that only make sense together, make of the score.

    Args:
        changes: What is switched over.
        score: The score after it.
        difference: How much it differs from the score before, in the score's own scale: 0..1 for most metrics.
        touched: The number of segments whose statistics it changes; 0 where it acts on their sums alone.

    Example:
        >>> import refscore
        >>> result = refscore.conventions(["a cat, sat", "a dog"], ["a cat sat", "a dog"], "gleu")
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

    def to_dict(self) -> dict[str, Any]:
        """The step as a dictionary, ready for JSON."""
        return {
            "settings": {
                name: {"from": before, "to": after}
                for change in self.changes
                for name, (before, after) in change.settings.items()
            },
            "stages": list(dict.fromkeys(change.stage for change in self.changes)),
            "reasons": [change.reason for change in self.changes],
            "value": self.score.value,
            "difference": self.difference,
            "segments": self.touched,
            "signature": self.score.signature,
        }


def steps_between(scorer: Scorer, start: Metric[Any], end: Metric[Any]) -> Iterator[Step]:
    """The steps from one metric to another of its kind, in the fixed order of its settings.

    Where a setting cannot be switched over alone, because the metric between would not be valid or could not score the
    segments, it goes together with the next.
    """
    reached, waiting = start, list[SettingWords]()
    target = settings_of(end)
    for words in WORDS[start.name].settings:
        own = settings_of(reached)
        if all(own[name] == target[name] for name in words.names):
            continue
        waiting.append(words)
        switched = {name: target[name] for entry in waiting for name in entry.names}
        try:
            metric = type(start).with_settings({**own, **switched})
            score = scorer.score(metric)
        except RefscoreError:
            continue
        difference = score.value - scorer.score(reached).value
        yield Step(_changes(waiting, reached, metric), score, difference, scorer.touched(reached, metric))
        reached, waiting = metric, []


def _changes(entries: Sequence[SettingWords], before: Metric[Any], after: Metric[Any]) -> tuple[Change, ...]:
    old, new = settings_of(before), settings_of(after)
    return tuple(
        Change(
            {
                name: (shown_value(name, old[name]), shown_value(name, new[name]))
                for name in words.names
                if old[name] != new[name]
            },
            words.title,
            words.stage,
            words.of(old),
            words.of(new),
        )
        for words in entries
    )
