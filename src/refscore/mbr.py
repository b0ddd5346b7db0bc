"""Minimum-Bayes-risk decoding: of several candidates, the one that scores best against all of them on average.

Kumar and Byrne (2004): Minimum Bayes-risk decoding for statistical machine translation. NAACL.
DeNero, Chiang and Knight (2009): Fast consensus decoding over translation forests. ACL.
Eikema and Aziz (2022): Sampling-based approximations to minimum Bayes risk decoding for NMT. EMNLP.
Vamvas and Sennrich (2024): Linear-time minimum Bayes risk decoding with reference aggregation. ACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import EmptyReferenceError, InputError, SettingError
from refscore.metrics import METRICS, Metric
from refscore.metrics.core.aggregation import aggregate as aggregated
from refscore.metrics.core.aggregation import check_weights, one_number_each
from refscore.metrics.core.arrow_columns import listed
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Values
from refscore.metrics.core.selection import segment_metric
from refscore.metrics.core.settings import check_flag
from refscore.segments import Padded, StringsAreWords, check_pairs, is_sequence

__all__ = ["Choice", "choose"]

# Texts of each side that are compared at a time: all pairs of them take 32 MiB.
_TILE = 2048


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidates of one source, rated.

    Attributes:
        best: The index of the candidate that was chosen.
        order: The indexes of all candidates, from the best to the worst; equal ones in the order they came in.
        expected: The expected score of each candidate, in the order they came in.
        metric: By which metric.
        aggregate: Whether each candidate was scored once with all references, not with each.

    Example:
        >>> from refscore import mbr
        >>> choice = mbr.choose(["a dog ran", "the cat sat on a mat", "the cat sat on the mat"])
        >>> choice.best, choice.order.tolist(), choice.expected.round(3)
        (2, [2, 1, 0], array([0.365, 0.579, 0.598]))
    """

    best: int
    order: NDArray[np.int64]
    expected: Values
    metric: Metric[Any]
    aggregate: bool

    def __repr__(self) -> str:
        return f"<candidate {self.best} of {len(self.order)}, {self.metric.name} {self.expected[self.best]:.4f}>"

    def to_dict(self) -> dict[str, Any]:
        """The choice as a dictionary, ready for JSON."""
        return {"best": self.best, "order": self.order.tolist(), "expected": self.expected.tolist()}


def choose(
    candidates: Any,
    references: Any = None,
    *,
    metric: str | Metric[Any] = "chrf",
    weights: Any = None,
    log_probabilities: Any = None,
    aggregate: bool = False,
    tokens: bool = False,
    threads: int | None = None,
) -> Any:
    """The candidate with the best expected score: its mean with all references, each as likely as its weight says.

    The references are samples of what the model takes for right; by default they are the candidates themselves. Each
    candidate is then compared with itself too; with equal weights that changes no order for metrics that give each
    text the same score with itself.

    Args:
        candidates: Texts or token sequences; or a batch of such groups, of any sizes.
        references: The same; None for the candidates themselves.
        metric: A metric, or a name ("ter", "chrf++", "bleu:nltk"). By its name alone, BLEU has the settings of single
            segments, the preset "sacrebleu-sentence".
        weights: How much each reference counts, at least 0; they need not add up to 1. For a batch, one list for each
            group. By default, all count the same.
        log_probabilities: Logarithms of such weights, up to a constant, in the place of `weights`.
        aggregate: Score each candidate once, with the mean of the references' n-gram counts: much quicker for large
            groups, and not the same. BLEU and chrF have it.
        tokens: Lists of strings are token sequences, not groups of texts.
        threads: How many to use; all cores by default. The result does not depend on it.

    Returns:
        A `Choice`; for a batch, a list of them.

    Example:
        >>> from refscore import mbr
        >>> samples = ["the cat sat on a mat", "the cat sat on the mat", "a dog ran"]
        >>> samples[mbr.choose(samples).best]
        'the cat sat on the mat'
        >>> mbr.choose(samples, metric="bleu", log_probabilities=[-0.5, -3.0, -1.5]).expected.round(3)
        array([0.741, 0.427, 0.324])
    """
    chosen = segment_metric(metric)
    check_flag("aggregate", aggregate)
    count = kernel_threads(threads)
    if aggregate and not hasattr(chosen, "aggregate"):
        having = [name for name, kind in METRICS.items() if hasattr(kind, "aggregate")]
        raise SettingError(f"{chosen.name} cannot aggregate references, only {' and '.join(having)} can")
    if weights is not None and log_probabilities is not None:
        raise InputError(None, "weights and log_probabilities say the same: give one of them")
    name, given = ("weights", weights) if log_probabilities is None else ("log_probabilities", log_probabilities)
    check = check_weights if log_probabilities is None else weights_of_logarithms
    side = "candidates" if references is None else "references"
    candidates, references = listed(candidates, "candidates", count), listed(references, "references", count)
    references = candidates if references is None else references

    def one(own: Any, others: Any, raw: Any, at: str) -> Choice:
        own, others = _with_length(own, f"candidates{at}"), _with_length(others, side + at)
        if not len(own):
            raise InputError(None, f"candidates{at} is empty: there is nothing to choose from")
        if not len(others):
            raise InputError(None, f"references{at} is empty: there is nothing to compare the candidates with")
        likely: Values | None = None if raw is None else check(raw, len(others), name + at)
        if aggregate:
            expected = aggregated(chosen, own, others, likely, tokens)
        else:
            expected = _expected(chosen, own, others, likely, tokens, threads, side + at)
        order = np.argsort(-expected if chosen.higher_is_better else expected, kind="stable").astype(np.int64)
        return Choice(int(order[0]), order, expected, chosen, aggregate)

    with _Named(side):
        batch = groups(candidates, references, tokens)
        if batch is None:
            return one(candidates, references, given, "")
        if given is None:
            given = [None] * len(batch)
        elif not is_sequence(given) or len(given) != len(batch):
            raise InputError(None, f"{name} must have an entry for each of the {len(batch)} groups")
        return [one(*group, own, f"[{i}]") for i, (group, own) in enumerate(zip(batch, given, strict=True))]


def weights_of_logarithms(logarithms: Any, count: int, name: str = "log_probabilities") -> Values:
    """The weights whose logarithms these are, up to a constant, so that they add up to 1; minus infinity stands for 0.

    >>> weights_of_logarithms([-1000.0, -1000.0, float("-inf")], 3)
    array([0.5, 0.5, 0. ])
    """
    made = one_number_each(logarithms, count, name)
    wrong = np.isnan(made) | (made == np.inf)
    if wrong.any():
        place = int(np.argmax(wrong))
        raise InputError(None, f"{name}[{place}] is {made[place]:g}: a logarithm of a probability is below infinity")
    if made.max() == -np.inf:
        raise InputError(None, f"{name} are all -inf: at least one reference has to count")
    with np.errstate(over="ignore"):  # a difference below the least number stands for 0 as well
        made -= made.max()
    return check_weights(np.exp(made), count, name)


class _Named:
    """Within it, errors about hypotheses speak of candidates, and so do those about references that are candidates."""

    def __init__(self, references: str) -> None:
        self._references = references

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError) and not isinstance(error, EmptyReferenceError):
            message = str(error).replace("hypotheses", "candidates").replace("references[", f"{self._references}[")
            raise InputError(None, message) from None


def _with_length(side: Any, name: str) -> Any:
    if isinstance(side, str):
        raise InputError(None, f"{name} is a string: pass a list of texts or token sequences")
    # An array without dimensions has no length, though it has the method.
    if hasattr(side, "__len__") and getattr(side, "ndim", 1) != 0 and not isinstance(side, (dict, set, frozenset)):
        return side
    raise InputError(None, f"{name} is {type(side).__name__}: pass a list of texts or token sequences")


def _expected(
    metric: Metric[Any],
    candidates: Any,
    references: Any,
    weights: Values | None,
    tokens: bool,
    threads: int | None,
    side: str,
) -> Values:
    """The mean score of each candidate with all references; of texts that are the same, one is scored."""
    shares = np.full(len(references), 1 / len(references)) if weights is None else weights
    own, own_places = _distinct(candidates)
    others, other_places = (own, own_places) if references is candidates else _distinct(references)
    if other_places is not None:
        shares = np.bincount(other_places, shares, len(others))
    sums = np.zeros(len(own))
    is_prepared = isinstance(references, PreparedReferences)
    if not is_prepared and max(len(own), len(others)) > _TILE:
        with StringsAreWords(metric.strings_are_words):
            check_pairs(candidates, references)  # all at once, since errors of a tile would count from its begin
    width = len(others) if is_prepared else _TILE
    height = _TILE if width <= _TILE else max(_TILE * _TILE // width, 1)
    for column in range(0, len(others), width):
        part, part_shares = _part(others, column, width), shares[column : column + width]
        for row in range(0, len(own), height):
            try:
                pairs = metric.pairwise(_part(own, row, height), part, tokens=tokens, threads=threads)
            except EmptyReferenceError as error:
                place = column + error.segment
                if other_places is not None:
                    place = int(np.argmax(other_places == place))
                rest = str(error).partition("] ")[2]
                raise EmptyReferenceError(f"{side}[{place}] {rest}", place, error.reference) from None
            np.multiply(pairs, part_shares, out=pairs)
            sums[row : row + height] += pairs.sum(axis=1)  # not by BLAS, whose sums depend on its threads
    return sums if own_places is None else sums[own_places]


def _distinct(side: Any) -> tuple[Any, NDArray[np.int64] | None]:
    """The different texts of a group, and where among them each one is; None for what is not text, or all different."""
    if not isinstance(side, (list, tuple)) or not all(isinstance(item, str) for item in side):
        return side, None
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(text, len(numbers)) for text in side]
    return (side, None) if len(numbers) == len(side) else (list(numbers), np.array(places, dtype=np.int64))


def _part(side: Any, begin: int, size: int) -> Any:
    """Some of a group, from there on."""
    if len(side) <= size:
        return side
    here = slice(begin, begin + size)
    if isinstance(side, Padded):
        return Padded(side.array[here], None if side.lengths is None else side.lengths[here], side.pad_id)
    return side[here]
