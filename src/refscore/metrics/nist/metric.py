"""NIST: matching n-grams weighted by their information, so that rare ones count more.

Doddington (2002): Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics. HLT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from itertools import chain
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from refscore import _native
from refscore._version import __version__
from refscore.errors import InputError, SettingError, SignatureError
from refscore.metrics.core.arrow_columns import columns
from refscore.metrics.core.metric import Metric, Score, kernel_threads
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import CASES, from_signature_pairs, one_of, whole_number
from refscore.metrics.nist.information import Information, PassingTokensError, lasting_tokens
from refscore.segments import Padded, check, check_hypotheses, check_references
from refscore.signature import join
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Normalize, Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

# What kernels keep for each token is a bit for each order.
MOST_ORDERS = 64


class NISTScore(Score):
    """A NIST score: its value and what it is made of.

    Example:
        >>> import refscore
        >>> score = refscore.nist(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score)
        NIST = 2.1875 1.9875/0.2000/0.0000/0.0000/0.0000 (penalty = 1.000 hyp_len = 6 ref_len = 6)
        >>> score.totals
        (6, 5, 4, 3, 2)
    """

    __slots__ = ()

    metric: NIST

    def _parts(self) -> tuple[float, float, tuple[float, ...]]:
        kernel = self.metric.kernel
        assert isinstance(kernel, _native.Nist)
        return kernel.parts(self.row.astype(np.float64))

    @property
    def value(self) -> float:
        """The score, from 0 up."""
        return self._parts()[0]

    @property
    def length_penalty(self) -> float:
        """1 if the hypotheses are as long as the references, less if they are shorter."""
        return self._parts()[1]

    @property
    def information(self) -> tuple[float, ...]:
        """The information that matches, in bits per n-gram of the hypotheses, of each order; the score is their sum."""
        return self._parts()[2]

    @property
    def totals(self) -> tuple[int, ...]:
        """The hypotheses' n-grams of each order."""
        return tuple(int(count) for count in self.row[2 + self.metric.max_order :])

    @property
    def hyp_len(self) -> int:
        """The number of tokens of the hypotheses."""
        return int(self.row[0])

    @property
    def ref_len(self) -> float:
        """The mean over the orders of the length of the references that counted: each order has its best."""
        return float(self.row[1].item() / self.metric.max_order)

    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""
        _, penalty, information = self._parts()
        return {
            "information": list(information),
            "totals": list(self.totals),
            "length_penalty": penalty,
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
        }

    def __str__(self) -> str:
        value, penalty, information = self._parts()
        orders = "/".join(f"{order:.4f}" for order in information)
        return (
            f"NIST = {value:.4f} {orders} (penalty = {penalty:.3f} hyp_len = {self.hyp_len} "
            f"ref_len = {round(self.ref_len, 2):g})"
        )


def _fit(start: type[NIST] | NIST, references: Any, **settings: Any) -> NIST:
    """The metric with the information of these references' n-grams.

    Args:
        start: The class, for the default settings; or a metric, for its own.
        references: What `corpus` takes: one entry per segment, for text a string or a list of strings, for tokens a
            list of token sequences, which must be strings or integers.
        **settings: Those of `NIST`; on the class also `preset`.

    Returns:
        A metric that carries the information. n-grams that these references do not have are worth nothing to it.

    Example:
        >>> import refscore
        >>> metric = refscore.NIST.fit(["the cat sat on the mat", "a dog sat"], max_order=2)
        >>> metric.segments(["a cat sat", "the dog"], ["the cat sat", "a dog"]).round(4)
        array([1.78 , 1.585])
    """
    if isinstance(start, type):
        metric = start.of({**settings, "information": None})
    elif settings:
        own = {setting.name: getattr(start, setting.name) for setting in fields(start)}
        metric = start.with_settings({**own, **settings, "information": None})
    else:
        metric = start
    return metric._fitted(Information.of(references, metric.pipeline, metric.max_order))


class _Fit:
    """Makes `fit` a method of the class as well as of a metric."""

    __doc__ = _fit.__doc__

    def __get__(self, metric: NIST | None, kind: type[NIST]) -> Callable[..., NIST]:
        return MethodType(_fit, kind if metric is None else metric)


@dataclass(frozen=True, kw_only=True)
class NIST(Metric[NISTScore]):
    """NIST, as NLTK computes it: the information of matching n-grams. From 0 up, higher is better.

    The metric is fitted first: `NIST.fit(references)` counts how rare each n-gram is in all references, and the metric
    that it returns carries these weights. `refscore.nist` fits and scores at once. For each order, the score has the
    information of the n-grams that hypothesis and reference share over the number of the hypothesis' n-grams; of
    several references the best counts, of equally good ones the longest. An empty hypothesis scores 0.

    Args:
        tokenizer: How text is split: a name (`refscore.tokenizers.available()`), a function from text to tokens, or
            an object of the packages tokenizers, tiktoken or sentencepiece.
        lowercase: True for `str.lower`, "ascii" for only A to Z.
        normalize: The Unicode normalization of text: "none", "NFC" or "NFKC".
        max_order: The longest n-grams that count, 1 to 64.
        information: The weights; `fit` makes them.

    Example:
        >>> import refscore
        >>> references = ["the cat sat on the mat", "a dog sat on the rug"]
        >>> metric = refscore.NIST.fit(references)
        >>> round(metric.corpus(["the cat sat on a mat", "a dog sat"], references).value, 4)
        2.0483
        >>> metric.segments(["the cat sat", "on the"], references).round(4)
        array([0.4638, 0.0141])
    """

    tokenizer: AnyTokenizer = "13a"
    lowercase: Lowercase = False
    normalize: Normalize = "none"
    max_order: int = 5
    information: Information | None = None

    name: ClassVar[str] = "nist"
    score_type: ClassVar[type[NISTScore]] = NISTScore
    printed_scale: ClassVar[float] = 1
    presets: ClassVar[Mapping[str, Preset]] = {
        "nltk": Preset(
            {"tokenizer": "none"},
            tool="NLTK",
            version="3.10.4",
            part="corpus_nist",
            scale=1,
            note="it takes tokens: text is split at white space here",
        )
    }
    fit: ClassVar[_Fit] = _Fit()

    def __post_init__(self) -> None:
        self._set("max_order", whole_number("max_order", self.max_order, 1, MOST_ORDERS))
        self._set("pipeline", Pipeline(self.tokenizer, self.lowercase, self.normalize))
        self._set("tokenizer", self.pipeline.tokenizer)
        if self.information is not None and not isinstance(self.information, Information):
            raise SettingError(f"information must come from NIST.fit(references), not {self.information!r}")
        if self.information is not None and self.information.max_order != self.max_order:
            raise SettingError(
                f"the information is of n-grams up to {self.information.max_order}, but max_order is {self.max_order}: "
                "fit again"
            )
        rules = self.pipeline.native
        native = (
            _native.NistInformation.fit([], rules, self.max_order)
            if self.information is None
            else self.information.native
        )
        self._set("kernel", _native.Nist(rules=rules, information=native))

    def _fitted(self, information: Information) -> NIST:
        """The same metric with this information, which is of its orders: nothing has to be checked again."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        made._set("information", information)
        made._set("kernel", _native.Nist(rules=self.pipeline.native, information=information.native))
        return made

    @classmethod
    def preset(cls, name: str, **settings: Any) -> NIST:
        """NIST as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: "nltk" (3.10.4, which takes tokens: text is split at white space).
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> metric = refscore.NIST.preset("nltk").fit(["a test.", "a second test."])
            >>> round(metric.segment("a test.", "a second test.").value, 4)
            0.661
        """
        return super().preset(name, **settings)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns; ref_len is the sum over the orders, each of which has its best reference."""
        orders = range(1, self.max_order + 1)
        return ("hyp_len", "ref_len", *(f"{kind}_{n}" for kind in ("information", "total") for n in orders))

    @property
    def row_type(self) -> np.dtype[Any]:
        """float64."""
        return np.dtype(np.float64)

    @property
    def signature(self) -> str:
        """All settings that change the number, as text; the information is there by its digest, or as "none"."""
        return join(
            self.name,
            {
                **self.pipeline.signature(),
                "order": str(self.max_order),
                "info": "none" if self.information is None else self.information.digest,
                "version": __version__,
            },
        )

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> NIST:
        """The metric of one of refscore's own signatures, if it is not fitted: a signature has no room for weights."""
        made = from_signature_pairs(
            "NIST",
            pairs,
            ["case", "norm", "tok", "order", "info"],
            lambda: cls(
                tokenizer=pairs["tok"],
                lowercase=one_of(pairs, "case", CASES),
                normalize=pairs["norm"],  # type: ignore[arg-type]
                max_order=int(pairs["order"]),
            ),
        )
        if pairs.get("info", "") != "none":
            settings = ", ".join(
                f"{name}={getattr(made, name)!r}" for name in ("tokenizer", "lowercase", "normalize", "max_order")
            )
            raise SignatureError(
                f"this signature is of NIST fitted on references: it names their information ({pairs.get('info')}) but "
                f"cannot hold it. Fit again on the same references, NIST.fit(references, {settings}), and compare the "
                "signatures; or keep the metric itself, which can be pickled"
            )
        return made

    def explain(self, hypothesis: Any, references: Any) -> Steps:
        """The worked steps from one segment to its score.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.

        Returns:
            Headings, tables and formulas, which print as text, show as HTML in a notebook and come as data by
            `to_dict()`.

        Example:
            >>> import refscore
            >>> metric = refscore.NIST.fit(["the cat sat on the mat"])
            >>> print(metric.explain("the cat", "the cat sat on the mat").result)
            NIST = 0.0190
        """
        from refscore.metrics.nist.steps import explain_nist

        return explain_nist(self, hypothesis, references)

    def _check_fitted(self) -> Information:
        if self.information is None:
            raise SettingError(
                "NIST is fitted on references first: NIST.fit(references) gives the metric that scores; "
                "refscore.nist(hypotheses, references) does both at once"
            )
        return self.information

    def value_and_row(self, hypothesis: Any, references: Any) -> tuple[float, tuple[Any, ...]]:
        """The value and the row of one segment as plain numbers: the quickest way to score one after the other."""
        self._check_fitted()
        return super().value_and_row(hypothesis, references)

    def _one(self, hypothesis: Any, references: Any) -> tuple[Any, int, int]:
        self._check_fitted()
        return super()._one(hypothesis, references)

    def _run(self, call: Any, hypotheses: Any, references: Any, threads: int | None) -> list[Any]:
        self._check_fitted()
        _check_prepared(references)
        return super()._run(call, hypotheses, references, threads)

    def _checked(self, hypotheses: Any, references: Any, threads: int) -> Iterator[tuple[Any, Any]]:
        plain, kind = check_hypotheses(hypotheses)
        if isinstance(references, PreparedReferences):
            targets, sides = references, [plain]
        else:
            targets, _ = check_references(references)
            sides = [plain, targets if isinstance(targets, Padded) else list(chain.from_iterable(targets))]
        if kind != "text":
            # Numbers that other tokens got here would mean others than when the metric was fitted.
            lasting_tokens([item for side in sides if not isinstance(side, Padded) for item in side])
        yield from super()._checked(plain, targets, threads)

    def _pairs(self, hypotheses: Any, references: Any, threads: int, where: str = "references") -> Any:
        self._check_fitted()
        _check_prepared(references)
        plain, kind = check_hypotheses(hypotheses)
        if not isinstance(references, PreparedReferences):
            references, _ = check_hypotheses(references, "references")
        if kind != "text":
            sides = [side for side in (plain, references) if isinstance(side, list)]
            lasting_tokens([item for side in sides for item in side if not isinstance(item, str)])
        return super()._pairs(plain, references, threads, where)


def _check_prepared(references: Any) -> None:
    if isinstance(references, PreparedReferences) and references.has_numbers:
        raise InputError("the references were prepared from tokens that are neither all strings nor all integers")


def nist(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> NISTScore:
    """The NIST score of a corpus, with the information of its own references' n-grams. From 0 up, higher is better.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `NIST`, or `preset` and overrides of it. With `information`, nothing is fitted.

    Returns:
        The score; `score.metric` is the fitted metric.

    Example:
        >>> import refscore
        >>> score = refscore.nist(["the cat sat on a mat"], [["the cat sat on the mat", "a cat was on the mat"]])
        >>> round(score.value, 4)
        2.7403
    """
    metric = NIST.of(settings)
    if metric.information is not None:
        return metric.corpus(hypotheses, references, threads=threads)
    hypotheses, references = columns(hypotheses, references, kernel_threads(threads))
    sides = (hypotheses, references)
    if all(isinstance(side, _native.ArrowColumns) for side in sides):
        return metric.fit(references).corpus(hypotheses, references, threads=threads)
    # What can be read only once is not read twice.
    if all(isinstance(side, (list, tuple)) and {*map(type, side)} <= {str, list, tuple} for side in sides):
        with suppress(PassingTokensError):
            return metric.fit(references).corpus(hypotheses, references, threads=threads)
    segments = check(hypotheses, references)
    return metric.fit(segments.references).corpus(segments.hypotheses, segments.references, threads=threads)
