"""Time every public function of the drop-ins with one small call: `python -m bench.small_calls [LIBRARY …]`.

Each function gets generated texts of 1, 8 and 25 words, a different text in every call, in refscore and in the original
library. The table shows the times of the original divided by those of refscore, so above 1 refscore is faster. Results
are compared first. The exit status is 1 if one differs. It does not depend on the times.

Some originals have no counterpart here: the modules of evaluate are downloaded from the Hub, PTBTokenizer of
pycocoevalcap starts Java, and lm_eval, lmms_eval and lighteval are timed by `python -m bench.clients`.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bench import data, peers

LENGTHS = (1, 8, 25)
_SEGMENTS = 40
_TOLERANCE = 1e-6  # torchmetrics computes in single precision

Find = Callable[[Any], Callable[..., Any]]
"""Returns the function that is timed, given the module."""

Arguments = Callable[[str, str], Sequence[Any]]
"""Returns the arguments of a call, given a hypothesis and a reference."""


class Call(NamedTuple):
    """One public function.

    Attributes:
        module: The module that contains it, in the original library.
        name: What the table shows: a function, or a class and a method.
        find: Returns the function, given the module.
        arguments: Returns the arguments of a call, given two texts.
    """

    module: str
    name: str
    find: Find
    arguments: Arguments


def _texts(hypothesis: str, reference: str) -> Sequence[Any]:
    return hypothesis, reference


def _words(hypothesis: str, reference: str) -> Sequence[Any]:
    return hypothesis.split(), reference.split()


def _numbers(hypothesis: str, reference: str) -> Sequence[Any]:
    return [sum(map(ord, word)) for word in hypothesis.split()], [sum(map(ord, word)) for word in reference.split()]


def _one_text(hypothesis: str, reference: str) -> Sequence[Any]:
    return (hypothesis,)


def _nothing(hypothesis: str, reference: str) -> Sequence[Any]:
    return ()


def _swapped(hypothesis: str, reference: str) -> Sequence[Any]:
    return reference, hypothesis


def _corpus(hypothesis: str, reference: str) -> Sequence[Any]:
    return [hypothesis], [[reference]]


def _sentence(hypothesis: str, reference: str) -> Sequence[Any]:
    return hypothesis, [reference]


def _each(module: str, names: str, arguments: Arguments) -> Iterator[Call]:
    for name in names.split():
        yield Call(module, name, lambda place, name=name: getattr(place, name), arguments)  # type: ignore[misc]


def _editdistance() -> Iterator[Call]:
    for name in ("eval", "distance"):
        for kind, arguments in (("text", _texts), ("words", _words), ("numbers", _numbers)):
            yield Call("editdistance", f"{name}, {kind}", lambda m, n=name: getattr(m, n), arguments)  # type: ignore[misc]
    for name in ("eval_criterion", "distance_le_than"):
        for kind, arguments in (("text", _texts), ("words", _words)):
            yield Call(
                "editdistance",
                f"{name}, {kind}",
                lambda m, n=name: getattr(m, n),  # type: ignore[misc]
                lambda h, r, a=arguments: (*a(h, r), 3),  # type: ignore[misc]
            )


def _ranks(hypothesis: str, reference: str) -> Sequence[Any]:
    length = len(hypothesis.split()) + 1  # spearman_rho needs two
    return (Random(hypothesis).sample(range(length), length),)


def _nltk() -> Iterator[Call]:
    translate = "nltk.translate"
    yield from _each("nltk.metrics.distance", "edit_distance", _words)
    yield Call(
        "nltk.metrics.distance",
        "edit_distance, transpositions",
        lambda m: partial(m.edit_distance, transpositions=True),
        _words,
    )
    yield from _each(f"{translate}.bleu_score", "sentence_bleu", lambda h, r: ([r.split()], h.split()))
    yield from _each(f"{translate}.bleu_score", "corpus_bleu", lambda h, r: ([[r.split()]], [h.split()]))
    yield Call(
        f"{translate}.bleu_score",
        "sentence_bleu, smoothed",
        lambda m: partial(m.sentence_bleu, smoothing_function=m.SmoothingFunction().method1),
        lambda h, r: ([r.split()], h.split()),
    )
    for order in (1, 2):
        yield Call(
            f"{translate}.bleu_score",
            f"modified_precision, n={order}",
            lambda m: m.modified_precision,
            lambda h, r, n=order: ([r.split()], h.split(), n),  # type: ignore[misc]
        )
    yield from _each(
        f"{translate}.bleu_score", "closest_ref_length", lambda h, r: ([r.split(), h.split()], len(h.split()))
    )
    yield from _each(f"{translate}.bleu_score", "brevity_penalty", lambda h, r: (len(r.split()), len(h.split())))
    yield from _each(f"{translate}.bleu_score", "SmoothingFunction", _nothing)
    yield from _each(f"{translate}.bleu_score", "Fraction", lambda h, r: (len(h.split()) - 1, len(h.split())))
    for number in (0, 1, 2, 3, 4, 5, 7):
        yield Call(
            f"{translate}.bleu_score",
            f"SmoothingFunction().method{number}",
            lambda m, n=number: _smoothing(m, n),  # type: ignore[misc]
            lambda h, r: (len(h.split()), [r.split()], h.split()),
        )
    chrf = f"{translate}.chrf_score"
    yield from _each(chrf, "sentence_chrf", _swapped)
    yield from _each(chrf, "corpus_chrf", lambda h, r: ([r], [h]))
    yield from _each(chrf, "chrf_precision_recall_fscore_support", lambda h, r: (r, h, 2))
    yield from _each(f"{translate}.gleu_score", "sentence_gleu", lambda h, r: ([r.split()], h.split()))
    yield from _each(f"{translate}.gleu_score", "corpus_gleu", lambda h, r: ([[r.split()]], [h.split()]))
    for name in ("meteor_score", "single_meteor_score"):
        yield Call(
            f"{translate}.meteor_score",
            name,
            lambda m, n=name: partial(getattr(m, n), wordnet=peers.NoSynonyms()),  # type: ignore[misc]
            lambda h, r, n=name: (r.split() if n.startswith("single") else [r.split()], h.split()),  # type: ignore[misc]
        )
    yield from _each(f"{translate}.meteor_score", "exact_match stem_match", _words)
    for name in ("align_words", "wordnetsyn_match"):
        yield Call(
            f"{translate}.meteor_score",
            name,
            lambda m, n=name: partial(getattr(m, n), wordnet=peers.NoSynonyms()),  # type: ignore[misc]
            _words,
        )
    for n in (1, 5):
        nist = f"{translate}.nist_score"
        yield Call(nist, f"sentence_nist, n={n}", lambda m: m.sentence_nist, _long_enough(n, one=True))
        yield Call(nist, f"corpus_nist, n={n}", lambda m: m.corpus_nist, _long_enough(n, one=False))
    yield from _each(f"{translate}.nist_score", "nist_length_penalty", lambda h, r: (len(r.split()), len(h.split())))
    ribes = f"{translate}.ribes_score"
    yield from _each(ribes, "sentence_ribes", lambda h, r: ([r.split()], h.split()))
    yield from _each(ribes, "corpus_ribes", lambda h, r: ([[r.split()]], [h.split()]))
    yield from _each(ribes, "word_rank_alignment", lambda h, r: (r.split(), h.split()))
    yield from _each(ribes, "kendall_tau spearman_rho", _ranks)
    yield Call(
        ribes, "find_increasing_sequences", lambda m: lambda ranks: list(m.find_increasing_sequences(ranks)), _ranks
    )
    yield from _each(ribes, "position_of_ngram", lambda h, r: (tuple(r.split()[-1:]), r.split()))


def _long_enough(order: int, one: bool) -> Arguments:
    """Return the arguments of NIST. NLTK divides by 0 if the hypothesis has too few words."""

    def arguments(hypothesis: str, reference: str) -> Sequence[Any]:
        words, target = (" ".join([text] * order).split() for text in (hypothesis, reference))
        return ([target], words, order) if one else ([[target]], [words], order)

    return arguments


def _smoothing(module: Any, number: int) -> Callable[..., Any]:
    method = getattr(module.SmoothingFunction(), f"method{number}")
    fraction = module.Fraction

    def call(length: int, references: Any, hypothesis: Any) -> Any:
        counts = [
            fraction(max(length - n, 1), length) if number == 0 else fraction(max(length - n, 0), length)
            for n in range(4)
        ]
        return [float(value) for value in method(counts, references=references, hypothesis=hypothesis, hyp_len=length)]

    return call


def _jiwer() -> Iterator[Call]:
    yield from _each("jiwer", "wer mer wip wil cer process_words process_characters", _swapped)
    yield Call("jiwer", "process_words, alignments", lambda m: lambda r, h: m.process_words(r, h).alignments, _swapped)
    yield Call(
        "jiwer",
        "process_characters, alignments",
        lambda m: lambda r, h: m.process_characters(r, h).alignments,
        _swapped,
    )
    for name in ("visualize_alignment", "visualize_error_counts", "collect_error_counts"):
        yield Call("jiwer", name, lambda m, n=name: _of_output(m, getattr(m, n)), _swapped)  # type: ignore[misc]
    yield from _each("jiwer", "AlignmentChunk", lambda h, r: ("equal", 0, len(h), 0, len(h)))
    chains = "wer_default wer_contiguous wer_standardize wer_standardize_contiguous cer_default cer_contiguous"
    yield from _each("jiwer", chains, lambda h, r: ([h],))
    settings: dict[str, Sequence[Any]] = {
        "Compose": ([],),
        "SubstituteRegexes": ({r"\d+": "#"},),
        "SubstituteWords": ({"the": "a"},),
        "RemoveSpecificWords": (["the", "a"],),
    }
    names = (
        "ReduceToListOfListOfWords ReduceToListOfListOfChars ReduceToSingleSentence SubstituteRegexes SubstituteWords "
        "RemoveSpecificWords RemoveWhiteSpace RemovePunctuation RemoveMultipleSpaces Strip RemoveEmptyStrings "
        "ExpandCommonEnglishContractions ToLowerCase ToUpperCase RemoveKaldiNonWords"
    )
    for name in (*names.split(), "Compose"):
        given = settings.get(name, ())
        yield Call(
            "jiwer",
            f"{name}(…)",
            lambda m, n=name, g=given: _constructor(getattr(m, n), g),  # type: ignore[misc]
            _nothing,
        )
        if name != "Compose":
            yield Call(
                "jiwer",
                f"{name}(…)(…)",
                lambda m, n=name, g=given: getattr(m, n)(*g),  # type: ignore[misc]
                _one_text,
            )


def _constructor(kind: Any, arguments: Sequence[Any]) -> Callable[..., Any]:
    return lambda: kind(*arguments) and None


def _of_output(module: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gets the output of two texts, which is computed before."""
    outputs: dict[tuple[str, str], Any] = {}

    def call(reference: str, hypothesis: str) -> Any:
        output = outputs.get((reference, hypothesis))
        if output is None:
            output = outputs[reference, hypothesis] = module.process_words(reference, hypothesis)
            output.alignments  # noqa: B018 - computed on demand
        return function(output)

    return call


def _rouge(library: str) -> Iterator[Call]:
    yield Call(library, "Rouge()", lambda m: _constructor(m.Rouge, ()), _nothing)
    yield Call(library, "Rouge().get_scores", lambda m: m.Rouge().get_scores, _texts)
    yield Call(library, "Rouge().get_scores, avg", lambda m: partial(m.Rouge().get_scores, avg=True), _texts)
    yield Call(
        library, "Rouge(rouge-1).get_scores", lambda m: m.Rouge(metrics=["rouge-1"], stats=["f"]).get_scores, _texts
    )
    yield Call(library, "Rouge(exclusive=False).get_scores", lambda m: m.Rouge(exclusive=False).get_scores, _texts)
    parts = f"{library}.rouge_score"
    yield from _each(parts, "rouge_n rouge_l_summary_level", lambda h, r: ([h], [r]))
    yield from _each(parts, "multi_rouge_n", lambda h, r: ([[h], [r]], [(0, 1)]))
    yield from _each(parts, "f_r_p_rouge_n", lambda h, r: (len(h), len(r), 1))


def _rouge_score() -> Iterator[Call]:
    scorer = "rouge_score.rouge_scorer"
    for names, stem in (("rouge1", False), ("rougeL", False), ("rougeLsum", False), ("rouge1 rouge2 rougeL", True)):
        made = partial(_rouge_scorer, names=names.split(), stem=stem)
        title = f"RougeScorer({names}{', stemmed' if stem else ''})"
        yield Call(scorer, title, lambda m, f=made: _constructor(lambda: f(m), ()), _nothing)  # type: ignore[misc]
        yield Call(scorer, f"{title}.score", lambda m, f=made: f(m).score, _swapped)  # type: ignore[misc]
        yield Call(
            scorer,
            f"{title}.score_multi",
            lambda m, f=made: f(m).score_multi,  # type: ignore[misc]
            lambda h, r: ([r, h], h),
        )
    yield Call("rouge_score.tokenize", "tokenize", lambda m: m.tokenize, lambda h, r: (h, None))
    tokenizers = "rouge_score.tokenizers"
    yield Call(tokenizers, "DefaultTokenizer()", lambda m: _constructor(m.DefaultTokenizer, ()), _nothing)
    yield Call(tokenizers, "DefaultTokenizer().tokenize", lambda m: m.DefaultTokenizer().tokenize, _one_text)
    yield Call(tokenizers, "DefaultTokenizer(True).tokenize", lambda m: m.DefaultTokenizer(True).tokenize, _one_text)
    scoring = "rouge_score.scoring"
    yield from _each(scoring, "Score", lambda h, r: (0.5, 0.25, 1 / 3))
    yield from _each(scoring, "AggregateScore", lambda h, r: (0.5, 0.25, 1 / 3))
    yield from _each(scoring, "fmeasure", lambda h, r: (0.5, 1 / len(h)))
    yield Call(scoring, "BootstrapAggregator()", lambda m: _constructor(m.BootstrapAggregator, ()), _nothing)
    yield Call(scoring, "BootstrapAggregator().add_scores", _adder, lambda h, r: (0.5, 0.25, 1 / len(h)))
    yield Call(scoring, "BootstrapAggregator().aggregate", _aggregated, lambda h, r: (0.5, 0.25, 1 / len(h)))


def _rouge_scorer(module: Any, names: list[str], stem: bool) -> Any:
    return module.RougeScorer(names, use_stemmer=stem)


def _adder(module: Any) -> Callable[..., Any]:
    aggregator, score = module.BootstrapAggregator(), module.Score
    return lambda *numbers: aggregator.add_scores({"rouge1": score(*numbers)})


def _aggregated(module: Any) -> Callable[..., Any]:
    def call(*numbers: float) -> Any:
        np.random.seed(1)
        aggregator = module.BootstrapAggregator(n_samples=20)
        for factor in (1, 2, 3):
            aggregator.add_scores({"rouge1": module.Score(*(number * factor for number in numbers))})
        return aggregator.aggregate()

    return call


def _sacrebleu() -> Iterator[Call]:
    yield from _each("sacrebleu", "corpus_bleu raw_corpus_bleu corpus_chrf corpus_ter", _corpus)
    yield from _each("sacrebleu", "sentence_bleu sentence_chrf sentence_ter", _sentence)
    yield from _each("sacrebleu", "extract_word_ngrams", lambda h, r: (h.split(), 2))
    yield from _each("sacrebleu", "extract_char_ngrams", lambda h, r: (h, 3))
    helpers = "sacrebleu.metrics.helpers"
    yield from _each(helpers, "extract_all_word_ngrams", lambda h, r: (h, 1, 4))
    yield from _each(helpers, "extract_all_char_ngrams", lambda h, r: (h, 6))
    yield from _each("sacrebleu.metrics.lib_ter", "translation_edit_rate", _words)
    yield from _each("sacrebleu.utils", "sum_of_lists", lambda h, r: ([[1, 2, len(h)], [3, 4, 5]],))
    yield from _each("sacrebleu.utils", "my_log", lambda h, r: (len(h),))
    for name, options in (("BLEU", {"effective_order": True}), ("CHRF", {}), ("TER", {})):
        metric = partial(_sacrebleu_metric, name=name, options=options)
        yield Call("sacrebleu", f"{name}()", lambda m, f=metric: _constructor(lambda: f(m), ()), _nothing)  # type: ignore[misc]
        yield Call("sacrebleu", f"{name}().sentence_score", lambda m, f=metric: f(m).sentence_score, _sentence)  # type: ignore[misc]
        yield Call("sacrebleu", f"{name}().corpus_score", lambda m, f=metric: f(m).corpus_score, _corpus)  # type: ignore[misc]
        yield Call(
            "sacrebleu",
            f"{name}(references=…).corpus_score",
            lambda m, n=name, o=options: _with_references(getattr(m, n), o),  # type: ignore[misc]
            _texts,
        )
        yield Call("sacrebleu", f"{name}().get_signature", lambda m, f=metric: _signature(f(m)), _nothing)  # type: ignore[misc]
        yield Call("sacrebleu", f"{name}Score.format", lambda m, f=metric: _formatted(f(m)), _nothing)  # type: ignore[misc]
    yield Call(
        "sacrebleu", "BLEU.compute_bleu", lambda m: m.BLEU.compute_bleu, lambda h, r: ([4, 3, 2, 1], [5, 4, 3, 2], 5, 5)
    )
    tokenizers = {
        "13a": "Tokenizer13a",
        "intl": "TokenizerV14International",
        "none": "NoneTokenizer",
        "char": "TokenizerChar",
        "zh": "TokenizerZh",
        "re": "TokenizerRegexp",
        "ter": "TercomTokenizer",
    }
    for name, kind in tokenizers.items():
        module = f"sacrebleu.tokenizers.tokenizer_{name}"
        yield Call(module, f"{kind}()", lambda m, k=kind: _constructor(getattr(m, k), ()), _nothing)  # type: ignore[misc]
        yield Call(module, f"{kind}()(…)", lambda m, k=kind: getattr(m, k)(), _one_text)  # type: ignore[misc]


def _sacrebleu_metric(module: Any, name: str, options: dict[str, Any]) -> Any:
    return getattr(module, name)(**options)


def _with_references(kind: Any, options: dict[str, Any]) -> Callable[..., Any]:
    return lambda hypothesis, reference: kind(references=[[reference]], **options).corpus_score([hypothesis], None)


def _signature(metric: Any) -> Callable[..., Any]:
    metric.sentence_score("a", ["a"])
    return lambda: metric.get_signature().format()


def _formatted(metric: Any) -> Callable[..., Any]:
    score: Callable[..., Any] = metric.sentence_score("a b", ["a c"]).format
    return score


def _captions(hypothesis: str, reference: str) -> Sequence[Any]:
    return {1: [reference, hypothesis + " x"], 2: ["a b"]}, {1: [hypothesis], 2: ["a c"]}


def _pycocoevalcap() -> Iterator[Call]:
    quiet = {"verbose": 0}
    for name, options in (("Bleu", quiet), ("Cider", {}), ("Rouge", {})):
        module = f"pycocoevalcap.{name.lower()}.{name.lower()}"
        yield Call(module, f"{name}()", lambda m, n=name: _constructor(getattr(m, n), ()), _nothing)  # type: ignore[misc]
        yield Call(
            module,
            f"{name}().compute_score",
            lambda m, n=name, o=options: partial(getattr(m, n)().compute_score, **o),  # type: ignore[misc]
            _captions,
        )
        yield Call(module, f"{name}().method", lambda m, n=name: getattr(m, n)().method, _nothing)  # type: ignore[misc]
    rouge = "pycocoevalcap.rouge.rouge"
    yield Call(rouge, "Rouge().calc_score", lambda m: m.Rouge().calc_score, lambda h, r: ([h], [r, h + " x"]))


_ONE_REFERENCE = (
    "word_error_rate char_error_rate match_error_rate word_information_lost word_information_preserved edit_distance"
)
_SEVERAL = "bleu_score sacre_bleu_score chrf_score translation_edit_rate extended_edit_distance"
_CLASSES_OF_ONE = "WordErrorRate CharErrorRate MatchErrorRate WordInfoLost WordInfoPreserved EditDistance"
_CLASSES_OF_SEVERAL = "BLEUScore SacreBLEUScore CHRFScore TranslationEditRate ExtendedEditDistance"


def _torchmetrics() -> Iterator[Call]:
    def one(hypothesis: str, reference: str) -> Sequence[Any]:
        return [hypothesis], [reference]

    def questions(hypothesis: str, reference: str) -> Sequence[Any]:
        answers = {"answers": {"text": [reference], "answer_start": [0]}, "id": "1"}
        return [{"prediction_text": hypothesis, "id": "1"}], [answers]

    functions, classes = "torchmetrics.functional.text", "torchmetrics.text"
    yield from _each(functions, _ONE_REFERENCE, one)
    yield from _each(functions, _SEVERAL, _corpus)
    yield from _each(functions, "squad", questions)
    keys = {"rouge_keys": ("rouge1", "rouge2", "rougeL")}
    yield Call(functions, "rouge_score", lambda m: partial(m.rouge_score, **keys), one)
    kinds: list[tuple[str, Arguments, dict[str, Any]]] = [
        *((name, one, {}) for name in _CLASSES_OF_ONE.split()),
        *((name, _corpus, {}) for name in _CLASSES_OF_SEVERAL.split()),
        ("SQuAD", questions, {}),
        ("ROUGEScore", one, keys),
    ]
    for name, arguments, options in kinds:
        made = partial(_torchmetrics_metric, name=name, options=options)
        yield Call(classes, f"{name}()", lambda m, f=made: _constructor(lambda: f(m) is None, ()), _nothing)  # type: ignore[misc]
        yield Call(classes, f"{name}().update", lambda m, f=made: f(m).update, arguments)  # type: ignore[misc]
        yield Call(classes, f"{name}().forward", lambda m, f=made: f(m).forward, arguments)  # type: ignore[misc]
        yield Call(classes, f"{name}().compute", lambda m, f=made: _computed(f(m)), arguments)  # type: ignore[misc]


def _torchmetrics_metric(module: Any, name: str, options: dict[str, Any]) -> Any:
    return getattr(module, name)(**options)


def _computed(metric: Any) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        metric.reset()
        metric.update(*arguments)
        return metric.compute()

    return call


LIBRARIES: dict[str, Callable[[], Iterator[Call]]] = {
    "editdistance": _editdistance,
    "jiwer": _jiwer,
    "nltk": _nltk,
    "pycocoevalcap": _pycocoevalcap,
    "rouge": partial(_rouge, "rouge"),
    "rouge_chinese": partial(_rouge, "rouge_chinese"),
    "rouge_score": _rouge_score,
    "sacrebleu": _sacrebleu,
    "torchmetrics": _torchmetrics,
}


def segments(length: int) -> list[tuple[str, str]]:
    """Return hypotheses of some number of words, and references that differ in about every fifth word."""
    generator = data.Generator(length)
    pairs = []
    for _ in range(_SEGMENTS):
        words: list[str] = []
        while len(words) < length:
            words += generator.segment()
        varied = generator.vary(words[:length], 0.2)
        pairs.append((" ".join(words[:length]), " ".join(varied)))
    return pairs


def once(function: Callable[..., Any], calls: Sequence[Sequence[Any]]) -> float:
    """Return the seconds per call."""
    peers.clear_caches()
    gc.disable()
    try:
        start = time.perf_counter()
        for arguments in calls:
            function(*arguments)
        return (time.perf_counter() - start) / len(calls)
    finally:
        gc.enable()


def ratio(call: Call, length: int, rounds: int) -> tuple[float, float, str]:
    """Return the best times of refscore and of the original, and a difference between their results."""
    ours = call.find(importlib.import_module(f"refscore.compat.{call.module}"))
    theirs = call.find(importlib.import_module(call.module))
    pairs = segments(length)
    inputs = [call.arguments(*pair) for pair in pairs]
    problem = next(filter(None, (_difference(ours(*one), theirs(*one)) for one in inputs)), "")
    times: tuple[list[float], list[float]] = [], []
    deadline = time.perf_counter() + 2
    for _ in range(rounds):
        for function, found in zip((ours, theirs), times, strict=True):
            found.append(once(function, data_copy(call, pairs)))
        if time.perf_counter() > deadline:
            break
    return min(times[0]), min(times[1]), problem


def data_copy(call: Call, pairs: list[tuple[str, str]]) -> list[Sequence[Any]]:
    """Return the arguments with new strings, whose hashes and UTF-8 forms are not cached."""
    return [call.arguments(*data.fresh(pair)) for pair in pairs]


def _difference(one: Any, other: Any) -> str:
    """Return how two results differ, or an empty text. Objects of the libraries count as texts."""
    if isinstance(one, (str, bool, type(None))):
        return "" if one == other else f"{one!r} and {other!r}"
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return f"keys {sorted(map(str, one))} and {sorted(map(str, other))}"
        return next(filter(None, (_difference(one[key], other[key]) for key in one)), "")
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        if len(one) != len(other):
            return f"{len(one)} and {len(other)} items"
        return next(filter(None, map(_difference, one, other)), "")
    try:
        numbers = [np.asarray(value, dtype=float) for value in (one, other)]
    except (TypeError, ValueError):
        return "" if str(one) == str(other) or type(one).__module__.startswith("refscore.") else f"{one} and {other}"
    are_close = numbers[0].shape == numbers[1].shape and np.allclose(
        numbers[0], numbers[1], rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True
    )
    return "" if are_close else f"{one!r} and {other!r}"


def main() -> int:
    """Print the table. Return 1 if a result differs, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.small_calls", description=(__doc__ or "").split(":")[0])
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=f"only these: {', '.join(LIBRARIES)}")
    parser.add_argument("--only", default="", metavar="TEXT", help="only functions that contain this text")
    parser.add_argument("--below", type=float, default=math.inf, metavar="RATIO", help="print only smaller ratios")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="rounds of 40 calls (default: 15)")
    options = parser.parse_args()
    if unknown := {*options.libraries} - {*LIBRARIES}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}. Libraries: {', '.join(LIBRARIES)}")
    status = 0
    print(f"{'function':60}" + "".join(f"{f'{n} words':>24}" for n in LENGTHS))
    for library in options.libraries or LIBRARIES:
        if peers.optional(library) is None:
            print(f"{library}: not installed")
            continue
        for call in LIBRARIES[library]():
            title = f"{call.module}: {call.name}"
            if options.only not in title:
                continue
            cells, least = "", math.inf
            for length in LENGTHS:
                with warnings.catch_warnings(), redirect_stdout(StringIO()):
                    warnings.simplefilter("ignore")
                    ours, theirs, problem = ratio(call, length, options.rounds)
                least = min(least, theirs / ours)
                cells += f"{theirs / ours:8.2f}×{1e6 * ours:7.2f}/{1e6 * theirs:<7.2f}"
                if problem:
                    status = 1
                    print(f"{title}, {length} words: {problem}", file=sys.stderr)
            if least < options.below:
                print(f"{title:60}{cells}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
