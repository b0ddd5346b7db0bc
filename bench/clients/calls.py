"""Run the calls of a client in its environment: `python calls.py CLIENT SEGMENTS ROUNDS [LIBRARY…]`.

Replaces the libraries by refscore's drop-ins and imports the client. Prints the values and the best time in seconds of
each of its scoring functions as JSON.
"""

from __future__ import annotations

import json
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

Calls = Iterator[tuple[str, Callable[[], Any]]]


class Texts(NamedTuple):
    """Generated hypotheses, with two references each."""

    hypotheses: list[str]
    references: list[list[str]]

    @property
    def first(self) -> list[str]:
        """Return the first reference of each segment."""
        return [texts[0] for texts in self.references]


def generate(segments: int) -> Texts:
    """Return segments of one to three sentences. About every fifth word differs from the references."""
    generator = random.Random(1)
    words = ["".join(generator.choices("abcdefghijklmnoprstuvwy", k=generator.randint(2, 9))) for _ in range(3000)]
    frequencies = [1 / rank for rank in range(1, len(words) + 1)]

    def sentence() -> list[str]:
        return generator.choices(words, frequencies, k=generator.randint(4, 15))

    def pick(word: str, changed: float) -> str:
        return generator.choice(words) if generator.random() < changed else word

    def text(sentences: list[list[str]], changed: float) -> str:
        return " ".join(
            " ".join(generator.choice(words) if generator.random() < changed else word for word in each).capitalize()
            + "."
            for each in sentences
        )

    originals = [[sentence() for _ in range(generator.randint(1, 3))] for _ in range(segments)]
    references = [[text(sentences, 0.0), text(sentences, 0.15)] for sentences in originals]
    return Texts([text(sentences, 0.2) for sentences in originals], references)


def lm_eval(texts: Texts) -> Calls:
    """Yield the corpus metrics of its tasks, their standard errors, and the answers of TruthfulQA.

    Standard errors come from 100 samples of 50 segments. The drop-in also draws 1,000, to compare the times.
    """
    from lm_eval.api import metrics
    from lm_eval.tasks.truthfulqa import utils

    items = list(zip(texts.references, texts.hypotheses, strict=True))
    for name in ("bleu", "chrf", "chrfpp", "ter"):
        yield f"api.metrics.{name}", partial(getattr(metrics, name), items)
    more = 1000 if metrics.bootstrap_stderr.__module__.startswith("refscore") else 100
    for name in ("bleu", "chrf", "ter"):
        error = partial(metrics.bootstrap_stderr, getattr(metrics, name), items[:50])
        yield f"standard error of {name}, 100 samples", partial(_rounded, error, 100)
        yield f"standard error of {name}, 100 samples; drop-in 1,000", partial(_without_value, error, more)
    answers = [{"correct_answers": pair[:1], "incorrect_answers": pair[1:]} for pair in texts.references[:30]]
    completions = [[text] for text in texts.hypotheses]
    yield "truthfulqa.process_results_gen", partial(_each, utils.process_results_gen, answers, completions)


def mbrs(texts: Texts) -> Calls:
    """Yield the calls of decoding: all pairs of candidates, and candidates against aggregated references."""
    from mbrs.metrics.bleu import MetricBLEU
    from mbrs.metrics.chrf import MetricChrF
    from mbrs.metrics.ter import MetricTER

    candidates = texts.hypotheses[:24]
    for kind in (MetricBLEU, MetricChrF, MetricTER):
        metric = kind(kind.Config(num_workers=1))
        name = kind.__name__
        yield f"{name}.pairwise_scores", partial(metric.pairwise_scores, candidates, candidates)
        yield f"{name}.corpus_score", partial(metric.corpus_score, texts.hypotheses, [texts.first])
        if kind is not MetricTER:
            method = metric.expected_scores_reference_aggregation
            yield f"{name}.{method.__name__}", partial(method, candidates, texts.first[:24])


def helm(texts: Texts) -> Calls:
    """Yield the metrics that compare a completion with its reference."""
    _without_nltk_data()
    from helm.benchmark.metrics import evaluate_reference_metrics as metrics

    metrics.word_tokenize = str.split
    functions = {name: getattr(metrics, name) for name in ("bleu_1", "bleu_4", "wer_score", "mer_score", "cer_score")}
    functions |= {f"rouge {kind}": metrics.get_rouge_function(kind) for kind in ("rouge1", "rouge2", "rougeL")}
    for name, function in functions.items():
        yield name, partial(_each, function, texts.first, texts.hypotheses)


def ragas(texts: Texts) -> Calls:
    """Yield the metrics without a model. BLEU passes references in a transposed shape."""
    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics import BleuScore, ChrfScore, RougeScore

    samples = [
        SingleTurnSample(response=response, reference=reference)
        for response, reference in zip(texts.hypotheses, texts.first, strict=True)
    ]
    for metric in (BleuScore(), ChrfScore(), RougeScore()):
        yield (
            type(metric).__name__,
            partial(_each, partial(_awaited, metric._single_turn_ascore, callbacks=None), samples),
        )


def lighteval(texts: Texts) -> Calls:
    """Yield the corpus metrics, where chrF and TER pass transposed references, and the metrics of samples."""
    _without_nltk_data()
    from lighteval.metrics import metrics_sample
    from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric
    from lighteval.metrics.sample_preparator import GenerativeCorpusMetricInput
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    metrics_sample.word_tokenize = str.split
    pairs = list(zip(texts.references, texts.hypotheses, strict=True))
    items = [GenerativeCorpusMetricInput(golds=references, preds=[text]) for references, text in pairs]
    for name in ("bleu", "chrf", "chrf++", "ter"):
        yield f"corpus {name}", partial(CorpusLevelTranslationMetric(name).compute_corpus, items)
    samples = [
        (Doc(query="", choices=references, gold_index=[0, 1]), ModelResponse(text=[text])) for references, text in pairs
    ]
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    metrics = {"ROUGE": metrics_sample.ROUGE(kinds, multiple_golds=True), "BLEU": metrics_sample.BLEU(1)}
    for name, metric in metrics.items():
        yield f"samples {name}", partial(_each, metric.compute, *zip(*samples, strict=True))


def joeynmt(texts: Texts) -> Calls:
    """Yield the metrics of its validation."""
    from joeynmt import metrics

    yield "bleu", lambda: metrics.bleu(texts.hypotheses, texts.first, tokenize="13a")
    yield "chrf", lambda: metrics.chrf(texts.hypotheses, texts.first, word_order=2)


def simuleval(texts: Texts) -> Calls:
    """Yield the quality metrics of simultaneous translation."""
    from simuleval.evaluator.scorers.quality_scorer import SacreBLEUScorer

    instances = {
        i: SimpleNamespace(prediction=text, reference=reference)
        for i, (text, reference) in enumerate(zip(texts.hypotheses, texts.first, strict=True))
    }
    for tokenizer in ("13a", "char"):
        yield f"SacreBLEUScorer, {tokenizer}", partial(SacreBLEUScorer(tokenizer), instances)


CLIENTS = {function.__name__: function for function in (lm_eval, mbrs, helm, ragas, lighteval, joeynmt, simuleval)}


def _without_nltk_data() -> None:
    """Prevent downloads. Clients tokenize with NLTK's data; this benchmark splits at whitespace instead."""
    import nltk

    nltk.download = lambda *_, **__: False


def _awaited(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the result of an asynchronous function that never suspends."""
    try:
        function(*arguments, **options).send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("it waits")


def _rounded(function: Callable[..., float], *arguments: Any) -> float:
    """Return a result with 10 digits, because the order of summation differs."""
    return float(f"{function(*arguments):.9e}")


def _without_value(function: Callable[..., Any], *arguments: Any) -> None:
    """Call a function only for its time: different numbers of samples have different values."""
    function(*arguments)


def _each(function: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
    return list(map(function, *arguments))


def _plain(value: Any) -> Any:
    """Convert a result to JSON types."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value.tolist() if hasattr(value, "tolist") else value


def main(client: str, segments: str, rounds: str, *libraries: str) -> None:
    """Print the values and times of a client's calls."""
    if libraries:
        from refscore import compat

        compat.install(*libraries)
    import numpy as np

    warnings.simplefilter("ignore")
    results = {}
    for name, call in CLIENTS[client](generate(int(segments))):
        seconds = []
        for _ in range(int(rounds)):
            np.random.seed(1)  # for rouge-score's bootstrap
            begin = time.perf_counter()
            value = call()
            seconds.append(time.perf_counter() - begin)
        results[name] = [_plain(value), min(seconds)]
    print(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
