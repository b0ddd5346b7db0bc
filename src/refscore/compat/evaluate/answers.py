"""Hugging Face's modules for answers: exact_match, squad and squad_v2."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from refscore.compat.metric_cache import cached_metric
from refscore.errors import InputError, Location
from refscore.metrics import ExactMatch, TokenF1


def exact_match(
    predictions: Sequence[str],
    references: Sequence[str],
    regexes_to_ignore: Iterable[str] | None = None,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
) -> dict[str, Any]:
    """Compute how many predictions equal their reference. Returns `exact_match`, from 0 to 1.

    An empty list as `regexes_to_ignore` and no other option compares all texts at once, so the result is 1 or 0.

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

    A prediction has `id` and `prediction_text`, a reference `id` and `answers` with a list of texts as `text`. A
    question without a prediction scores 0, and its id is printed to the standard error.

    Example:
        >>> from refscore.compat.evaluate.answers import squad
        >>> answers = {"text": ["the Normans", "Normans"], "answer_start": [5, 9]}
        >>> squad([{"id": "1", "prediction_text": "Norman people"}], [{"id": "1", "answers": answers}])
        {'exact_match': 0.0, 'f1': 0.0}
    """
    questions = _questions(references)
    texts = {str(prediction["id"]): prediction["prediction_text"] for prediction in predictions}
    for i, (_, answers) in enumerate(questions):
        if not answers:
            raise InputError(Location("references", i), "has no answers", "use squad_v2 for questions without answers")
    for name, _ in questions:
        if name not in texts:
            print(f"Unanswered question {name} will receive score 0.", file=sys.stderr)
    answered = [(texts[name], answers) for name, answers in questions if name in texts]
    f1 = exact = 0.0
    if answered:
        f1, _, _, exact, _ = cached_metric(TokenF1, preset="squad").corpus(*zip(*answered, strict=True)).row.tolist()
    return {"exact_match": 100.0 * exact / len(questions), "f1": 100.0 * f1 / len(questions)}


def squad_v2(
    predictions: Sequence[Mapping[str, Any]], references: Sequence[Mapping[str, Any]], no_answer_threshold: float = 1.0
) -> dict[str, Any]:
    """Compute exact match and F1 like the script of SQuAD 2.0, from 0 to 100.

    Predictions and references are as for `squad`. Predictions also have a `no_answer_probability`, and a question
    without an answer has an empty list. `HasAns_` and `NoAns_` are the results of questions with and without answers,
    `best_` the best results of all thresholds.

    Example:
        >>> from refscore.compat.evaluate.answers import squad_v2
        >>> predictions = [{"id": "1", "prediction_text": "1976", "no_answer_probability": 0.0}]
        >>> result = squad_v2(predictions, [{"id": "1", "answers": {"text": ["in 1976"], "answer_start": [97]}}])
        >>> result["exact"], round(result["f1"], 2), result["HasAns_total"], result["best_f1_thresh"]
        (0.0, 66.67, 1, 0.0)
    """
    questions = _questions(references)
    texts = {str(prediction["id"]): prediction["prediction_text"] for prediction in predictions}
    for i, (name, _) in enumerate(questions):
        if name not in texts:
            raise InputError(Location("references", i), f"has the id {name!r}, which no prediction has")
    # evaluate stores probabilities in single precision.
    probabilities = {
        str(prediction["id"]): float(np.float32(prediction["no_answer_probability"])) for prediction in predictions
    }
    answers = dict(questions)  # the last question of each id counts
    has_answer = np.array([bool(group) for group in answers.values()])
    rows = cached_metric(TokenF1, preset="squad_v2").stats(
        [texts[name] for name in answers], [group or [""] for group in answers.values()]
    )
    scores = {"exact": rows[:, 3], "f1": rows[:, 0]}
    abstains = np.array([probabilities[name] for name in answers]) > no_answer_threshold
    result: dict[str, Any] = {}
    for prefix, chosen in (("", np.full(len(answers), True)), ("HasAns_", has_answer), ("NoAns_", ~has_answer)):
        if chosen.any():
            for key, column in scores.items():
                values = np.where(abstains, ~has_answer, column)[chosen].tolist()
                result[f"{prefix}{key}"] = 100.0 * sum(values) / len(values)
            result[f"{prefix}total"] = len(values)
    # Without answers to any question, those without an answer are right. Answer one more at each threshold.
    order = [name for name in sorted(probabilities, key=probabilities.__getitem__) if name in answers]
    for key, column in scores.items():
        gains = dict(zip(answers, column.tolist(), strict=True))
        changes = [gains[name] if answers[name] else -float(bool(texts[name])) for name in order]
        sums = np.cumsum([float((~has_answer).sum()), *changes]).tolist()
        best = int(np.argmax(sums))
        result[f"best_{key}"] = 100.0 * sums[best] / len(answers)
        result[f"best_{key}_thresh"] = probabilities[order[best - 1]] if best else 0.0
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
    _questions(references)


def _questions(references: Sequence[Any]) -> list[tuple[str, list[str]]]:
    questions = []
    for i, reference in enumerate(references):
        try:
            answers = reference["answers"]
            texts = answers["text"] if isinstance(answers, Mapping) else [answer["text"] for answer in answers]
            name = str(reference["id"])
        except (TypeError, KeyError):
            texts = None
        if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
            raise InputError(
                Location("references", i),
                "must be a dictionary with id and answers",
                'pass {"id": …, "answers": {"text": [a list of texts], "answer_start": [a list of numbers]}}',
            )
        group = list(texts)
        if not all(isinstance(text, str) for text in group):
            raise InputError(Location("references", i), f"must have strings as answers, not {group!r}")
        questions.append((name, group))
    return questions
