"""Diversity in generations: self-BLEU and distinct-n.

Zhu, Lu, Zheng, Guo, Zhang, Wang, Yu (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
Li, Galley, Brockett, Gao, Dolan (2016): A Diversity-Promoting Objective Function for Neural Conversation Models. NAACL.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

import numpy as np

from refscore import _native
from refscore.errors import InputError, Location, SettingError, relocated
from refscore.inputs import Hypotheses, check_hypotheses, kernel_form, plain_tokens, read_side
from refscore.metrics.bleu.metric import BLEU
from refscore.metrics.core.runner import kernel_threads
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import MOST_ORDERS, whole_number
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Pipeline

P = ParamSpec("P")
T = TypeVar("T")


class _OfGenerations(Protocol[P]):
    def __call__(
        self,
        generations: Hypotheses,
        threads: int | None = None,
        preset: str | None = None,
        *args: P.args,
        **settings: P.kwargs,
    ) -> float: ...


def _with_settings(metric: Callable[P, Any]) -> Callable[[Callable[..., float]], _OfGenerations[P]]:
    """Tell type checkers that a function takes a metric's settings."""
    return lambda function: cast("_OfGenerations[P]", function)


@_with_settings(BLEU)
def self_bleu(generations: Hypotheses, *, threads: int | None = None, **settings: Any) -> float:
    """Score each generation with BLEU against all others, and return the mean. 0..1, lower is more diverse.

    All n-grams are counted once, so N generations cost about as much as scoring N segments.

    Args:
        generations: At least two texts or token sequences, or a padded batch of token ids.
        threads: The number of threads, by default all cores. The result does not depend on it.
        **settings: Settings of `BLEU`, or `preset` and settings that override it. The default preset is
            "sacrebleu-sentence". Texygen and fast-bleu compute `preset="nltk", smoothing="nltk-1"`.

    Returns:
        The mean. An empty generation scores 0.

    Example:
        >>> from refscore.metrics import self_bleu
        >>> round(self_bleu(["a cat sat on the mat", "a dog sat on the mat", "it rained for three days"]), 4)
        0.3582
        >>> self_bleu(["the same text"] * 3)
        1.0
    """
    metric = BLEU.with_settings({"preset": "sacrebleu-sentence", **settings})
    kernel, count = metric.kernel, kernel_threads(threads)
    rows = _call(lambda texts: kernel.leave_one_out(texts, count), generations, metric.pipeline, 2)
    values = kernel.values(np.ascontiguousarray(rows, dtype=np.float64), count)
    return math.fsum(values) / len(values)


@overload
def distinct_n(
    generations: Hypotheses,
    n: int = 2,
    *,
    tokenizer: AnyTokenizer = "13a",
    lowercase: Lowercase = False,
    normalize: AnyNormalizer = "none",
    threads: int | None = None,
) -> float: ...


@overload
def distinct_n(
    generations: Hypotheses,
    n: Sequence[int],
    *,
    tokenizer: AnyTokenizer = "13a",
    lowercase: Lowercase = False,
    normalize: AnyNormalizer = "none",
    threads: int | None = None,
) -> tuple[float, ...]: ...


def distinct_n(
    generations: Hypotheses,
    n: int | Sequence[int] = 2,
    *,
    tokenizer: AnyTokenizer = "13a",
    lowercase: Lowercase = False,
    normalize: AnyNormalizer = "none",
    threads: int | None = None,
) -> float | tuple[float, ...]:
    """Return the share of distinct n-grams in all generations. 0..1, higher is more diverse.

    Args:
        generations: At least one text or token sequence, or a padded batch of token ids.
        n: The n-gram order, or several orders.
        tokenizer: The tokenizer: a name from `refscore.tokenizers.available()`, a function from text to tokens, or an
            object from tokenizers, tiktoken or sentencepiece.
        lowercase: Lowercase the text: True for `str.lower`, "ascii" for A to Z only.
        normalize: The normalizer: a name from `refscore.normalizers.available()`, or a function from text to text.
        threads: The number of threads, by default all cores. The result does not depend on it.

    Returns:
        The share, 0 if there are no n-grams. For several orders, a tuple.

    Example:
        >>> import refscore
        >>> generations = ["a cat sat on the mat", "a dog sat on the mat"]
        >>> refscore.metrics.distinct_n(generations)
        0.7
        >>> refscore.metrics.distinct_n(generations, n=(1, 2, 3))
        (0.5833333333333334, 0.7, 0.75)
    """
    pipeline, count = Pipeline(tokenizer, lowercase, normalize), kernel_threads(threads)
    several = not isinstance(n, (int, str)) and isinstance(n, (Sequence, np.ndarray))
    orders = [whole_number("n", order, 1, MOST_ORDERS) for order in (n if several else [n])]  # type: ignore[union-attr]
    if not orders:
        raise SettingError("n is empty: pass at least one order of n-grams")
    counts = _call(
        lambda texts: _native.distinct_ngrams(texts, pipeline.native, max(orders), count), generations, pipeline, 1
    )
    shares = [distinct / total if total else 0.0 for distinct, total in (counts[order - 1] for order in orders)]
    return tuple(shares) if several else shares[0]


def _call(call: Callable[[Any], T], generations: Any, pipeline: Pipeline, fewest: int) -> T:
    side = read_side(generations).read("generations", 0)
    if pipeline.prepare is None and (side.size or 0) >= fewest:
        try:
            return call(side.as_hypotheses())
        except _native.UnsupportedInput:
            pass
    items, kind = check_hypotheses(side, "generations")
    if len(items) < fewest:
        problem = "is empty" if len(items) == 0 else "has one entry"
        needed = "pass at least one generation" if fewest == 1 else "pass at least two generations to compare"
        raise InputError(Location("generations"), problem, needed)
    if kind == "text" and pipeline.prepare is not None:
        items = pipeline.prepare_all(items)
    if kind != "matrix" and not isinstance(items[0], str):
        with relocated(lambda location: location.on_sides(hypotheses="generations")):
            items, _ = plain_tokens(items, [])
    try:
        return call(kernel_form(items))
    except _native.UnsupportedInput:
        raise InputError(Location("generations"), "changed during the call") from None
