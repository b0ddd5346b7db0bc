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

from refscore.errors import InputError, SettingError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.selection import read_name, segment_metric
from refscore.rewards.reading import Batch, Extract, described, extraction, in_their_words, read_batch


class _Part(NamedTuple):
    label: str
    metric: Metric[Any]
    weight: float


class Reward:
    """A metric, or a mix of several, as a reward for completions. From 0 to 1, higher is better.

    A metric where lower is better counts as 1 - min(value, 1). An empty completion has the reward 0, whatever the
    metric makes of it; one whose reference is missing (None, or an empty list) has the reward None, which TRL leaves
    out. A reward is a value that can be pickled and called from several threads and processes.

    Args:
        metric: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or a dictionary from such to weights, whose weighted
            mean is the reward. By its name alone, BLEU is sacrebleu's `sentence_bleu`.
        references: The name of the column that holds the references.
        completions: The name of the argument that holds what is scored; "completion_ids" for TRL's token ids.
        extract: What part of a completion is scored: a regular expression, of which the last match that is not empty
            counts (its first group, if it has one; `.` also matches line breaks in one given as a string), or a
            function from text to text. Where there is no match, or the function returns None, the completion counts as
            empty.
        pad_id: The id that fills up rows of token ids, on both sides. It is dropped wherever it stands.
        name: What trainers call the reward in their logs; by default the names of the metrics.
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
        metric: str | Metric[Any] | Mapping[Any, float] = "bleu",
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
                raise SettingError(f"{setting} must be a text that is not empty, not {value!r}")
        if pad_id is not None and (isinstance(pad_id, bool) or not isinstance(pad_id, (int, np.integer))):
            raise SettingError(f"pad_id must be an integer, not {pad_id!r}")
        kernel_threads(threads)
        self._parts = _parts(metric)
        self._names = (completions, references)
        self._extract = extraction(extract)
        self._pad_id = None if pad_id is None else int(pad_id)
        self._name = name
        self._threads = threads

    @property
    def __name__(self) -> str:
        """What trainers call the reward in their logs."""
        return self._name or "+".join(part.label for part in self._parts)

    @property
    def metrics(self) -> dict[Metric[Any], float]:
        """The metrics and their weights, which sum to 1."""
        return {part.metric: part.weight for part in self._parts}

    @property
    def signature(self) -> str:
        """All settings of the metrics, as text, with their weights where there are several."""
        if len(self._parts) == 1:
            return self._parts[0].metric.signature
        return " + ".join(f"{part.weight:.6g} × {part.metric.signature}" for part in self._parts)

    def __repr__(self) -> str:
        return f"<reward {self.__name__}: {self.signature}>"

    def __call__(self, *, completions: Any = None, **columns: Any) -> list[float | None]:
        """The rewards of a batch, as TRL's trainers ask for them.

        Args:
            completions: Texts; chats (lists of messages), of which the assistant's last message counts; or token ids:
                lists, arrays, or a batch (a 2-D array or tensor, or `refscore.padded`).
            **columns: The column of the references: for each completion a text, a chat or token ids, a list of such,
                or None; or a batch of ids. Of whatever else there is, only TRL's `log_metric` is used: a mix reports
                the mean of each of its metrics.

        Returns:
            One number for each completion; None where there is no reference.
        """
        given = {"completions": completions, **columns}
        batch = self._read([_column(given, name) for name in self._names], self._names)
        values = self._values(batch, self._names, columns.get("log_metric")).tolist()
        rewards: list[float | None] = [None] * batch.size
        for place, value in zip(range(batch.size) if batch.places is None else batch.places, values, strict=True):
            rewards[place] = value
        return rewards

    def compute_score(
        self, data_source: Any, solution_str: Any, ground_truth: Any, extra_info: Any = None, **_: Any
    ) -> float:
        """The reward of one completion, as verl asks for it.

        Args:
            data_source: Not looked at.
            solution_str: The completion.
            ground_truth: Its reference, or a list of several.
            extra_info: Not looked at.

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
        """The rewards of a batch, as verl's batch reward manager asks for them.

        Args:
            data_sources: Not looked at.
            solution_strs: The completions.
            ground_truths: For each its reference, or a list of several. None may be missing: verl has no reward for it.
            extra_infos: Not looked at.

        Returns:
            One number for each completion.

        Example:
            >>> from refscore.rewards import Reward
            >>> Reward("wer").compute_scores(["news", "news"], ["a dog", ""], ["a dog", "a cat"])
            [1.0, 0.0]
        """
        names = ("solution_strs", "ground_truths")
        batch = self._read([solution_strs, ground_truths], names)
        if batch.places is not None:
            missing = min({*range(batch.size)} - {*batch.places})
            raise InputError(None, f"ground_truths[{missing}] is missing: every completion needs a reference")
        scores: list[float] = self._values(batch, names).tolist()
        return scores

    def _read(self, columns: list[Any], names: tuple[str, str]) -> Batch:
        return read_batch(columns[0], columns[1], names, self._extract, self._pad_id)

    def _values(self, batch: Batch, names: tuple[str, str], log_metric: Any = None) -> NDArray[np.float64]:
        total = np.zeros(len(batch.empty))
        if len(total) == 0:
            return total
        for part in self._parts:
            try:
                values = part.metric.segments(batch.hypotheses, batch.references, threads=self._threads)
            except InputError as error:
                raise InputError(None, in_their_words(str(error), names, batch.places)) from None
            values = np.clip(values if part.metric.higher_is_better else 1 - values, 0, 1)
            values[batch.empty] = 0
            if callable(log_metric) and len(self._parts) > 1:
                log_metric(f"{self.__name__}/{part.label}", float(values.mean()))
            total += part.weight * values
        return np.minimum(total, 1)  # weights may sum to a little more


def _column(given: Mapping[str, Any], name: str) -> Any:
    if given.get(name) is None:
        there = ", ".join(other for other, value in given.items() if value is not None)
        raise InputError(
            None,
            f"there is no column {name!r} (there are: {there}): "
            "Reward(…, references=…) names the one with the references, completions=… the one that is scored",
        )
    return given[name]


def _parts(metric: Any) -> list[_Part]:
    """The metrics with weights that sum to 1."""
    if not isinstance(metric, Mapping):
        return [_Part(*_labelled(metric), 1.0)]
    if not metric:
        raise SettingError("a mix needs at least one metric, as in {'bleu': 0.5, 'chrf': 0.5}")
    weights = [_weight(name, weight) for name, weight in metric.items()]
    _, exponent = math.frexp(max(weights))
    weights = [math.ldexp(weight, -exponent) for weight in weights]  # so that no sum overflows
    total = math.fsum(weights)
    parts: list[_Part] = []
    labels: list[str] = []
    for name, weight in zip(metric, weights, strict=True):
        label, made = _labelled(name)
        if any(made == part.metric for part in parts):
            raise SettingError(f"the mix has the metric {label!r} twice")
        labels.append(label)
        number = labels.count(label)
        parts.append(_Part(label if number == 1 else f"{label}-{number}", made, weight / total))
    return parts


def _weight(name: Any, weight: Any) -> float:
    if isinstance(weight, (int, float, np.integer, np.floating)) and not isinstance(weight, bool):
        try:
            made = float(weight)
        except OverflowError:
            made = math.inf
        if 0 < made < math.inf:
            return made
    raise SettingError(f"the weight of {name!r} must be a number above 0, not {described(weight)}")


def _labelled(metric: Any) -> tuple[str, Metric[Any]]:
    made = segment_metric(metric)
    if made.name == "nist":
        raise SettingError("nist has no highest value, so that it makes no reward from 0 to 1: choose another metric")
    return read_name(metric)[0] if isinstance(metric, str) else made.name, made
