"""What Hugging Face's evaluation modules compute: from predictions, references and options to their results.

Each function is named like its module, and has its options, defaults and keys of results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import unescape

import numpy as np

from refscore.compat.bootstrap import resampled_means
from refscore.compat.evaluate.nltk_words import words
from refscore.compat.metric_cache import cached_metric
from refscore.errors import InputError, UnknownNameError
from refscore.metrics import BLEU, CER, CHRF, GLEU, METEOR, NIST, ROUGE, TER, WER
from refscore.metrics.ter.metric import tercom_tokenizer

Texts = Sequence[str]
References = Sequence[Any]
"""For each prediction a reference, or a list of them."""
Tokenize = Callable[[str], Sequence[Any]]

_ADD_K = 1
_SAMPLES = 1000


def bleu(
    predictions: Texts,
    references: References,
    tokenizer: Tokenize | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """BLEU as in tensorflow/nmt: the shortest reference gives the length, and smoothing adds 1 to every order.

    Args:
        predictions: Texts.
        references: For each a text, or a list of texts.
        tokenizer: A function from text to tokens; that of mteval-v13a by default.
        max_order: The longest n-grams that count.
        smooth: Whether 1 is added to the matches and n-grams of every order.

    Returns:
        `bleu`, `precisions`, `brevity_penalty`, `length_ratio`, `translation_length` and `reference_length`.

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
    """GLEU of a corpus.

    Args:
        predictions: Texts.
        references: For each a text, or a list of texts.
        tokenizer: A function from text to tokens; that of mteval-v13a by default.
        min_len: The shortest n-grams that count.
        max_len: The longest.

    Returns:
        `google_bleu`.

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
    """BLEU as sacrebleu computes it, from 0 to 100.

    Args:
        predictions: Texts.
        references: For each a text, or a list of texts, as many for all.
        smooth_method: "exp", "floor", "add-k" or "none".
        smooth_value: That of "floor" (0.1 by default) or "add-k" (1 by default).
        force: Taken and not looked at: sacrebleu warns of text that looks tokenized without it.
        lowercase: Whether text is lowercased.
        tokenize: The name of a tokenizer of sacrebleu's; "13a" by default.
        use_effective_order: Whether orders that do not exist are left out of the mean.

    Returns:
        `score`, `counts`, `totals`, `precisions`, `bp`, `sys_len` and `ref_len`.

    Example:
        >>> from refscore.compat.evaluate.scoring import sacrebleu
        >>> round(sacrebleu(["on our way to ankh morpork"], [["goodbye ankh morpork", "ankh morpork"]])["score"], 2)
        16.23
    """
    from refscore.compat.sacrebleu import metrics as original

    name = tokenize or "13a"
    if name not in original.BLEU.TOKENIZERS:
        raise UnknownNameError.suggest("tokenizer", name, original.BLEU.TOKENIZERS)
    metric = cached_metric(
        BLEU,
        preset="sacrebleu",
        tokenizer=name,
        lowercase=bool(lowercase),
        smoothing=smooth_method,
        smoothing_value=smooth_value if smooth_method in ("floor", "add-k") else None,
        effective_order=bool(use_effective_order),
    )
    score = metric.corpus(predictions, _same_number("sacrebleu", references))
    counts, totals = list(score.counts), list(score.totals)
    if smooth_method == "add-k" and any(counts):  # sacrebleu shows what it has changed
        k: Any = _ADD_K if smooth_value is None else smooth_value
        counts = [counts[0], *(count + k for count in counts[1:])]
        totals = [totals[0], *(total + k for total in totals[1:])]
    return {
        "score": score.percent,
        "counts": counts,
        "totals": totals,
        "precisions": [100 * precision for precision in score.precisions],
        "bp": score.brevity_penalty,
        "sys_len": score.hyp_len,
        "ref_len": score.ref_len,
    }


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
    """ChrF as sacrebleu computes it, from 0 to 100.

    Args:
        predictions: Texts.
        references: For each a text, or a list of texts, as many for all.
        char_order: The longest character n-grams that count.
        word_order: The longest word n-grams that count; 2 makes it chrF++.
        beta: How many times as much recall counts as precision.
        lowercase: Whether text is lowercased.
        whitespace: Whether white space is among the characters.
        eps_smoothing: Whether the score is the mean of all orders' F-scores.

    Returns:
        `score`, `char_order`, `word_order` and `beta`.

    Example:
        >>> from refscore.compat.evaluate.scoring import chrf
        >>> chrf(["a cat"], [["a cat"]])
        {'score': 100.0, 'char_order': 6, 'word_order': 0, 'beta': 2}
    """
    metric = cached_metric(
        CHRF,
        preset="sacrebleu",
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=bool(lowercase),
        whitespace=bool(whitespace),
        smoothing="epsilon" if eps_smoothing else "none",
    )
    score = metric.corpus(predictions, _same_number("chrf", references))
    return {"score": score.percent, "char_order": char_order, "word_order": word_order, "beta": beta}


def ter(
    predictions: Texts,
    references: References,
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    """TER as sacrebleu computes it; 0 is best, and it may exceed 100.

    Args:
        predictions: Texts.
        references: For each a text, or a list of texts, as many for all.
        normalized: Unescape entities, and separate punctuation from words.
        ignore_punct: Remove punctuation.
        support_zh_ja_chars: Whether the two settings before treat Chinese and Japanese too.
        case_sensitive: Whether case is kept.

    Returns:
        `score`, `num_edits` and `ref_length`.

    Example:
        >>> from refscore.compat.evaluate.scoring import ter
        >>> ter(["does this sentence match??"], [["does this sentence match", "does this sentence match!?!"]])
        {'score': 25.0, 'num_edits': 1, 'ref_length': 4.0}
    """
    metric = cached_metric(
        TER,
        preset="sacrebleu",
        tokenizer=tercom_tokenizer(
            normalized=bool(normalized), no_punct=bool(ignore_punct), asian_support=bool(support_zh_ja_chars)
        ),
        lowercase=not case_sensitive,
    )
    score = metric.corpus(predictions, _same_number("ter", references))
    return {"score": score.percent, "num_edits": score.edits, "ref_length": score.ref_len}


def rouge(
    predictions: Texts,
    references: References,
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Tokenize | None = None,
) -> dict[str, Any]:
    """The F of ROUGE as rouge-score computes it.

    Args:
        predictions: Texts; for "rougeLsum", with a line for each sentence.
        references: For each a text, or a list of texts.
        rouge_types: "rouge1", "rouge2" and so on, "rougeL" and "rougeLsum"; 1, 2, L and Lsum by default.
        use_aggregator: Whether one number comes back for each: the median of the means of 1000 random samples of the
            segments, drawn by NumPy's global generator, which the module seeds.
        use_stemmer: Whether words are stemmed by Porter's rules.
        tokenizer: A function from text to words; lower-case runs of A to Z and digits by default.

    Returns:
        For each type a number, or a list of the segments' numbers.

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
    """The word error rate as jiwer computes it.

    Args:
        predictions: Texts.
        references: A text for each.
        concatenate_texts: Whether jiwer counts all at once; it shows only if no reference has words.

    Returns:
        The rate, a number: 0 is best, and it may exceed 1.

    Example:
        >>> from refscore.compat.evaluate.scoring import wer
        >>> wer(["a cat sat down", "it rains"], ["the cat sat", "it rains"])
        0.4
    """
    return _rate(WER(), predictions, references, concatenate_texts, "words")


def cer(predictions: Texts, references: Texts, concatenate_texts: bool = False) -> float:
    """The character error rate as jiwer computes it.

    Args:
        predictions: Texts.
        references: A text for each.
        concatenate_texts: Whether jiwer counts all at once; it shows only if no reference has characters.

    Returns:
        The rate, a number: 0 is best, and it may exceed 1.

    Example:
        >>> from refscore.compat.evaluate.scoring import cer
        >>> round(cer(["a cart"], ["the cat"]), 4)
        0.5714
    """
    return _rate(CER(), predictions, references, concatenate_texts, "characters")


def meteor(
    predictions: Texts, references: References, alpha: float = 0.9, beta: float = 3, gamma: float = 0.5
) -> dict[str, Any]:
    """METEOR as NLTK computes it: the mean of all segments.

    Needs NLTK with its data: `punkt_tab`, by which text is split into words, and WordNet.

    Args:
        predictions: Texts.
        references: For each a text, or a list of texts.
        alpha: How much recall counts against precision.
        beta: The power of the share of pieces among matches in the penalty.
        gamma: The largest penalty.

    Returns:
        `meteor`.
    """
    metric = METEOR(alpha=alpha, beta=beta, gamma=gamma, synonyms="wordnet")

    def split(text: str) -> list[str]:
        return [word.lower() for word in words(text)]

    tokens = [[split(text) for text in group] for group in _groups(references)]
    return {"meteor": np.float64(metric.corpus([split(text) for text in predictions], tokens).value)}


def nist_mt(
    predictions: Texts,
    references: References,
    n: int = 5,
    lowercase: bool = False,
    western_lang: bool = True,
) -> dict[str, Any]:
    """NIST as NLTK computes it.

    Args:
        predictions: Texts.
        references: For each a text, or a list of texts.
        n: The longest n-grams that count.
        lowercase: Whether text is lowercased, if the language is a Western one.
        western_lang: Whether punctuation is separated from words, as Western languages need it.

    Returns:
        `nist_mt`.

    Example:
        >>> from refscore.compat.evaluate.scoring import nist_mt
        >>> round(nist_mt(["the cat sat on a mat"], [["the cat sat on the mat"]])["nist_mt"], 4)
        2.1875
    """
    texts = [_nist_text(text, western_lang) for text in predictions]
    groups = [[_nist_text(text, western_lang) for text in group] for group in _groups(references)]
    metric = NIST(tokenizer="13a" if western_lang else "none", lowercase=bool(lowercase and western_lang), max_order=n)
    return {"nist_mt": metric.corpus(texts, groups).value}


MODULES: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (bleu, cer, chrf, google_bleu, meteor, nist_mt, rouge, sacrebleu, ter, wer)
}


def _groups(references: References) -> list[list[str]]:
    return [[group] if isinstance(group, str) else list(group) for group in references]


def _same_number(name: str, references: References) -> list[list[str]]:
    groups = _groups(references)
    if len({len(group) for group in groups}) > 1:
        raise InputError(None, f"{name} needs the same number of references for each prediction")
    return groups


def _tokenized(predictions: Texts, references: References, tokenizer: Tokenize | None) -> tuple[list[Any], list[Any]]:
    """Return both sides unchanged, for the metric's tokenizer, or as the tokens that the user's tokenizer returns."""
    if tokenizer is None:
        return list(predictions), _groups(references)
    return [tokenizer(text) for text in predictions], [
        [tokenizer(text) for text in group] for group in _groups(references)
    ]


def _rate(metric: WER | CER, predictions: Texts, references: Texts, at_once: bool, what: str) -> float:
    score = metric.corpus(predictions, references)
    if score.ref_len == 0 and not at_once:
        raise ZeroDivisionError(f"the references have no {what}")
    return score.value


def _nist_text(text: str, western: bool) -> str:
    """Return a text that refscore's tokenizers split as NLTK's NIST does: other entities, no end-of-line hyphens."""
    text = unescape(text.replace("<skipped>", ""), _ENTITIES).replace("\u2028", " ")
    # Set apart as they will be anyway, none of these can be taken for part of an entity or of <skipped>.
    return text.replace("&", " & ").replace("<", " < ").replace("\n", " ") if western else text


_ENTITIES = {"&apos;": "'", "&quot;": '"', "&#124;": "|", "&#91;": "[", "&#93;": "]"}
