"""A metric or a mix as a reward.

TRL's `GRPOTrainer` calls `reward(prompts=…, completions=…, **columns)` and expects a list with numbers. verl calls
`compute_score(data_source, solution_str, ground_truth, extra_info)`, or a function that takes lists. All completions
in a batch are scored together. References that neighbouring completions share are read once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.data_warnings import unchecked
from refscore.errors import InputError, Location, SettingError, relocated
from refscore.inputs import describe
from refscore.metrics import Metric, MetricChoice, kernel_threads, parse_metric
from refscore.rewards.batches import (
    Batch,
    Completion,
    CompletionReferences,
    Completions,
    Extract,
    Names,
    ReferencesOfCompletions,
    parse_extract,
    read_batch,
)
from refscore.settings import as_float


class _Part(NamedTuple):
    label: str
    metric: Metric[Any]
    weight: float


class RewardValues(NamedTuple):
    """A batch's rewards.

    Attributes:
        total: One reward per completion.
        by_metric: The same by each metric in a mix, before weighting.
    """

    total: NDArray[np.float64]
    by_metric: dict[str, NDArray[np.float64]]


class Reward:
    """A reward for completions from 0 to 1: a metric's score, or the weighted mean of several.

    If lower is better for a metric, its reward is 1 - min(score, 1). If the highest score is not 1, scores are divided
    by it, as for CIDEr, whose highest score is 10. An empty completion has the reward 0. A completion without a
    reference (None or an empty list) has the reward None, which TRL ignores. Rewards can be pickled, and called from
    several threads and processes.

    Args:
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". A dictionary of metrics and weights makes
            the reward their weighted mean. A bare name means the settings for single segments: "bleu" is sacrebleu's
            `sentence_bleu`.
        references: The column with the references.
        completions: The argument with the completions. TRL's token ids are "completion_ids".
        sources: The column with the sources, for metrics that need them. TRL's prompts are "prompts".
        extract: How to find the text to score: a regular expression or a function from text to text. For a regular
            expression, the last non-empty match counts, or its first group if there is one. In a string, `.` also
            matches line breaks. Without a match, or if the function returns None, the completion counts as empty.
        pad_id: The padding id in completions and references. It is dropped everywhere in a row.
        name: The name in the trainer's logs, by default the metrics' names.
        threads: The number of threads, by default all cores.

    Example:
        >>> from refscore.rewards import Reward
        >>> reward = Reward("chrf")
        >>> values = reward(
        ...     prompts=["Translate: der Hund", "Translate: der Hund"],
        ...     completions=["the dog", "a dog"],
        ...     reference=["the dog", "the dog"],
        ... )
        >>> [round(value, 4) for value in values], reward.__name__
        ([1.0, 0.3125], 'chrf')
        >>> mix = Reward({"bleu": 0.7, "ter": 0.3}, references="answer", extract="<answer>(.*?)</answer>")
        >>> chats = [[{"role": "assistant", "content": text}] for text in ("<answer>a dog</answer>", "a dog")]
        >>> mix(completions=chats, answer=["a dog", "a dog"])
        [1.0, 0.0]
    """

    def __init__(
        self,
        metric: MetricChoice | Mapping[Any, float] = "bleu",
        *,
        references: str = "reference",
        completions: str = "completions",
        sources: str = "source",
        extract: str | re.Pattern[str] | Extract | None = None,
        pad_id: int | None = None,
        name: str | None = None,
        threads: int | None = None,
    ) -> None:
        named = {"references": references, "completions": completions, "sources": sources, "name": name}
        for setting, value in named.items():
            if (not isinstance(value, str) or not value) and not (setting == "name" and value is None):
                raise SettingError(f"{setting} must be a non-empty string, not {value!r}")
        if pad_id is not None and (isinstance(pad_id, bool) or not isinstance(pad_id, (int, np.integer))):
            raise SettingError(f"pad_id must be an integer, not {pad_id!r}")
        kernel_threads(threads)
        self._parts = _parse_mix(metric)
        self._names = Names(completions, references, sources)
        self._extract = parse_extract(extract)
        self._pad_id = None if pad_id is None else int(pad_id)
        self._name = name
        self._threads = threads

    @property
    def __name__(self) -> str:
        """The name in the trainer's logs."""
        return self._name or "+".join(part.label for part in self._parts)

    @property
    def metrics(self) -> dict[Metric[Any], float]:
        """The metrics and their weights, which sum to 1."""
        return {part.metric: part.weight for part in self._parts}

    @property
    def signature(self) -> str:
        """All metrics' settings as text, with a mix's weights."""
        if len(self._parts) == 1:
            return self._parts[0].metric.signature
        return " + ".join(f"{part.weight:.6g} × {part.metric.signature}" for part in self._parts)

    def __repr__(self) -> str:
        return f"<reward {self.__name__}: {self.signature}>"

    def __call__(self, *, completions: Completions | None = None, **columns: object) -> list[float | None]:
        """Return a batch's rewards, for TRL's trainers.

        Args:
            completions: Texts, chats or token ids. In a chat (a message list), the assistant's last message is
                scored. Token ids are lists, arrays or a padded batch: a 2-D array, a tensor or a
                `refscore.inputs.padded`.
            **columns: The reference column: a padded batch of token ids, or for each completion a text, a chat,
                token ids, a list with these, or None. Other columns are ignored, except for TRL's `log_metric`: a mix
                reports each metric's mean with it.

        Returns:
            One number per completion, or None for a completion without a reference.
        """
        given = {"completions": completions, **columns}
        needed = self._names if self._needs_sources else self._names[:2]
        batch = self._read(*(_column(given, name) for name in needed), names=self._names)
        values = self._values(batch)
        log_metric = columns.get("log_metric")
        if callable(log_metric) and len(self._parts) > 1 and batch.indexes:
            for label, part in values.by_metric.items():
                log_metric(f"{self.__name__}/{label}", float(part.mean()))
        rewards: list[float | None] = [None] * batch.size
        for index, value in zip(batch.indexes, values.total.tolist(), strict=True):
            rewards[index] = value
        return rewards

    def compute_score(
        self,
        data_source: object,
        solution_str: Completion,
        ground_truth: CompletionReferences,
        extra_info: Mapping[str, object] | None = None,
        **_: object,
    ) -> float:
        """Return a completion's reward, for verl.

        For metrics that need sources, `extra_info` is a dictionary with the source under the name `sources`.

        Example:
            >>> from refscore.rewards import Reward
            >>> Reward("rougeL").compute_score("news", "a dog barks", ["the dog barks", "a dog barks"])
            1.0
        """
        return self.compute_scores([data_source], [solution_str], [ground_truth], [extra_info])[0]

    def compute_scores(
        self,
        data_sources: object,
        solution_strs: Completions,
        ground_truths: ReferencesOfCompletions,
        extra_infos: Iterable[Mapping[str, object] | None] | None = None,
        **_: object,
    ) -> list[float]:
        """Return a batch's rewards, for verl's batch reward manager.

        Takes lists of what `compute_score` takes. Every completion needs a reference, because verl needs every reward.

        Example:
            >>> from refscore.rewards import Reward
            >>> Reward("wer").compute_scores(["news", "news"], ["a dog", ""], ["a dog", "a cat"])
            [1.0, 0.0]
        """
        sources = [_extra_source(info, self._names.sources) for info in (() if extra_infos is None else extra_infos)]
        names = Names("solution_strs", "ground_truths", "extra_infos")
        values = self.required_values(solution_strs, ground_truths, names, sources=sources)
        scores: list[float] = values.total.tolist()
        return scores

    def required_values(
        self,
        completions: Completions,
        references: ReferencesOfCompletions,
        names: Sequence[str],
        *,
        sources: Completions | None = None,
    ) -> RewardValues:
        """Return a batch's rewards for a trainer's adapter. Every completion needs a reference.

        `names` are the trainer's names for completions, references and sources, for errors.

        Example:
            >>> from refscore.rewards import Reward
            >>> values = Reward({"bleu": 1, "ter": 1}).required_values(["a dog"], ["a dog"], ("queries", "labels"))
            >>> values.total, list(values.by_metric)
            (array([1.]), ['bleu', 'ter'])
        """
        named = Names(*names)
        batch = self._read(completions, references, sources if self._needs_sources else None, names=named)
        if len(batch.indexes) < batch.size:
            missing = min({*range(batch.size)} - {*batch.indexes})
            raise InputError(Location(named.references, missing), "is missing", "pass a reference for every completion")
        return self._values(batch)

    @property
    def _needs_sources(self) -> bool:
        return any(part.metric.needs_sources for part in self._parts)

    def _read(self, completions: Any, references: Any, sources: Any = None, *, names: Names) -> Batch:
        return read_batch(completions, references, sources, names, self._extract, self._pad_id)

    def _values(self, batch: Batch) -> RewardValues:
        total = np.zeros(len(batch.empty))
        by_metric = {part.label: total for part in self._parts}
        if len(total) == 0:
            return RewardValues(total, by_metric)
        for part in self._parts:
            with relocated(batch.locate), unchecked():  # completions of a training run are not a test set
                values = part.metric.segments(
                    batch.hypotheses, batch.references, sources=batch.sources, threads=self._threads
                )
            values = values / (part.metric.highest_value or 1)
            values = np.clip(values if part.metric.higher_is_better else 1 - values, 0, 1)
            values[batch.empty] = 0
            by_metric[part.label] = values
            total += part.weight * values
        return RewardValues(np.minimum(total, 1), by_metric)  # the sum of rounded weights may exceed 1


def _extra_source(info: Any, name: str) -> Any:
    """Return the source in verl's additional information about a completion."""
    return info.get(name) if isinstance(info, Mapping) else None


def _column(columns: Mapping[str, Any], name: str) -> Any:
    if columns.get(name) is None:
        present = ", ".join(other for other, value in columns.items() if value is not None)
        raise InputError(
            None,
            f"there is no column {name!r} (there are: {present})",
            "name the columns in Reward(…, references=…, completions=…, sources=…)",
        )
    return columns[name]


def _parse_mix(mix: Any) -> list[_Part]:
    """Return a mix's metrics, with weights that sum to 1."""
    if not isinstance(mix, Mapping):
        return [_Part(*_parse_bounded(mix), 1.0)]
    if not mix:
        raise SettingError("a mix needs at least one metric, as in {'bleu': 0.5, 'chrf': 0.5}")
    weights = [_check_weight(choice, weight) for choice, weight in mix.items()]
    _, exponent = math.frexp(max(weights))
    weights = [math.ldexp(weight, -exponent) for weight in weights]  # prevents overflow of the sum
    total = math.fsum(weights)
    parts: list[_Part] = []
    labels: list[str] = []
    for choice, weight in zip(mix, weights, strict=True):
        label, metric = _parse_bounded(choice)
        if any(metric == part.metric for part in parts):
            raise SettingError(f"the mix has the metric {label!r} twice: name it once")
        labels.append(label)
        number = labels.count(label)
        parts.append(_Part(label if number == 1 else f"{label}-{number}", metric, weight / total))
    return parts


def _check_weight(choice: Any, weight: Any) -> float:
    try:
        number = as_float(weight)
    except (TypeError, OverflowError):
        number = math.nan
    if 0 < number < math.inf:
        return number
    raise SettingError(f"the weight of {choice!r} must be a number above 0, not {describe(weight)}")


def _parse_bounded(choice: Any) -> tuple[str, Metric[Any]]:
    label, metric = parse_metric(choice, for_segments=True)
    if metric.higher_is_better and not metric.is_bounded and metric.highest_value is None:
        raise SettingError(f"{label} has no highest value, so it cannot be a reward: choose a different metric")
    return label, metric
