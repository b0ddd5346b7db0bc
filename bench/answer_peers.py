"""Calls of other tools that score answers. Each returns plain floats, so values can be compared."""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import Any

import numpy as np

from .data import Corpus
from .peers import Pairs, optional

anls: Any = optional("anls")
torchmetrics: Any = optional("torchmetrics.functional.text")

_PUNCTUATION = set(string.punctuation)


def answers(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Return answers of one to ten words and their references. Every third answer is correct."""
    texts, references = [], []
    for i, (text, reference) in enumerate(zip(corpus.hypotheses, corpus.first_references(), strict=True)):
        words = 1 + i % 10
        references.append(" ".join(reference.split()[:words]))
        texts.append(f"the {references[-1]}" if i % 3 == 0 else " ".join(text.split()[:words]))
    return texts, references


def _normalized(text: str) -> str:
    text = "".join(char for char in text.lower() if char not in _PUNCTUATION)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def squad_exact_match(pairs: Pairs) -> float:
    """Compute exact match by the definition of SQuAD's script."""
    matches = [_normalized(text) == _normalized(reference) for text, reference in zip(*pairs, strict=True)]
    return sum(matches) / len(matches)


def squad_f1(pairs: Pairs) -> float:
    """Compute F1 by the definition of SQuAD's script."""
    total = 0.0
    for text, reference in zip(*pairs, strict=True):
        words, other = _normalized(text).split(), _normalized(reference).split()
        common = sum((Counter(words) & Counter(other)).values())
        if common:
            precision, recall = common / len(words), common / len(other)
            total += 2 * precision * recall / (precision + recall)
    return total / len(pairs[0])


def mean_anls(pairs: Pairs) -> float:
    """Compute ANLS with the package anls."""
    scores = [anls.anls_score(text, [reference]) for text, reference in zip(*pairs, strict=True)]
    return float(sum(scores) / len(scores))


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


def relaxed_accuracy(pairs: Pairs) -> float:
    """Compute relaxed accuracy by ChartQA's definition."""
    correct = 0
    for text, reference in zip(*pairs, strict=True):
        ours, theirs = _number(text), _number(reference)
        if ours is not None and theirs:
            correct += abs(ours - theirs) / abs(theirs) <= 0.05
        else:
            correct += text.lower() == reference.lower()
    return correct / len(pairs[0])


def numpy_exact_match(pairs: Pairs) -> float:
    """Compute evaluate's exact_match without case and punctuation, which is a few lines of NumPy."""
    table = str.maketrans("", "", string.punctuation)
    translate: Any = np.char.translate  # its types do not know dictionaries
    sides = [translate(np.char.lower(np.asarray(side)), table=table) for side in pairs]
    return float(np.mean(sides[0] == sides[1]))


def questions(pairs: Pairs) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return answers and references in the form of SQuAD."""
    predictions = [{"id": str(i), "prediction_text": text} for i, text in enumerate(pairs[0])]
    references = [{"id": str(i), "answers": {"text": [text], "answer_start": [0]}} for i, text in enumerate(pairs[1])]
    return predictions, references


def squad_f1_of_questions(library: Any, data: Any) -> float:
    """Compute torchmetrics' SQuAD of questions, which always has exact match and F1, and return F1."""
    return float(library.squad(*data)["f1"])
