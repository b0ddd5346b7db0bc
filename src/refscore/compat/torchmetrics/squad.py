"""SQuAD's exact match and F1 as torchmetrics computes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from torchmetrics.utilities import rank_zero_warn

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.sums import Results, Scoring, Sums, SumsMetric, amount, counts
from refscore.errors import InputError, Location
from refscore.metrics import TokenF1

_FORMAT = '{"id": "1", "answers": {"text": ["an answer", "another answer"], "answer_start": [0, 7]}}'


@dataclass
class _Scoring(Scoring):
    def states(self) -> dict[str, Any]:
        return {"f1_score": amount(), "exact_match": counts(), "total": counts()}

    def batch(self, preds: Any, target: Any) -> Sums:
        predictions = {
            prediction["id"]: prediction["prediction_text"]
            for prediction in _checked(preds, "prediction", ("prediction_text", "id"))
        }
        questions = _checked(target, "target", ("answers", "id"))
        texts, groups = [], []
        for i, question in enumerate(questions):
            if question["id"] not in predictions:
                rank_zero_warn(f"Unanswered question {question['id']} will receive score 0.")
                continue
            texts.append(predictions[question["id"]])
            groups.append(_answers(question, i))
        sums: dict[str, Any] = {"f1_score": 0.0, "exact_match": 0, "total": len(questions)}
        if texts:
            row = cached_metric(TokenF1, preset="torchmetrics").corpus(texts, groups).row.tolist()
            sums |= {"f1_score": row[0], "exact_match": int(row[3])}
        return sums

    def value(self, sums: Sums, results: Results) -> dict[str, Any]:
        """Return the means in percent, NaN without questions."""
        total = sums["total"]
        states = {"exact_match": "exact_match", "f1": "f1_score"}
        return {name: results(100.0 * sums[state] / total if total else math.nan) for name, state in states.items()}


def _checked(entries: Any, what: str, keys: tuple[str, str]) -> list[Any]:
    """Return listed dictionaries, and raise a KeyError if one lacks a key, as torchmetrics does."""
    listed = [entries] if isinstance(entries, dict) else list(entries)
    for entry in listed:
        if any(key not in entry for key in keys):
            fix = f" Pass {_FORMAT}" if what == "target" else ""
            raise KeyError(f"Expected keys in a single {what} are {keys[0]!r} and {keys[1]!r}.{fix}")
    return listed


def _answers(question: Any, i: int) -> list[str]:
    if "text" not in question["answers"]:
        raise KeyError(f"Expected keys in a 'answers' are 'text'. Pass {_FORMAT}")
    texts = list(question["answers"]["text"])
    if not texts:
        raise InputError(Location("target", i), "has no answers", 'pass [""] for a question without an answer')
    return texts


class SQuAD(SumsMetric, scoring=_Scoring):
    """Exact match and F1 for answers to questions, from 0 to 100. Higher is better."""

    higher_is_better: ClassVar[bool] = True
    plot_upper_bound: ClassVar[float] = 100.0
