"""Compute the results of Hugging Face's evaluation modules.

Each function has the name, options, defaults and keys of results of its module. `predictions` are texts, and
`references` has a text or a list of texts for each prediction.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import unescape

import numpy as np

from refscore.compat.bootstrap import resampled_means
from refscore.compat.evaluate.answers import QUESTIONS, exact_match, squad, squad_v2
from refscore.compat.metric_cache import cached_metric
from refscore.errors import InputError, NotInstalledError, SettingError, UnknownNameError
from refscore.metrics import (
    BLEU,
    CER,
    CHRF,
    GLEU,
    METEOR,
    NIST,
    ROUGE,
    SARI,
    TER,
    WER,
    CharacTER,
    ExactMatch,
    Metric,
    TokenF1,
)

Texts = Sequence[str]
References = Sequence[Any]
"""A reference or a list of references per prediction."""
Tokenize = Callable[[str], Sequence[Any]]

SOURCED = frozenset({"sari"})
"""The modules that also need `sources`."""

_SAMPLES = 1000


def bleu(
    predictions: Texts,
    references: References,
    tokenizer: Tokenize | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """Compute BLEU like tensorflow/nmt, with the shortest reference length. `smooth` adds 1 to every order.

    `tokenizer` is a function from text to tokens, mteval-v13a's by default. `max_order` is the longest n-gram order.
    Returns `bleu`, `precisions`, `brevity_penalty`, `length_ratio`, `translation_length` and `reference_length`.

    Example:
        >>> from refscore.compat.evaluate.scoring import bleu
        >>> bleu(["hello there general kenobi"], [["hello there general kenobi", "hello there!"]])["bleu"]
        1.0
    """
    metric = cached_metric(BLEU, preset="evaluate-smooth" if smooth else "evaluate", max_order=max_order)
    score = metric.corpus(*_tokenized(predictions, references, tokenizer))
    has_length = score.hyp_len > 0 and score.ref_len > 0
    precisions = list(score.precisions) if score.hyp_len > 0 else [float(smooth)] * metric.max_order  # 1/1, or 0
    return {
        "bleu": score.value if has_length else 0.0,
        "precisions": precisions,
        "brevity_penalty": score.brevity_penalty if has_length else 0.0,
        "length_ratio": score.ratio,
        "translation_length": score.hyp_len,
        "reference_length": score.ref_len,
    }


def google_bleu(
    predictions: Texts,
    references: References,
    tokenizer: Tokenize | None = None,
    min_len: int = 1,
    max_len: int = 4,
) -> dict[str, Any]:
    """Compute the GLEU of a corpus with n-grams from `min_len` to `max_len`. Returns `google_bleu`.

    `tokenizer` is a function from text to tokens, mteval-v13a's by default.

    Example:
        >>> from refscore.compat.evaluate.scoring import google_bleu
        >>> google_bleu(["a b c d"], [["a b x d"]])
        {'google_bleu': 0.4}
    """
    metric = cached_metric(GLEU, preset="evaluate", min_order=min_len, max_order=max_len)
    return {"google_bleu": metric.corpus(*_tokenized(predictions, references, tokenizer)).value}


def sacrebleu(
    predictions: Texts,
    references: References,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    """Compute BLEU like sacrebleu, from 0 to 100. All predictions must have the same number of references.

    The options are those of `refscore.compat.sacrebleu.corpus_bleu`, and `force` has no effect. Returns `score`,
    `counts`, `totals`, `precisions`, `bp`, `sys_len` and `ref_len`.

    Example:
        >>> from refscore.compat.evaluate.scoring import sacrebleu
        >>> round(sacrebleu(["on our way to ankh morpork"], [["goodbye ankh morpork", "ankh morpork"]])["score"], 2)
        16.23
    """
    from refscore.compat.sacrebleu.compat import corpus_bleu

    streams = _streams("sacrebleu", references)
    settings = smooth_method, smooth_value, True, lowercase, tokenize or "13a", use_effective_order
    score = corpus_bleu(predictions, streams, *settings)
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {name: getattr(score, name) for name in names}


def chrf(
    predictions: Texts,
    references: References,
    char_order: int = 6,
    word_order: int = 0,
    beta: int = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> dict[str, Any]:
    """Compute chrF like sacrebleu, from 0 to 100. All predictions must have the same number of references.

    The options are those of `refscore.compat.sacrebleu.CHRF`: `char_order`, `word_order` (2 for chrF++), `beta`,
    `lowercase`, `whitespace` and `eps_smoothing`. Returns `score`, `char_order`, `word_order` and `beta`.

    Example:
        >>> from refscore.compat.evaluate.scoring import chrf
        >>> chrf(["a cat"], [["a cat"]])
        {'score': 100.0, 'char_order': 6, 'word_order': 0, 'beta': 2}
    """
    from refscore.compat.sacrebleu.metrics import CHRF

    metric = CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    score = metric.corpus_score(predictions, _streams("chrf", references))
    return {name: getattr(score, name) for name in ("score", "char_order", "word_order", "beta")}


def ter(
    predictions: Texts,
    references: References,
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    """Compute TER like sacrebleu. 0 is best, and it may exceed 100.

    All predictions must have the same number of references. The options are those of `refscore.compat.sacrebleu.TER`,
    which calls `ignore_punct` `no_punct`, and `support_zh_ja_chars` `asian_support`. Returns `score`, `num_edits` and
    `ref_length`.

    Example:
        >>> from refscore.compat.evaluate.scoring import ter
        >>> ter(["does this sentence match??"], [["does this sentence match", "does this sentence match!?!"]])
        {'score': 25.0, 'num_edits': 1, 'ref_length': 4.0}
    """
    from refscore.compat.sacrebleu.metrics import TER

    metric = TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
    score = metric.corpus_score(predictions, _streams("ter", references))
    return {name: getattr(score, name) for name in ("score", "num_edits", "ref_length")}


def rouge(
    predictions: Texts,
    references: References,
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Tokenize | None = None,
) -> dict[str, Any]:
    """Compute the F-score of ROUGE like rouge-score.

    For "rougeLsum", texts must have one sentence per line. Returns a number per type, or a list of segment scores.

    Args:
        predictions: Texts.
        references: A text or a list of texts per prediction.
        rouge_types: "rouge1", "rouge2" and so on, "rougeL" and "rougeLsum"; 1, 2, L and Lsum by default.
        use_aggregator: Return one number per type: the median of the means of 1000 random samples of the segments,
            drawn by NumPy's global generator, which the module seeds.
        use_stemmer: Stem words with Porter's rules.
        tokenizer: A function from text to words. The default returns lowercase runs of A to Z and digits.

    Example:
        >>> from refscore.compat.evaluate.scoring import rouge
        >>> rouge(["hello there", "a cat"], ["hello there", "cats"], rouge_types=["rouge1"], use_aggregator=False)
        {'rouge1': [1.0, 0.0]}
    """
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"] if rouge_types is None else list(rouge_types)
    settings: dict[str, Any] = {"stem": bool(use_stemmer) and tokenizer is None}
    if tokenizer is not None:
        settings |= {"tokenizer": tokenizer, "lowercase": False}
    metrics = {}
    for name in types:
        if not isinstance(name, str) or not re.fullmatch("rouge([1-9]|L|Lsum)", name):
            raise UnknownNameError.suggest("rouge type", name, ROUGE.presets)
        metrics[name] = ROUGE(variant=name.removeprefix("rouge"), **settings)
    values = {name: metric.segments(predictions, references) for name, metric in metrics.items()}
    if use_aggregator:
        return {
            name: np.percentile(resampled_means(each[:, np.newaxis], _SAMPLES), 50) for name, each in values.items()
        }
    return {name: each.tolist() for name, each in values.items()}


def wer(predictions: Texts, references: Texts, concatenate_texts: bool = False) -> float:
    """Compute the word error rate like jiwer, as a number. 0 is best, and it may exceed 1.

    Each prediction has one reference. `concatenate_texts` makes a difference only if no reference has words.

    Example:
        >>> from refscore.compat.evaluate.scoring import wer
        >>> wer(["a cat sat down", "it rains"], ["the cat sat", "it rains"])
        0.4
    """
    return _rate(WER(), predictions, references, concatenate_texts, "words")


def cer(predictions: Texts, references: Texts, concatenate_texts: bool = False) -> float:
    """Compute the character error rate like jiwer. Arguments and result are as for `wer`.

    Example:
        >>> from refscore.compat.evaluate.scoring import cer
        >>> round(cer(["a cart"], ["the cat"]), 4)
        0.5714
    """
    return _rate(CER(), predictions, references, concatenate_texts, "characters")


def character(
    predictions: Texts, references: References, aggregate: str = "mean", return_all_scores: bool = False
) -> dict[str, Any]:
    """Compute CharacTER like the package cer. 0 is best, and 1 the largest score.

    With several references, the lowest score of a prediction counts. `aggregate` is "mean", "sum" or "median". Returns
    `cer_score`, and with `return_all_scores` also `cer_scores`, a list of segment scores.

    Example:
        >>> from refscore.compat.evaluate.scoring import character
        >>> round(character(["this is in fact an estimate"], ["this is actually an estimate"])["cer_score"], 4)
        0.2593
    """
    if aggregate not in _AGGREGATES:
        raise SettingError("aggregate must be one of " + ", ".join(map(repr, _AGGREGATES)) + f", not {aggregate!r}")
    groups = _groups(references)
    if any(not text.strip() for group in groups for text in group):
        raise ZeroDivisionError("a reference has no words")
    scores = cached_metric(CharacTER, preset="cer").segments(predictions, groups).tolist()
    result = {"cer_score": _AGGREGATES[aggregate](scores)}
    return {**result, "cer_scores": scores} if return_all_scores else result


_AGGREGATES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": statistics.mean,
    "median": statistics.median,
}


def meteor(
    predictions: Texts, references: References, alpha: float = 0.9, beta: float = 3, gamma: float = 0.5
) -> dict[str, Any]:
    """Compute METEOR like NLTK, as the mean over segments. Returns `meteor`.

    This needs NLTK and its data: `punkt_tab`, which splits text into words, and WordNet. The options are those of
    `refscore.compat.nltk.meteor_score`.
    """
    metric = METEOR(alpha=alpha, beta=beta, gamma=gamma, synonyms="wordnet")

    def split(text: str) -> list[str]:
        return [word.lower() for word in _words(text)]

    tokens = [[split(text) for text in group] for group in _groups(references)]
    return {"meteor": np.float64(metric.corpus([split(text) for text in predictions], tokens).value)}


def nist_mt(
    predictions: Texts,
    references: References,
    n: int = 5,
    lowercase: bool = False,
    western_lang: bool = True,
) -> dict[str, Any]:
    """Compute NIST like NLTK, with n-grams up to order `n`. Returns `nist_mt`.

    `western_lang` separates punctuation from words. `lowercase` has an effect only with `western_lang`.

    Example:
        >>> from refscore.compat.evaluate.scoring import nist_mt
        >>> round(nist_mt(["the cat sat on a mat"], [["the cat sat on the mat"]])["nist_mt"], 4)
        2.1875
    """
    texts = [_nist_text(text, western_lang) for text in predictions]
    groups = [[_nist_text(text, western_lang) for text in group] for group in _groups(references)]
    metric = NIST(tokenizer="13a" if western_lang else "none", lowercase=bool(lowercase and western_lang), max_order=n)
    return {"nist_mt": metric.corpus(texts, groups).value}


def sari(predictions: Texts, references: References, sources: Texts) -> dict[str, Any]:
    """Compute SARI of simplifications, with n-grams up to 4. Returns `sari`, from 0 to 100.

    `sources` are the texts that the predictions simplify.

    Example:
        >>> from refscore.compat.evaluate.scoring import sari
        >>> round(sari(["the cat was on it"], [["the cat sat on the mat"]], ["the cat perched on the mat"])["sari"], 2)
        40.28
    """
    metric = cached_metric(SARI, preset="evaluate")
    return {"sari": 100 * metric.corpus(predictions, _groups(references), sources=sources).value}


MODULES: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(bleu, cer, character, chrf, exact_match, google_bleu, meteor, nist_mt),
        *(rouge, sacrebleu, sari, squad, squad_v2, ter, wer),
    )
}


def describe_inputs(module: str) -> str:
    """Return the description of a module, its options, results and inputs."""
    if module in QUESTIONS:
        return str(MODULES[module].__doc__)
    sources = " `sources` has a text for each." if module in SOURCED else ""
    inputs = (
        "`predictions` are texts. `references` has a text or a list of texts for each; `wer`, `cer` and `exact_match` "
        "accept one text."
    )
    return f"{MODULES[module].__doc__}\n    {inputs}{sources}\n"


_METRICS: Mapping[str, type[Metric[Any]]] = {
    "bleu": BLEU,
    "cer": CER,
    "character": CharacTER,
    "chrf": CHRF,
    "exact_match": ExactMatch,
    "google_bleu": GLEU,
    "meteor": METEOR,
    "nist_mt": NIST,
    "rouge": ROUGE,
    "sacrebleu": BLEU,
    "sari": SARI,
    "squad": TokenF1,
    "squad_v2": TokenF1,
    "ter": TER,
    "wer": WER,
}
_SACREBLEU_PAPER = "Post (2018): A Call for Clarity in Reporting BLEU Scores. WMT."


def cite(module: str) -> str:
    """Return the papers of a module as BibTeX entries."""
    papers = list(_METRICS[module].papers)
    if module in ("chrf", "sacrebleu", "ter"):
        papers.append(_SACREBLEU_PAPER)
    return "".join(f"@misc{{{module}-{n}, note = {{{paper}}}}}\n" for n, paper in enumerate(papers, 1))


def _groups(references: References) -> list[list[str]]:
    return [[group] if isinstance(group, str) else list(group) for group in references]


def _streams(name: str, references: References) -> list[tuple[str, ...]]:
    """Return references as sacrebleu's streams."""
    groups = _groups(references)
    if len({len(group) for group in groups}) > 1:
        raise InputError(None, f"predictions have different numbers of references, which {name} does not accept")
    return list(zip(*groups, strict=True))


def _tokenized(predictions: Texts, references: References, tokenizer: Tokenize | None) -> tuple[list[Any], list[Any]]:
    """Tokenize both sides with the user's tokenizer. Without one, return them unchanged for the metric's."""
    if tokenizer is None:
        return list(predictions), _groups(references)
    return [tokenizer(text) for text in predictions], [
        [tokenizer(text) for text in group] for group in _groups(references)
    ]


def _words(text: str) -> Any:
    """Return the words of a text from `nltk.word_tokenize`. Raise an error if NLTK or its data is missing."""
    try:
        from nltk import word_tokenize

        return word_tokenize(text)
    except (ModuleNotFoundError, LookupError):
        raise NotInstalledError(
            "evaluate's meteor needs NLTK and its data punkt_tab: pip install 'refscore[wordnet]', then "
            "python -m nltk.downloader punkt_tab",
            name="nltk",
        ) from None


def _rate(metric: WER | CER, predictions: Texts, references: Texts, at_once: bool, what: str) -> float:
    score = metric.corpus(predictions, references)
    if score.ref_len == 0 and not at_once:
        raise ZeroDivisionError(f"the references have no {what}")
    return score.value


def _nist_text(text: str, western: bool) -> str:
    """Prepare a text so refscore splits it like NLTK's NIST, which differs in entities and end-of-line hyphens."""
    text = unescape(text.replace("<skipped>", ""), _ENTITIES).replace("\u2028", " ")
    # The tokenizer separates these characters anyway. Doing it now prevents reading them as part of an entity or of
    # <skipped>.
    return text.replace("&", " & ").replace("<", " < ").replace("\n", " ") if western else text


_ENTITIES = {"&apos;": "'", "&quot;": '"', "&#124;": "|", "&#91;": "[", "&#93;": "]"}
