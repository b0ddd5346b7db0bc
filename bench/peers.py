"""Calls of other tools. Each returns plain floats in 0..1, so values can be compared."""

from __future__ import annotations

import importlib
import logging
import math
import warnings
from collections import Counter
from collections.abc import Sequence
from importlib import metadata
from types import ModuleType
from typing import Any

PACKAGES = (
    "refscore", "sacrebleu", "nltk", "bleuscore", "fast-bleu", "fastchrf",
    "jiwer", "fastwer", "rapidfuzz", "universal-edit-distance", "kaldialign",
    "rouge-score", "rouge-score-rs", "rouge-rust", "torchmetrics",
    "numpy",
)  # fmt: skip
MISSING = "not installed (pip install '.[bench]')"

Pairs = tuple[list[Any], list[Any]]
"""Hypotheses, and references in the shape that the called tool expects."""


def optional(name: str) -> ModuleType | None:
    """Import a module, or return None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


sacrebleu: Any = optional("sacrebleu")
nltk: Any = optional("nltk.translate.bleu_score")
gleu: Any = optional("nltk.translate.gleu_score")
meteor: Any = optional("nltk.translate.meteor_score")
nist: Any = optional("nltk.translate.nist_score")
ribes: Any = optional("nltk.translate.ribes_score")
crystalbleu: Any = optional("crystalbleu")
fast_bleu: Any = optional("fast_bleu")
bleuscore: Any = optional("bleuscore")
chrf: Any = optional("nltk.translate.chrf_score")
fastchrf: Any = optional("fastchrf")
evaluate: Any = optional("evaluate")
coco_bleu: Any = optional("pycocoevalcap.bleu.bleu")
coco_cider: Any = optional("pycocoevalcap.cider.cider")
coco_rouge: Any = optional("pycocoevalcap.rouge.rouge")

# Both warn about unusual data, and printing warnings would be part of the measured time.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", module=r"nltk\.translate")


def versions() -> dict[str, str]:
    """Return the versions of refscore and of the installed peers."""
    found: dict[str, str] = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = MISSING
    return found


def clear_caches() -> None:
    """Empty sacrebleu's tokenizer caches. Otherwise a second run over the same text would not tokenize at all."""
    if sacrebleu is None:
        return
    for module, name in (
        ("tokenizer_13a", "Tokenizer13a"),
        ("tokenizer_re", "TokenizerRegexp"),
        ("tokenizer_ter", "TercomTokenizer"),
    ):
        tokenizer = getattr(importlib.import_module(f"sacrebleu.tokenizers.{module}"), name)
        clear = getattr(tokenizer.__call__, "cache_clear", None)
        if clear is not None:
            clear()


def sacrebleu_corpus(data: Pairs) -> float:
    """Score a corpus. References are streams."""
    return float(sacrebleu.corpus_bleu(data[0], data[1]).score) / 100


def sacrebleu_systems(data: Pairs) -> list[float]:
    """Score several systems with sacrebleu's cache of references. ``data[0]`` is a list of systems."""
    metric = sacrebleu.BLEU(references=data[1])
    return [metric.corpus_score(system, None).score / 100 for system in data[0]]


def sacrebleu_sentences(data: Pairs) -> list[float]:
    """Call ``sentence_bleu`` for each segment, which builds a metric per call."""
    call = sacrebleu.sentence_bleu
    return [call(hypothesis, references).score / 100 for hypothesis, references in zip(*data, strict=True)]


def sacrebleu_sentences_reused(data: Pairs) -> list[float]:
    """Score each segment with one metric object, which is faster."""
    call = sacrebleu.BLEU(effective_order=True).sentence_score
    return [call(hypothesis, references).score / 100 for hypothesis, references in zip(*data, strict=True)]


def sacrebleu_pairwise(data: Pairs) -> list[list[float]]:
    """Call ``sentence_bleu`` for every hypothesis with every reference."""
    call = sacrebleu.sentence_bleu
    return [[call(hypothesis, [reference]).score / 100 for reference in data[1]] for hypothesis in data[0]]


def sacrebleu_pairwise_reused(data: Pairs) -> list[list[float]]:
    """Score every pair with one metric object, whose tokenizer caches the texts."""
    call = sacrebleu.BLEU(effective_order=True).sentence_score
    return [[call(hypothesis, [reference]).score / 100 for reference in data[1]] for hypothesis in data[0]]


def sacrebleu_ter(data: Pairs, normalized: bool) -> float:
    """Score a corpus. References are streams."""
    return float(sacrebleu.TER(normalized=normalized).corpus_score(data[0], data[1]).score) / 100


def sacrebleu_ter_sentences(data: Pairs) -> list[float]:
    """Score each segment with one metric object."""
    call = sacrebleu.TER().sentence_score
    return [call(hypothesis, references).score / 100 for hypothesis, references in zip(*data, strict=True)]


def sacrebleu_ter_pairwise(data: Pairs) -> list[list[float]]:
    """Score every hypothesis with every reference, with one metric object."""
    call = sacrebleu.TER().sentence_score
    return [[call(hypothesis, [reference]).score / 100 for reference in data[1]] for hypothesis in data[0]]


def sacrebleu_paired(kind: str, samples: int, data: Pairs) -> list[float]:
    """Run sacrebleu's significance test with BLEU and chrF++ in one process. ``data[0]`` is a list of systems."""
    from sacrebleu.significance import PairedTest

    systems, references = data
    metrics = {"BLEU": sacrebleu.BLEU(), "chrF2++": sacrebleu.CHRF(word_order=2)}
    named = [(f"system {k}", texts) for k, texts in enumerate(systems)]
    results: Any = PairedTest(named, metrics, [references], test_type=kind, n_samples=samples)()[1]
    return [result.score / 100 for label in metrics for result in results[label]]


def nltk_corpus(data: Pairs) -> float:
    """Score a corpus of tokens. References are lists of token lists."""
    return float(nltk.corpus_bleu(data[1], data[0]))


def nltk_sentences(data: Pairs) -> list[float]:
    """Score tokens with one call per segment."""
    return [float(nltk.sentence_bleu(references, hypothesis)) for hypothesis, references in zip(*data, strict=True)]


class NoSynonyms:
    """A WordNet without words, so nothing depends on data that may be missing."""

    def synsets(self, word: str) -> list[Any]:
        """Return no synsets."""
        return []


def nltk_meteor(data: Pairs) -> list[float]:
    """Score tokens, already in lower case, with one call per segment."""
    call = meteor.meteor_score
    return [
        call(references, hypothesis, preprocess=str, wordnet=NoSynonyms())
        for hypothesis, references in zip(*data, strict=True)
    ]


def nltk_meteor_of_text(data: Pairs) -> list[float]:
    """Score text with one reference, split at whitespace and lowercased."""
    call = meteor.single_meteor_score
    return [call(ref.split(), text.split(), wordnet=NoSynonyms()) for text, ref in zip(*data, strict=True)]


def fast_bleu_self(generations: list[list[str]]) -> float:
    """Compute self-BLEU up to 4-grams. The brevity penalties vary between runs, so the value cannot be compared."""
    scores = fast_bleu.SelfBLEU(generations).get_score()[4]
    return float(sum(scores)) / len(scores)


def nltk_self_bleu(few: int, generations: list[list[str]]) -> list[float]:
    """Call ``sentence_bleu`` for a few generations with all others as references."""
    smoothing = nltk.SmoothingFunction().method1
    return [
        nltk.sentence_bleu([*generations[:i], *generations[i + 1 :]], generations[i], smoothing_function=smoothing)
        for i in range(few)
    ]


def python_distinct(orders: Sequence[int], texts: list[str]) -> list[float]:
    """Count distinct n-grams with sets of tuples."""
    shares = []
    split = [text.split() for text in texts]
    for n in orders:
        ngrams = [tuple(words[i : i + n]) for words in split for i in range(len(words) - n + 1)]
        shares.append(len(set(ngrams)) / len(ngrams))
    return shares


def nltk_gleu(data: Pairs) -> float:
    """Score a corpus of tokens. References are lists of token lists."""
    return float(gleu.corpus_gleu(data[1], data[0]))


def nltk_gleu_of_text(data: Pairs) -> list[float]:
    """Score text with one reference, split at whitespace, with one call per segment."""
    return [gleu.sentence_gleu([ref.split()], text.split()) for text, ref in zip(*data, strict=True)]


def crystalbleu_corpus(data: Pairs) -> float:
    """Find the 500 most frequent n-grams of the references, and score a corpus of tokens without them."""
    counts: Counter[tuple[str, ...]] = Counter()
    for order in range(1, 5):
        for refs in data[1]:
            for tokens in refs:
                counts.update(zip(*(tokens[begin:] for begin in range(order)), strict=False))
    return float(crystalbleu.corpus_bleu(data[1], data[0], ignoring=dict(counts.most_common(500))))


def nltk_nist(data: Pairs) -> float:
    """Score a corpus of tokens. References are lists of token lists."""
    return float(nist.corpus_nist(data[1], data[0]))


def nltk_ribes(data: Pairs) -> list[float]:
    """Score tokens with one call per segment."""
    return [ribes.sentence_ribes(references, hypothesis) for hypothesis, references in zip(*data, strict=True)]


def nltk_ribes_of_text(data: Pairs) -> list[float]:
    """Score text with one reference, split at whitespace."""
    return [ribes.sentence_ribes([ref.split()], text.split()) for text, ref in zip(*data, strict=True)]


def nltk_ribes_pairwise(data: Pairs) -> list[list[float]]:
    """Score every hypothesis with every reference. Text is split at whitespace once."""
    references = [reference.split() for reference in data[1]]
    return [[ribes.sentence_ribes([ref], words) for ref in references] for words in map(str.split, data[0])]


def bleuscore_corpus(data: Pairs) -> float:
    """Score a corpus with sacrebleu's reference length and without smoothing."""
    return float(bleuscore.compute(references=data[1], predictions=data[0], ref_len_method="closest")["bleu"])


def bleuscore_sentences(data: Pairs) -> list[float]:
    """Score with one call per segment."""
    call = bleuscore.compute
    return [
        call(references=[references], predictions=[hypothesis], ref_len_method="closest")["bleu"]
        for hypothesis, references in zip(*data, strict=True)
    ]


def sacrebleu_chrf(word_order: int, data: Pairs) -> float:
    """Score a corpus. References are streams."""
    return float(sacrebleu.CHRF(word_order=word_order).corpus_score(data[0], data[1]).score) / 100


def sacrebleu_chrf_sentences(word_order: int, data: Pairs) -> list[float]:
    """Score each segment with one metric object, which is faster than ``sentence_chrf``."""
    call = sacrebleu.CHRF(word_order=word_order).sentence_score
    return [call(hypothesis, references).score / 100 for hypothesis, references in zip(*data, strict=True)]


def sacrebleu_chrf_pairwise(data: Pairs) -> list[list[float]]:
    """Score every hypothesis with every reference."""
    call = sacrebleu.CHRF().sentence_score
    return [[call(hypothesis, [reference]).score / 100 for reference in data[1]] for hypothesis in data[0]]


def nltk_chrf(data: Pairs) -> float:
    """Score a corpus with one reference per segment."""
    return float(chrf.corpus_chrf(data[1], data[0]))


def nltk_chrf_sentences(data: Pairs) -> list[float]:
    """Score with one call per segment."""
    return [chrf.sentence_chrf(reference, hypothesis) for hypothesis, reference in zip(*data, strict=True)]


def fastchrf_sentences(data: Pairs) -> list[float]:
    """Score all segments in one call, each as a group of one hypothesis and one reference."""
    return [matrix[0][0] / 100 for matrix in fastchrf.pairwise_chrf(*data)]


def fastchrf_pairwise(data: Pairs) -> list[list[float]]:
    """Score all pairs of one group."""
    return [[value / 100 for value in row] for row in fastchrf.pairwise_chrf([data[0]], [data[1]])[0]]


def fastchrf_aggregate(data: Pairs) -> list[float]:
    """Score one group with aggregated references."""
    return [value / 100 for value in fastchrf.aggregate_chrf([data[0]], [data[1]])[0]]


def _nmt_bleu(hypothesis: list[str], references: list[list[str]], max_order: int = 4) -> float:
    """Compute BLEU of one segment as in TensorFlow's NMT tutorial, the origin of evaluate's bleu."""

    def grams(tokens: list[str]) -> Counter[tuple[str, ...]]:
        orders = range(1, max_order + 1)
        return Counter(tuple(tokens[i : i + n]) for n in orders for i in range(len(tokens) - n + 1))

    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= grams(reference)
    matches = [0] * max_order
    for gram, count in (grams(hypothesis) & most).items():
        matches[len(gram) - 1] += count
    totals = [max(len(hypothesis) - n, 0) for n in range(max_order)]
    if not all(matches):
        return 0.0
    mean = sum(math.log(match / total) for match, total in zip(matches, totals, strict=True)) / max_order
    ratio = len(hypothesis) / min(map(len, references))
    return math.exp(mean) * (1.0 if ratio > 1 else math.exp(1 - 1 / ratio))


def nmt_bleu_sentences(data: Pairs) -> list[float]:
    """Score with one call per segment. The text is tokenized by sacrebleu's 13a."""
    tokenize = sacrebleu.tokenizers.tokenizer_13a.Tokenizer13a()
    return [
        _nmt_bleu(tokenize(hypothesis).split(), [tokenize(reference).split() for reference in references])
        for hypothesis, references in zip(*data, strict=True)
    ]


def evaluate_bleu_sentences(data: Pairs) -> list[float]:
    """Score with one call per segment of a module of evaluate. Creating the module is timed too."""
    metric = _evaluate_module()
    return [
        metric.compute(predictions=[hypothesis], references=[references])["bleu"]
        for hypothesis, references in zip(*data, strict=True)
    ]


def _evaluate_module() -> Any:
    datasets: Any = importlib.import_module("datasets")
    text = datasets.Value("string", id="sequence")

    class Bleu(evaluate.Metric):  # type: ignore[misc]
        """A replacement for evaluate's bleu, which would be downloaded."""

        def _info(self) -> Any:
            features = datasets.Features({"predictions": text, "references": datasets.Sequence(text, id="references")})
            return evaluate.MetricInfo(description="", citation="", features=features)

        def _compute(self, predictions: list[str], references: list[list[str]]) -> dict[str, float]:
            return {"bleu": nmt_bleu_sentences((predictions, references))[0]}

    return Bleu()
