from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from refscore import _native
from refscore.errors import InputError, SettingError, SignatureError
from refscore.inputs import (
    Hypotheses,
    Input,
    MixedTokens,
    MixedTokensError,
    References,
    Sources,
    check,
    check_references,
    kernel_form,
    plain_tokens,
    read_side,
    uniform_tokens,
)
from refscore.metrics.core.metric import AnyReferences
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import Digested, DigestKind, declared_settings, read_signature, settings_by_name
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from typing_extensions import Self

S = TypeVar("S", bound=Score)

# 64: a kernel may store one bit per order for each token, in a 64-bit word.
MOST_FITTED_ORDERS = 64


class NgramWeights(Digested):
    """n-gram weights, from counts in references. Two objects are equal if their counts are equal."""

    metric_name: ClassVar[str]
    native_type: ClassVar[Any]

    def __init__(self, native: Any) -> None:
        self.native = native

    @classmethod
    def count(cls, references: Any, pipeline: Pipeline, max_order: int, **options: Any) -> Self:
        """Count the references' n-grams. `options` are further arguments for `native_type.fit`."""
        side = read_side(references)
        if side.is_prepared:
            raise InputError(
                None, "prepared references have no n-grams to count", "pass the original references to fit()"
            )
        side = side.read("references", 0, read_side(()))
        if pipeline.prepare is None and side.size:
            try:
                return cls(cls.native_type.fit(side.as_references(None), pipeline.native, max_order, **options))
            except _native.UnsupportedInput:
                pass
        plain, kind = check_references(side)
        if len(plain) == 0:
            raise InputError(None, "references is empty", f"{cls.metric_name} needs at least one reference to fit")
        if kind == "text" and pipeline.prepare is not None:
            plain = pipeline.prepare_entries(plain)
        if kind == "tokens" and any(not isinstance(entry[0], str) for entry in plain):
            _, plain = plain_tokens([], plain, mixed="refuse")
        return cls(cls.native_type.fit(kernel_form(plain), pipeline.native, max_order, **options))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the weights that `to_bytes` wrote."""
        try:
            return cls(cls.native_type.from_bytes(data))
        except TypeError:
            raise InputError(None, f"from_bytes() needs bytes, not {type(data).__name__}") from None
        except ValueError as error:
            raise InputError(None, str(error), "pass the result of to_bytes()") from None

    def to_bytes(self) -> bytes:
        """Return all counts as bytes, for storage. Equal counts give equal bytes."""
        data: bytes = self.native.to_bytes()
        return data

    @property
    def max_order(self) -> int:
        """The largest counted n-gram order."""
        order: int = self.native.max_order
        return order

    def weight(self, ngram: Sequence[Any]) -> float:
        """Return an n-gram's weight."""
        tokens: Any = [list(ngram)] if len(ngram) <= self.max_order else [[]]
        try:
            weight: float = self.native.weight(tokens)
        except _native.UnsupportedInput:
            weight = self.native.weight(uniform_tokens(tokens) or [[]])
        return weight

    def __len__(self) -> int:
        return len(self.native)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)


class WeightsKind(DigestKind):
    """A fitted metric's weights. Signatures contain their digest."""

    def __init__(self, weights: type[NgramWeights]) -> None:
        self._weights = weights

    def check(self, name: str, value: Any) -> NgramWeights | None:
        if value is not None and not isinstance(value, self._weights):
            raise SettingError(f"{name} must be from {self._weights.metric_name}.fit(references), not {value!r}")
        return value

    def read(self, text: str) -> None:
        """Return None for an unfitted metric, and raise an error for a fitted one: signatures contain no weights."""
        name = self._weights.metric_name
        if text != "none":
            raise SignatureError(
                f"the signature is of a fitted {name} metric, and has only a digest of its weights ({text}): fit "
                f"{name} on the same references and compare the signatures, or pickle the metric"
            )

    def parse(self, text: str) -> str:
        return text


def _fit(start: Any, references: References, **settings: Any) -> Any:
    """Return the metric with weights from these references.

    Args:
        start: The class, for default settings, or a metric, for its settings.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences. Tokens must be
            all strings or all integers.
        **settings: Settings; on the class also `preset`.

    Returns:
        The fitted metric.
    """
    name = start.weights_setting
    if isinstance(start, type):
        start = start.with_settings({**settings, name: None})  # type: ignore[attr-defined]
    elif settings:
        start = type(start).with_settings({**settings_by_name(start), **settings, name: None})
    start.check_fit(references)
    return _fit_unchecked(start, references)


def _fit_unchecked(start: Any, references: Any) -> Any:
    # A copy without checks, for speed: the settings are valid, and some drop-ins fit in every call. It has none of the
    # cached properties, since they may depend on the weights.
    fitted = object.__new__(type(start))
    vars(fitted).update({name: getattr(start, name) for name in (*declared_settings(type(start)), "pipeline")})
    weights = fitted.weights_type.count(references, start.pipeline, start.max_order, **start._count_options())
    fitted._set(fitted.weights_setting, weights)
    fitted._set("kernel", fitted._make_kernel())
    fitted._set("reads_directly", fitted.pipeline.prepare is None)
    return fitted


class _Fit:
    """A descriptor that makes `fit` a method on both the class and its instances."""

    __doc__ = _fit.__doc__

    def __get__(self, metric: FittedMetric[Any] | None, kind: type[FittedMetric[Any]]) -> Callable[..., Any]:
        return MethodType(_fit, kind if metric is None else metric)


@dataclass(frozen=True, kw_only=True)
class FittedMetric(TextMetric[S]):
    """An n-gram metric with weights from references. Subclasses have the settings `max_order` and the weights."""

    weights_setting: ClassVar[str]
    weights_type: ClassVar[type[NgramWeights]]
    fit: ClassVar[_Fit] = _Fit()

    def check_fit(self, references: References) -> None:
        """Warn about references that look like a mistake."""

    @property
    def _weights(self) -> Any:
        return getattr(self, self.weights_setting)

    @property
    def _order(self) -> int:
        order: int = settings_by_name(self)["max_order"]
        return order

    def _check(self) -> None:
        if self._weights is not None and self._weights.max_order != self._order:
            raise SettingError(
                f"max_order is {self._order}, but the weights have n-grams up to {self._weights.max_order}: "
                "fit the metric again"
            )

    def _count_options(self) -> dict[str, Any]:
        return {}

    @property
    def native_weights(self) -> Any:
        """The weights for the kernel, which are empty before fitting."""
        if self._weights is None:
            return self.weights_type.native_type.fit([], self.pipeline.native, self._order, **self._count_options())
        return self._weights.native

    @property
    def needs_fit(self) -> bool:
        return self._weights is None

    def fitted_state(self) -> bytes | None:
        return None if self._weights is None else self._weights.to_bytes()

    @classmethod
    def from_fitted_state(cls, pairs: Mapping[str, str], state: bytes) -> Self:
        name = cls.weights_setting
        unfitted = read_signature(cls, {**pairs, declared_settings(cls)[name].key: "none"})
        weights: dict[str, Any] = {name: cls.weights_type.from_bytes(state)}
        return replace(unfitted, **weights)

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: raise an error, since weights are stored by token."""
        return "refuse"

    def corpus(
        self,
        hypotheses: Hypotheses,
        references: AnyReferences | None = None,
        *,
        sources: Sources = None,
        threads: int | None = None,
    ) -> S:
        """Return the corpus score. An unfitted metric takes weights from these references.

        `score.metric` is the fitted metric.
        """
        if not self.needs_fit:
            return super().corpus(hypotheses, references, threads=threads)
        given = Input(hypotheses, references)
        given.read(kernel_threads(threads))
        sides = given.hypotheses.value, given.references.value
        score: S
        with suppress(MixedTokensError):
            score = _fit_unchecked(self, sides[1]).corpus(*sides, threads=threads)
            return score
        segments = check(*sides)
        score = _fit_unchecked(self, segments.references).corpus(
            segments.hypotheses, segments.references, threads=threads
        )
        return score
