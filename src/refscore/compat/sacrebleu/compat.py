"""sacrebleu's `compat`: scores in one call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from refscore.compat.sacrebleu.metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore
from refscore.compat.sacrebleu.metrics.bleu import MAX_NGRAM_ORDER

# Calls with the same settings share a metric. The state it keeps of a call is not used.
_bleu = lru_cache(maxsize=64, typed=True)(BLEU)
_chrf = lru_cache(maxsize=64, typed=True)(CHRF)
_ter = lru_cache(maxsize=64, typed=True)(TER)


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Return the corpus BLEU, from 0 to 100. Higher is better.

    Example:
        >>> corpus_bleu(["the cat sat on a mat"], [["the cat sat on the mat"]]).score.__round__(2)
        53.73
    """
    metric = _bleu(lowercase, force, tokenize, smooth_method, smooth_value, MAX_NGRAM_ORDER, use_effective_order)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Return the corpus BLEU for tokenized text: split at whitespace, with "floor" smoothing and effective order.

    Example:
        >>> raw_corpus_bleu(["a test ."], [["a fest ."]])
        BLEU = 14.94 66.7/5.0/10.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)
    """
    metric = _bleu(False, True, "none", "floor", smooth_value, MAX_NGRAM_ORDER, True)
    return metric.corpus_score(hypotheses, references)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Return the sentence BLEU, for a text and its references.

    Example:
        >>> sentence_bleu("a test", ["a fest"])
        BLEU = 50.00 50.0/50.0/0.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 2 ref_len = 2)
    """
    metric = _bleu(lowercase, False, tokenize, smooth_method, smooth_value, MAX_NGRAM_ORDER, use_effective_order)
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Return the corpus chrF, from 0 to 100. Higher is better.

    Example:
        >>> corpus_chrf(["the cat sat on a mat"], [["the cat sat on the mat"]])
        chrF2 = 65.98
    """
    metric = _chrf(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
    return metric.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Return the sentence chrF, for a text and its references.

    Example:
        >>> sentence_chrf("a test", ["a fest"])
        chrF2 = 32.67
    """
    metric = _chrf(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Return the corpus TER. 0 is best, and it may exceed 100.

    Example:
        >>> corpus_ter(["today it rained much"], [["it rained today"]])
        TER = 66.67
    """
    return _ter(normalized, no_punct, asian_support, case_sensitive).corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Return the sentence TER, for a text and its references.

    Example:
        >>> sentence_ter("the cat sat on the mat", ["on the mat sat the cat"])
        TER = 33.33
    """
    return _ter(normalized, no_punct, asian_support, case_sensitive).sentence_score(hypothesis, references)
