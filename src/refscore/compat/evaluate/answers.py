"""Compute the results of Hugging Face's modules for answers: exact_match, squad and squad_v2.

Each function has the name, options, defaults and keys of results of its module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.errors import InputError, Location
from refscore.metrics import ExactMatch, TokenF1

QUESTIONS = frozenset({"squad", "squad_v2"})
"""The modules with dictionaries as predictions and references."""


def exact_match(
    predictions: Sequence[str],
    references: Sequence[str],
    regexes_to_ignore: Iterable[str] | None = None,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
) -> dict[str, Any]:
    """Compute the share of predictions that are equal to their reference. Returns `exact_match`, from 0 to 1.

    Args:
        predictions: Texts.
        references: One text per prediction.
        regexes_to_ignore: Regular expressions to remove first. An empty list and no other option compares all texts at
            once, so the result is 1 or 0.
        ignore_case: Compare lowercase texts.
        ignore_punctuation: Remove ASCII punctuation.
        ignore_numbers: Remove the digits 0 to 9.

    Example:
        >>> from refscore.compat.evaluate.answers import exact_match
        >>> round(exact_match(["cat?", "theater"], ["cat", "theater"], ignore_punctuation=True)["exact_match"], 2)
        np.float64(1.0)
    """
    patterns = None if regexes_to_ignore is None else tuple(regexes_to_ignore)
    if patterns == () and not (ignore_case or ignore_punctuation or ignore_numbers):
        return {"exact_match": np.float64(list(predictions) == list(references))}
    metric = cached_metric(
        ExactMatch,
        preset="evaluate",
        lowercase=bool(ignore_case),
        ignore_punctuation=bool(ignore_punctuation),
        ignore_numbers=bool(ignore_numbers),
        ignore_patterns=patterns or (),
    )
    return {"exact_match": np.float64(metric.corpus(predictions, references).value)}


def squad(predictions: Sequence[Mapping[str, Any]], references: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Compute exact match and F1 like the script of SQuAD 1.1. Returns `exact_match` and `f1`, from 0 to 100.

    A question without a prediction scores 0, and its id is printed to the standard error.

    Args:
        predictions: Dictionaries with `id` and `prediction_text`.
        references: Dictionaries with `id` and `answers`, which has a list of texts as `text`.

    Example:
        >>> from refscore.compat.evaluate.answers import squad
        >>> answers = {"text": ["the Normans", "Normans"], "answer_start": [5, 9]}
        >>> squad([{"id": "1", "prediction_text": "Norman people"}], [{"id": "1", "answers": answers}])
        {'exact_match': 0.0, 'f1': 0.0}
    """
    questions = _Questions.read(references)
    texts = {str(prediction["id"]): prediction["prediction_text"] for prediction in predictions}
    if not all(questions.answers):
        place = Location("references", next(i for i, group in enumerate(questions.answers) if not group))
        raise InputError(place, "has no answers", "use squad_v2 for questions without answers")
    answered = questions
    for name in [name for name in questions.ids if name not in texts]:
        print(f"Unanswered question {name} will receive score 0.", file=sys.stderr)
        answered = questions.only(texts)
    hypotheses, groups = [texts[name] for name in answered.ids], answered.answers
    f1, _, _, exact, _ = (
        cached_metric(TokenF1, preset="squad").corpus(hypotheses, groups).row.tolist() if hypotheses else [0] * 5
    )
    return {"exact_match": 100.0 * exact / len(questions.ids), "f1": 100.0 * f1 / len(questions.ids)}


def squad_v2(
    predictions: Sequence[Mapping[str, Any]],
    references: Sequence[Mapping[str, Any]],
    no_answer_threshold: float = 1.0,
) -> dict[str, Any]:
    """Compute exact match and F1 like the script of SQuAD 2.0, from 0 to 100.

    Returns `exact`, `f1` and `total`; the same for questions with and without answers, with the prefixes `HasAns_` and
    `NoAns_`; and the best results of all thresholds with these thresholds, `best_exact`, `best_exact_thresh`, `best_f1`
    and `best_f1_thresh`.

    Args:
        predictions: Dictionaries with `id`, `prediction_text` and `no_answer_probability`.
        references: Dictionaries with `id` and `answers`, which has a list of texts as `text`, empty for a question
            without an answer.
        no_answer_threshold: The probability above which a prediction counts as "no answer".

    Example:
        >>> from refscore.compat.evaluate.answers import squad_v2
        >>> predictions = [{"id": "1", "prediction_text": "1976", "no_answer_probability": 0.0}]
        >>> result = squad_v2(predictions, [{"id": "1", "answers": {"text": ["in 1976"], "answer_start": [97]}}])
        >>> result["exact"], round(result["f1"], 2), result["HasAns_total"], result["best_f1_thresh"]
        (0.0, 66.67, 1, 0.0)
    """
    questions = _Questions.read(references).unique()
    texts = {str(prediction["id"]): prediction["prediction_text"] for prediction in predictions}
    # evaluate stores probabilities in single precision.
    probabilities = {
        str(prediction["id"]): float(np.float32(prediction["no_answer_probability"])) for prediction in predictions
    }
    for i, name in enumerate(questions.ids):
        if name not in texts:
            raise InputError(Location("references", i), f"has the id {name!r}, which no prediction has")
    hypotheses, groups = [texts[name] for name in questions.ids], [group or [""] for group in questions.answers]
    has_answer = np.array([bool(group) for group in questions.answers])
    rows = cached_metric(TokenF1, preset="squad_v2").stats(hypotheses, groups)
    raw = rows[:, 3], rows[:, 0]
    abstains = np.array([probabilities[name] for name in questions.ids]) > no_answer_threshold
    exact, f1 = (np.where(abstains, ~has_answer, scores) for scores in raw)
    result = _summary("", exact, f1)
    for prefix, chosen in (("HasAns_", has_answer), ("NoAns_", ~has_answer)):
        if chosen.any():
            result |= _summary(prefix, exact[chosen], f1[chosen])
    index = {name: i for i, name in enumerate(questions.ids)}
    known = [name for name in probabilities if name in index]
    places = np.array([index[name] for name in known], dtype=np.intp)
    for key, scores in zip(("best_exact", "best_f1"), raw, strict=True):
        best, threshold = _best_threshold(
            np.array([probabilities[name] for name in known]),
            np.where(has_answer[places], scores[places], [-float(bool(texts[name])) for name in known]),
            int((~has_answer).sum()),
        )
        result |= {key: 100.0 * best / len(scores), f"{key}_thresh": threshold}
    return result


def check_questions(module: str, predictions: Sequence[Any], references: Sequence[Any]) -> None:
    """Raise an error unless all predictions and references are dictionaries as the module needs them."""
    names = ("id", "prediction_text", "no_answer_probability")[: 2 if module == "squad" else 3]
    for i, prediction in enumerate(predictions):
        if not isinstance(prediction, Mapping) or any(name not in prediction for name in names):
            needed = ", ".join(names[:-1])
            raise InputError(Location("predictions", i), f"must be a dictionary with {needed} and {names[-1]}")
        text = prediction["prediction_text"]
        if not isinstance(text, str):
            raise InputError(Location("predictions", i), f"must have a string as prediction_text, not {text!r}")
    _Questions.read(references)


class _Questions(NamedTuple):
    ids: list[str]
    answers: list[list[str]]

    @classmethod
    def read(cls, references: Sequence[Any]) -> _Questions:
        questions = cls([], [])
        for i, reference in enumerate(references):
            try:
                answers = reference["answers"]
                texts = answers["text"] if isinstance(answers, Mapping) else [answer["text"] for answer in answers]
                questions.ids.append(str(reference["id"]))
            except (TypeError, KeyError):
                texts = None
            if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
                raise InputError(
                    Location("references", i),
                    "must be a dictionary with id and answers",
                    'pass {"id": …, "answers": {"text": [a list of texts], "answer_start": [a list of numbers]}}',
                )
            group = texts if isinstance(texts, list) else list(texts)
            if not all(isinstance(text, str) for text in group):
                raise InputError(Location("references", i), f"must have strings as answers, not {group!r}")
            questions.answers.append(group)
        return questions

    def only(self, known: Mapping[str, Any]) -> _Questions:
        """Return the questions with these ids."""
        chosen = [i for i, name in enumerate(self.ids) if name in known]
        return _Questions([self.ids[i] for i in chosen], [self.answers[i] for i in chosen])

    def unique(self) -> _Questions:
        """Return the last question of each id, in the order of the first."""
        groups = dict(zip(self.ids, self.answers, strict=True))
        return self if len(groups) == len(self.ids) else _Questions([*groups], [*groups.values()])


def _summary(prefix: str, exact: NDArray[Any], f1: NDArray[Any]) -> dict[str, Any]:
    total = len(exact)
    sums = {"exact": float(exact.sum()), "f1": float(sum(f1.tolist()))}
    return {f"{prefix}{name}": 100.0 * number / total for name, number in sums.items()} | {f"{prefix}total": total}


def _best_threshold(probabilities: NDArray[Any], changes: NDArray[Any], start: int) -> tuple[float, float]:
    """Return the largest sum of scores over all thresholds, and the first threshold with this sum.

    `start` is the sum if no question is answered. Answering a question in the order of the probabilities changes it.
    """
    order = np.argsort(probabilities, kind="stable")
    sums = np.cumsum([start, *changes[order].tolist()])
    best = int(np.argmax(sums))
    return float(sums[best]), float(probabilities[order[best - 1]]) if best else 0.0
