"""Exact match, F1 and ANLS of answers of one to ten words."""

from __future__ import annotations

from functools import partial
from typing import Any

import refscore
from bench import answer_peers as peers
from bench.contestants import ours, peer, scaled
from bench.data import Corpus
from bench.tasks.drop_in_torchmetrics import drop_in
from bench.timing import Task
from refscore.compat import evaluate

_FEW = 200


def _task(corpus: Corpus, name: str, title: str, metric: Any, who: str, original: Any) -> Task:
    source = peers.answers(corpus)

    def run(pairs: Any, threads: int | None) -> float:
        return float(metric.corpus(*pairs, threads=threads).value)

    contestants = [
        *ours("refscore", source, run),
        peer(who, peers, original, source, lambda: run(source, 1)),
    ]
    return Task(name, title, "answers/s", contestants, len(source[0]))


def exact_match(corpus: Corpus, seed: int) -> Task:
    """Time exact match as in SQuAD."""
    metric = refscore.ExactMatch.preset("squad")
    title = "Exact match of a corpus, as in SQuAD"
    return _task(corpus, "exact-match", title, metric, "SQuAD's definition in Python", peers.squad_exact_match)


def exact_match_text(corpus: Corpus, seed: int) -> Task:
    """Time exact match as in evaluate."""
    metric = refscore.ExactMatch.preset("evaluate", lowercase=True, ignore_punctuation=True)
    title = "Exact match of a corpus, as in evaluate, without case and punctuation"
    return _task(corpus, "exact-match-text", title, metric, "evaluate's definition in NumPy", peers.numpy_exact_match)


def token_f1(corpus: Corpus, seed: int) -> Task:
    """Time F1 as in SQuAD."""
    metric = refscore.TokenF1.preset("squad")
    title = "F1 of a corpus, as in SQuAD"
    return _task(corpus, "token-f1", title, metric, "SQuAD's definition in Python", peers.squad_f1)


def anls(corpus: Corpus, seed: int) -> Task:
    """Time ANLS as in the package anls."""
    metric = refscore.EditSimilarity.preset("anls")
    return _task(corpus, "anls", "ANLS of a corpus", metric, "anls", None if peers.anls is None else peers.mean_anls)


def chartqa(corpus: Corpus, seed: int) -> Task:
    """Time ChartQA's relaxed accuracy."""
    metric = refscore.Accuracy.preset("chartqa")
    title = "Relaxed accuracy of a corpus, as in ChartQA"
    return _task(corpus, "chartqa", title, metric, "ChartQA's definition in Python", peers.relaxed_accuracy)


def evaluate_squad(corpus: Corpus, seed: int) -> Task:
    """Time evaluate's module squad, with exact match and F1."""
    source = peers.answers(corpus)

    def run(questions: Any) -> float:
        predictions, references = questions
        return float(evaluate.load("squad").compute(predictions=predictions, references=references)["f1"])

    def both(questions: Any) -> float:
        texts = [prediction["prediction_text"] for prediction in questions[0]]
        pairs = texts, [reference["answers"]["text"][0] for reference in questions[1]]
        peers.squad_exact_match(pairs)
        return 100 * peers.squad_f1(pairs)

    def expected() -> float:
        return run(peers.questions(source))

    contestants = [
        peer("refscore", peers, run, source, copy=peers.questions),
        peer("SQuAD's definition in Python", peers, both, source, expected, copy=peers.questions),
    ]
    return Task(
        "evaluate-squad", "evaluate's module squad: exact match and F1", "answers/s", contestants, len(source[0])
    )


def torchmetrics_squad(corpus: Corpus, seed: int) -> Task:
    """Time torchmetrics' SQuAD, with exact match and F1."""
    source = peers.answers(corpus)
    few = tuple(side[:_FEW] for side in source)
    library = None if drop_in is None else drop_in.functional
    contestants = [
        peer("refscore", library, partial(peers.squad_f1_of_questions, library), source, copy=peers.questions),
        scaled(
            peer(
                *("torchmetrics", drop_in, partial(peers.squad_f1_of_questions, peers.torchmetrics), few),
                note="on a part of the answers, scaled",
                copy=peers.questions,
            ),
            len(source[0]) / len(few[0]),
        ),
    ]
    title = "torchmetrics' SQuAD of a corpus: exact match and F1"
    return Task("torchmetrics-squad", title, "answers/s", contestants, len(source[0]))


TASKS = (exact_match, exact_match_text, token_f1, anls, chartqa, evaluate_squad, torchmetrics_squad)
