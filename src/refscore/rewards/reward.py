"""A metric, or a mix of several, as a reward.

TRL's `GRPOTrainer` calls `reward(prompts=…, completions=…, **columns)` and takes a list of numbers; verl calls
`compute_score(data_source, solution_str, ground_truth, extra_info)`, or a function of lists of these. All completions
of a batch are scored together, and references that neighbours share are read once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, SettingError, relocated
from refscore.metrics import Metric, MetricChoice, parse_metric
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.settings import as_float
from refscore.rewards.batches import Batch, Extract, parse_extract, read_batch
from refscore.segments.arrays import describe


class _Part(NamedTuple):
    label: str
    metric: Metric[Any]
    weight: float


class Reward:
    """A metric, or a mix of several, as a reward for completions. From 0 to 1, higher is better.

    A metric where lower is better counts as 1 - min(value, 1). An empty completion has the reward 0. A completion
    without a reference (None, or an empty list) has the reward None, and TRL omits it. A reward can be pickled, and
    called from several threads and processes.

    Args:
        metric: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or a dictionary from such to weights; the reward is
            then the weighted mean. A metric given by its bare name has the settings for single segments: BLEU those of
            sacrebleu's `sentence_bleu`.
        references: The name of the column with the references.
        completions: The name of the argument with the completions; "completion_ids" for TRL's token ids.
        extract: The part of a completion that is scored: a regular expression, whose last match that is not empty
            counts (its first group, if it has one; `.` also matches line breaks in one given as a string), or a
            function from text to text. Without a match, or if the function returns None, the completion counts as
            empty.
        pad_id: The padding id in rows of token ids, on both sides. It is dropped anywhere in a row.
        name: The name in the trainer's logs; by default the names of the metrics.
        threads: How many to use; all cores by default.

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
        extract: str | re.Pattern[str] | Extract | None = None,
        pad_id: int | None = None,
        name: str | None = None,
        threads: int | None = None,
    ) -> None:
        for setting, value in (("references", references), ("completions", completions), ("name", name)):
            if (not isinstance(value, str) or not value) and not (setting == "name" and value is None):
                raise SettingError(f"{setting} must be a non-empty text, not {value!r}")
        if pad_id is not None and (isinstance(pad_id, bool) or not isinstance(pad_id, (int, np.integer))):
            raise SettingError(f"pad_id must be an integer, not {pad_id!r}")
        kernel_threads(threads)
        self._parts = _parse_mix(metric)
        self._names = (completions, references)
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
        """All settings of the metrics, as text; with the weights of several."""
        if len(self._parts) == 1:
            return self._parts[0].metric.signature
        return " + ".join(f"{part.weight:.6g} × {part.metric.signature}" for part in self._parts)

    def __repr__(self) -> str:
        return f"<reward {self.__name__}: {self.signature}>"

    def __call__(self, *, completions: Any = None, **columns: Any) -> list[float | None]:
        """Return the rewards of a batch, as TRL's trainers ask for them.

        Args:
            completions: Texts; chats (lists of messages), whose last message by the assistant counts; or token ids:
                lists, arrays, or a batch (a 2-D array or tensor, or `refscore.padded`).
            **columns: The column of the references: for each completion a text, a chat or token ids, a list of such,
                or None; or a batch of ids. Other columns are ignored, except TRL's `log_metric`: a mix reports the mean
                of each of its metrics.

        Returns:
            One number for each completion; None for one without a reference.
        """
        given = {"completions": completions, **columns}
        completions, references = (_column(given, name) for name in self._names)
        batch = self._read(completions, references, self._names)
        rewards: list[float | None] = [None] * batch.size
        for index, value in zip(batch.indexes, self._values(batch, columns.get("log_metric")).tolist(), strict=True):
            rewards[index] = value
        return rewards

    def compute_score(
        self, data_source: Any, solution_str: Any, ground_truth: Any, extra_info: Any = None, **_: Any
    ) -> float:
        """Return the reward of one completion, as verl asks for it.

        Args:
            data_source: Ignored.
            solution_str: The completion.
            ground_truth: Its reference, or a list of several.
            extra_info: Ignored.

        Returns:
            The reward.

        Example:
            >>> from refscore.rewards import Reward
            >>> Reward("rougeL").compute_score("news", "a dog barks", ["the dog barks", "a dog barks"])
            1.0
        """
        return self.compute_scores([data_source], [solution_str], [ground_truth])[0]

    def compute_scores(
        self, data_sources: Any, solution_strs: Any, ground_truths: Any, extra_infos: Any = None, **_: Any
    ) -> list[float]:
        """Return the rewards of a batch, as verl's batch reward manager asks for them.

        Args:
            data_sources: Ignored.
            solution_strs: The completions.
            ground_truths: For each its reference, or a list of several. All must be there: verl needs every reward.
            extra_infos: Ignored.

        Returns:
            One number for each completion.

        Example:
            >>> from refscore.rewards import Reward
            >>> Reward("wer").compute_scores(["news", "news"], ["a dog", ""], ["a dog", "a cat"])
            [1.0, 0.0]
        """
        batch = self._read(solution_strs, ground_truths, ("solution_strs", "ground_truths"))
        if len(batch.indexes) < batch.size:
            missing = min({*range(batch.size)} - {*batch.indexes})
            raise InputError(Location("ground_truths", missing), "is missing", "every completion needs a reference")
        scores: list[float] = self._values(batch).tolist()
        return scores

    def _read(self, completions: Any, references: Any, names: tuple[str, str]) -> Batch:
        return read_batch(completions, references, names, self._extract, self._pad_id)

    def _values(self, batch: Batch, log_metric: Any = None) -> NDArray[np.float64]:
        total = np.zeros(len(batch.empty))
        if len(total) == 0:
            return total
        for part in self._parts:
            with relocated(batch.locate):
                values = part.metric.segments(batch.hypotheses, batch.references, threads=self._threads)
            values = np.clip(values if part.metric.higher_is_better else 1 - values, 0, 1)
            values[batch.empty] = 0
            if callable(log_metric) and len(self._parts) > 1:
                log_metric(f"{self.__name__}/{part.label}", float(values.mean()))
            total += part.weight * values
        return np.minimum(total, 1)  # rounded weights may add up to more than 1


def _column(columns: Mapping[str, Any], name: str) -> Any:
    if columns.get(name) is None:
        present = ", ".join(other for other, value in columns.items() if value is not None)
        raise InputError(
            None,
            f"there is no column {name!r} (there are: {present})",
            "name the columns by Reward(…, references=…, completions=…)",
        )
    return columns[name]


def _parse_mix(mix: Any) -> list[_Part]:
    """The metrics with weights that sum to 1."""
    if not isinstance(mix, Mapping):
        return [_Part(*_parse_bounded(mix), 1.0)]
    if not mix:
        raise SettingError("a mix needs at least one metric, as in {'bleu': 0.5, 'chrf': 0.5}")
    weights = [_check_weight(choice, weight) for choice, weight in mix.items()]
    _, exponent = math.frexp(max(weights))
    weights = [math.ldexp(weight, -exponent) for weight in weights]  # so no sum overflows
    total = math.fsum(weights)
    parts: list[_Part] = []
    labels: list[str] = []
    for choice, weight in zip(mix, weights, strict=True):
        label, metric = _parse_bounded(choice)
        if any(metric == part.metric for part in parts):
            raise SettingError(f"the mix has the metric {label!r} twice")
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
    if metric.higher_is_better and not metric.is_bounded:
        raise SettingError(f"{label} has no highest value, so it cannot be a reward from 0 to 1: choose another metric")
    return label, metric
