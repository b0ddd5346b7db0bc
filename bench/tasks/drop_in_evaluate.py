"""refscore's modules for Hugging Face's evaluate, compared with the libraries that the original modules call.

The original modules are downloaded from the Hub when they are loaded. Besides calling these libraries, they store the
segments; both sides omit this.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bench import error_rate_peers, peers
from bench.contestants import our_calls, peer
from bench.data import Corpus
from bench.timing import Task
from refscore.compat import evaluate

_CALLS = 500
_SEED = 1
_TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
rouge_scorer: Any = peers.optional("rouge_score.rouge_scorer")
scoring: Any = peers.optional("rouge_score.scoring")


def _compute(name: str, key: str | None, pairs: Any) -> float:
    module = evaluate.load(name, seed=_SEED)
    result = module.compute(predictions=pairs[0], references=pairs[1])
    return float(result if key is None else result[key])


def _sacrebleu(pairs: Any) -> float:
    return float(peers.sacrebleu.corpus_bleu(pairs[0], [pairs[1]]).score)


def _rouge(pairs: Any) -> float:
    scorer, aggregator = rouge_scorer.RougeScorer(_TYPES), scoring.BootstrapAggregator()
    for text, reference in zip(*pairs, strict=True):
        aggregator.add_scores(scorer.score(reference, text))
    before = np.random.get_state()
    np.random.seed(_SEED)
    result = aggregator.aggregate()
    np.random.set_state(before)
    return float(result["rougeL"].mid.fmeasure)


def _wer(pairs: Any) -> float:
    counts = [error_rate_peers.jiwer.process_words(reference, text) for text, reference in zip(*pairs, strict=True)]
    wrong = sum(count.substitutions + count.deletions + count.insertions for count in counts)
    return float(wrong / sum(count.substitutions + count.deletions + count.hits for count in counts))


def _task(corpus: Corpus, name: str, key: str | None, who: str, module: Any, original: Any) -> Task:
    pairs = (corpus.hypotheses, corpus.first_references())
    ours = partial(_compute, name, key)
    contestants = [our_calls(pairs, ours), peer(who, module, original, pairs, lambda: ours(pairs))]
    return Task(f"evaluate-{name}", f"evaluate's module {name}", "segments/s", contestants, len(pairs[0]))


def evaluate_sacrebleu(corpus: Corpus, seed: int) -> Task:
    """Time text with one reference."""
    return _task(corpus, "sacrebleu", "score", "sacrebleu", peers.sacrebleu, _sacrebleu)


def evaluate_rouge(corpus: Corpus, seed: int) -> Task:
    """Time all four types, with the bootstrap of 1000 samples."""
    return _task(corpus, "rouge", "rougeL", "rouge-score", rouge_scorer, _rouge)


def evaluate_wer(corpus: Corpus, seed: int) -> Task:
    """Time text with one call of jiwer per segment."""
    return _task(corpus, "wer", None, "jiwer", error_rate_peers.jiwer, _wer)


def _stored() -> Any:
    """Add evaluate's storage of segments to a call of sacrebleu; None if evaluate is not installed."""
    library: Any = peers.optional("evaluate")
    datasets: Any = peers.optional("datasets")
    if library is None or datasets is None or peers.sacrebleu is None:
        return None
    text = datasets.Value("string")

    class Stored(library.Metric):  # type: ignore[misc]
        def _info(self) -> Any:
            features = datasets.Features({"predictions": text, "references": text})
            return library.MetricInfo(description="", citation="", inputs_description="", features=features)

        def _compute(self, predictions: list[str], references: list[str]) -> dict[str, float]:
            return {"score": _sacrebleu((predictions, references))}

    return Stored(keep_in_memory=True)


def evaluate_call(corpus: Corpus, seed: int) -> Task:
    """Time one call per segment of a module that is loaded once."""
    hyps, refs = corpus.hypotheses[:_CALLS], corpus.first_references()[:_CALLS]
    module = evaluate.load("sacrebleu")

    def ours(pairs: Any) -> list[float]:
        return [module.compute(predictions=[text], references=[ref])["score"] for text, ref in zip(*pairs, strict=True)]

    def theirs(pairs: Any) -> list[float]:
        return [_sacrebleu(([text], [ref])) for text, ref in zip(*pairs, strict=True)]

    source = (hyps, refs)
    contestants = [our_calls(source, ours), peer("sacrebleu", peers.sacrebleu, theirs, source, lambda: ours(source))]
    stored = _stored()
    if stored is not None:

        def through(pairs: Any) -> list[float]:
            return [
                stored.compute(predictions=[text], references=[ref])["score"] for text, ref in zip(*pairs, strict=True)
            ]

        contestants.append(peer("evaluate and sacrebleu", stored, through, source, lambda: ours(source)))
    title = "evaluate's module sacrebleu, one call for each segment"
    return Task("evaluate-call", title, "µs/call", contestants, len(hyps), rate=False, scale=1e6)


TASKS = (evaluate_sacrebleu, evaluate_rouge, evaluate_wer, evaluate_call)
