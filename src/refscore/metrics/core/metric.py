"""The contract of all metrics: segments to rows of statistics, rows to scores.

Rows can be summed. A segment's score is `score(row)`, a corpus score is the score of the sum of all rows. Everything
else is built from these two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar

import numpy as np

from refscore.errors import InputError, Location, SettingError, UnknownNameError
from refscore.metrics.core import runner
from refscore.metrics.core.kernel import Kernel
from refscore.metrics.core.prepared import PreparedReferences, Reading
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.score import Rows, Score, Values, unknown_attribute
from refscore.metrics.core.settings import (
    Setting,
    add_arguments,
    check_settings,
    declared_settings,
    settings_by_name,
    unknown_setting,
    write_signature,
)
from refscore.segments import Hypotheses, MixedTokens, References, Segment, SegmentReferences, reject_masked
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from typing_extensions import Self

    from refscore.steps import Steps

# The types of rows: counts, or numbers of which some are fractions.
COUNTS: np.dtype[Any] = np.dtype(np.int64)
FLOATS: np.dtype[Any] = np.dtype(np.float64)

# Methods and attributes of other libraries' metrics, and what to use instead.
_OTHER_NAMES = {
    "corpus_score": "corpus(hypotheses, references), where references[i] has those of segment i",
    "sentence_score": "segment(hypothesis, references)",
    "compute": "corpus(hypotheses, references)",
    "score_corpus": "corpus(hypotheses, references)",
    "get_signature": "signature",
}

S = TypeVar("S", bound=Score)
M = TypeVar("M", bound="Metric[Any]")


class Metric(ABC, Generic[S]):
    """A metric with its settings: frozen, hashable, picklable. Subclasses are dataclasses whose fields are settings.

    Attributes:
        name: In commands and signatures.
        display_name: As papers write it, whatever its settings are.
        summary: A sentence that begins with the metric's full name.
        scale: Range and direction in words.
        papers: One reference each.
        higher_is_better: The direction.
        is_bounded: Whether values lie between 0 and 1.
        printed_scale: What values are multiplied by where they are shown.
        presets: Named settings, each with the tool whose numbers they repeat.
        segment_settings: The settings for single segments, where they differ from those for a corpus.
        signature_reader: The module that reads signatures of another tool; empty if there is none.
        steps_module: The module with the worked steps; by default `steps` beside the metric's own module.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU()
        >>> rows = metric.stats(["a b c d e", "a b"], ["a b c d e", "a c"])
        >>> isinstance(metric, refscore.metrics.Metric), rows.shape == (2, len(metric.columns))
        (True, True)
        >>> metric.score(rows.sum(0)).value == metric.corpus(["a b c d e", "a b"], ["a b c d e", "a c"]).value
        True
    """

    name: ClassVar[str]
    display_name: ClassVar[str]
    summary: ClassVar[str] = ""
    scale: ClassVar[str] = "0..1, higher is better"
    papers: ClassVar[tuple[str, ...]] = ()
    score_type: ClassVar[type[Any]]
    higher_is_better: ClassVar[bool] = True
    is_bounded: ClassVar[bool] = True
    printed_scale: ClassVar[float] = 100
    presets: ClassVar[Mapping[str, Preset]] = {}
    segment_settings: ClassVar[Mapping[str, Any]] = {}
    signature_reader: ClassVar[str] = ""
    steps_module: ClassVar[str] = ""

    kernel: Kernel
    pipeline: Pipeline
    reads_directly: bool
    """Whether the kernel can read input that Python has not looked at."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if isinstance(vars(cls).get("name"), str) and "display_name" not in vars(cls):
            cls.display_name = cls.name.upper()
        add_arguments(cls)

    def __new__(cls, *_: Any, **settings: Any) -> Self:
        """Raise an error for an unknown setting that suggests a known one; `__init__` then sets them."""
        for name in settings:
            if name not in declared_settings(cls):
                raise unknown_setting(cls, name)
        return super().__new__(cls)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise unknown_attribute(self, name, _OTHER_NAMES)

    def __post_init__(self) -> None:
        check_settings(self)
        self._check()
        self._set("pipeline", self._make_pipeline())
        self._set("kernel", self._make_kernel())
        self._set(
            "reads_directly", self.pipeline.prepare is None and self.mixed_tokens != "keep" and not self.needs_fit
        )

    def _check(self) -> None:
        """Check settings that depend on each other."""

    def _make_pipeline(self) -> Pipeline:
        """Return what is done to text; by default what the settings tokenizer, lowercase and normalize say."""
        text: Any = self
        return Pipeline(text.tokenizer, text.lowercase, text.normalize)

    @abstractmethod
    def _make_kernel(self) -> Kernel:
        """Return the scoring code with these settings."""

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), settings_by_name(self))

    @classmethod
    def settings(cls) -> Mapping[str, Setting]:
        """Return the declarations of the metric's settings by name.

        >>> import refscore
        >>> list(refscore.WER.settings())
        ['tokenizer', 'lowercase', 'normalize']
        """
        return declared_settings(cls)

    @classmethod
    def preset(cls: type[M], name: str, **settings: Any) -> M:
        """Return the metric as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: One of `presets`; `refscore metrics NAME` lists them with the tools whose numbers they repeat.
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> for name in ("textbook", "sacrebleu", "sacrebleu-sentence", "nltk", "mteval"):
            ...     print(f"{name:18} {refscore.BLEU.preset(name).segment('a test', 'a fest').percent:.2f}")
            textbook           0.00
            sacrebleu          0.00
            sacrebleu-sentence 50.00
            nltk               0.00
            mteval             70.71
        """
        if name is None:  # which `with_settings` takes as no preset at all
            raise UnknownNameError.suggest(f"preset of {cls.name}", name, cls.presets)
        return cls.with_settings({**settings, "preset": name})

    @classmethod
    def with_settings(cls: type[M], settings: Mapping[str, Any]) -> M:
        """Return the metric with settings by name, and a preset to start from if there is one.

        >>> import refscore
        >>> refscore.CHRF.with_settings({"preset": "chrf++", "beta": 1}).title
        'chrF1++'
        """
        preset = settings.get("preset")
        if preset is not None and (not isinstance(preset, str) or preset not in cls.presets):
            raise UnknownNameError.suggest(f"preset of {cls.name}", preset, cls.presets)
        named = {name: value for name, value in settings.items() if name != "preset"}
        start = {} if preset is None else cls.presets[preset]
        return cls(**{**start, **named})

    @property
    def signature(self) -> str:
        """All settings that change the number, as text; `refscore.from_signature` reads it back."""
        return write_signature(self)

    @classmethod
    def _from_other_signature(cls: type[M], text: str) -> M | None:
        """Return the metric of a signature that another tool printed; None if it is not one of this metric."""
        return import_module(cls.signature_reader).read_signature(text) if cls.signature_reader else None

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""

    @property
    def title(self) -> str:
        """The name that papers print, with the settings that it depends on."""
        return self.display_name

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the settings of the metric with this title, in any case; None if no settings give it.

        >>> import refscore
        >>> refscore.ROUGE.parse_title("ROUGE-3"), refscore.BLEU.parse_title("ROUGE-3")
        ({'variant': '3'}, None)
        """
        return {} if title.lower() == cls.display_name.lower() else None

    @property
    def reading(self) -> Reading:
        """How text is read; metrics that read alike can share prepared references."""
        return Reading(self.pipeline)

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What happens to tokens that are neither all strings nor all integers."""
        return "number"

    @property
    def row_type(self) -> np.dtype[Any]:
        """int64 where the statistics are counts, else float64."""
        return COUNTS

    @property
    def needs_fit(self) -> bool:
        """Whether the metric has to see the references first: `fit` returns the metric that scores."""
        return False

    def fit(self: M, references: References) -> M:
        """Return the metric with the weights that it takes from references; itself if it takes none."""
        return self

    def fitted_state(self) -> bytes | None:
        """Return the weights of a fitted metric, which a signature cannot hold; None if there are none."""
        return None

    @classmethod
    def from_fitted_state(cls: type[M], pairs: Mapping[str, str], state: bytes) -> M:
        """Return the fitted metric of a signature, given as pairs, and of its `fitted_state`.

        >>> import refscore
        >>> metric = refscore.NIST.fit(["a b a c", "a b"])
        >>> pairs = dict(part.split(":") for part in metric.signature.split("|")[1:])
        >>> refscore.NIST.from_fitted_state(pairs, metric.fitted_state()) == metric
        True
        """
        raise SettingError(f"{cls.display_name} takes no weights from references")

    def for_segments(self: M) -> M:
        """Return the metric for single segments: for BLEU with default settings, sacrebleu's `sentence_bleu`.

        >>> import refscore
        >>> refscore.BLEU().for_segments().effective_order, refscore.TER().for_segments() == refscore.TER()
        (True, True)
        """
        is_default = all(value == self.settings()[name].default for name, value in settings_by_name(self).items())
        return replace(self, **self.segment_settings) if is_default and self.segment_settings else self  # type: ignore[type-var]

    @classmethod
    def settings_for_language(cls, language: str) -> Mapping[str, Any]:
        """Return the settings that a language needs, such as the tokenizer of Chinese."""
        return {}

    def _score(self, row: Rows, references: tuple[int, int] | None) -> S:
        score: S = self.score_type(self, row, references)
        return score

    def explain(self, hypothesis: Segment, references: SegmentReferences) -> Steps:
        """Return the worked steps from one segment to its score.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.

        Returns:
            Headings, tables and formulas, which print as text, show as HTML in a notebook and come as data by
            `to_dict()`.

        Example:
            >>> import refscore
            >>> print(refscore.WER().explain("a cat sat down", "the cat sat").result)
            WER = 0.6667 (66.67 %)
        """
        module = self.steps_module or f"{type(self).__module__.rpartition('.')[0]}.steps"
        steps: Steps = import_module(module).explain(self, hypothesis, references)
        return steps

    def stats(
        self, hypotheses: Hypotheses, references: References | PreparedReferences, *, threads: int | None = None
    ) -> Rows:
        """Return one row of statistics per segment: an array of shape (segments, len(columns)). Rows can be summed.

        Takes what `corpus` takes.
        """
        return runner.rows_and_counts(self, hypotheses, references, threads)[0]

    def corpus(
        self, hypotheses: Hypotheses, references: References | PreparedReferences, *, threads: int | None = None
    ) -> S:
        """Return the score of all segments together: of the sum of their rows.

        Args:
            hypotheses: The segments: texts, token sequences, or a batch of ids.
            references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
                sequences; or prepared references.
            threads: How many to use; all cores by default. The result does not depend on it.

        Returns:
            The score; `score.percent` is the number that papers print.
        """
        if self.needs_fit:
            references = list(references) if isinstance(references, Iterator) else references
            fitted: Metric[S] = self.fit(references)  # type: ignore[arg-type]
            return fitted.corpus(hypotheses, references, threads=threads)
        row, counts = runner.total(self, hypotheses, references, threads)
        if counts[1] == 0:
            raise InputError(None, "hypotheses is empty", "an empty corpus has no score")
        return self._score(row, counts)

    def segment(self, hypothesis: Segment, references: SegmentReferences | PreparedReferences) -> S:
        """Return the score of one segment, with these settings; `for_segments()` has the usual ones.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.
        """
        row, fewest, most = runner.one_row(self, hypothesis, references)
        return self._score(row, (fewest, most))

    def value_and_row(
        self, hypothesis: Segment, references: SegmentReferences | PreparedReferences
    ) -> tuple[float, tuple[Any, ...]]:
        """Return the value and the row of one segment as plain numbers: the quickest way to score one after the other.

        Takes what `segment` takes.
        """
        if self.reads_directly:
            try:
                return self.kernel.one(hypothesis, references)
            except runner.NOT_DIRECTLY:
                pass
        score = self.segment(hypothesis, references)
        return score.value, tuple(score.row.tolist())

    def segments(
        self, hypotheses: Hypotheses, references: References | PreparedReferences, *, threads: int | None = None
    ) -> Values:
        """Return an array of the segments' scores, with these settings; `for_segments()` has the usual ones.

        Takes what `corpus` takes.
        """
        return self.values(self.stats(hypotheses, references, threads=threads), threads=threads)

    def values(self, rows: Any, *, threads: int | None = None) -> Values:
        """Return an array of the scores of rows, or of sums of rows: of an array of shape (rows, len(columns))."""
        reject_masked(rows, Location("rows"))
        array = np.asarray(rows)
        if array.ndim != 2 or array.shape[1] != len(self.columns) or array.dtype.kind not in "iuf":
            raise InputError(
                None, f"rows of this metric have {len(self.columns)} numbers each: {', '.join(self.columns)}"
            )
        return self.kernel.values(np.ascontiguousarray(array, dtype=np.float64), runner.kernel_threads(threads))

    def score(self, row: Any, *, references: tuple[int, int] | None = None) -> S:
        """Return the score of a row, or of a sum of rows.

        Args:
            row: One number for each column.
            references: The fewest and the most references that a segment has, for the score's signature.
        """
        reject_masked(row, Location("row"))
        try:
            array = np.asarray(row)
        except ValueError:
            array = np.asarray(None)
        fits = array.shape == (len(self.columns),) and array.dtype.kind in "iuf" and bool(np.isfinite(array).all())
        if not fits or not self._is_in_range(array):
            fix = "sum several rows first, rows.sum(0)" if array.ndim == 2 else ""
            least = "" if self._has_negative_rows else " of at least 0"
            raise InputError(
                None, f"a row of this metric has {len(self.columns)} numbers{least} ({', '.join(self.columns)})", fix
            )
        return self._score(array.astype(self.row_type if array.dtype.kind in "iu" else np.float64), references)

    # Whether statistics may be less than 0; no built-in metric has such.
    _has_negative_rows: ClassVar[bool] = False

    def _is_in_range(self, row: Rows) -> bool:
        return self._has_negative_rows or (row.min(initial=0) >= 0 and row.max(initial=0) < 2**63)

    def prepare(self, references: References) -> PreparedReferences:
        """Return references, as `corpus` takes them, tokenized once; accepted wherever references are."""
        return runner.prepare(self, references)

    def pairwise(self, hypotheses: Any, references: Any, *, tokens: bool = False, threads: int | None = None) -> Any:
        """Return the segment scores of each hypothesis with each reference.

        Args:
            hypotheses: H texts or token sequences; or a batch of B such groups, of any sizes.
            references: R texts or token sequences, or prepared references; for a batch, B groups.
            tokens: Lists of strings are token sequences, not groups of texts.
            threads: How many to use; all cores by default.

        Returns:
            An array of shape (H, R); for a batch, a list of such arrays.
        """
        return runner.pairwise(self, hypotheses, references, tokens, threads)

    def check_fitted(self) -> None:
        """Raise a SettingError if the metric has to be fitted first."""
        if self.needs_fit:
            kind = type(self).__name__
            raise SettingError(
                f"{self.display_name} takes weights from references first: {kind}().fit(references) returns the metric "
                f"that scores; {kind}().corpus(hypotheses, references) does both at once"
            )


def _rebuild(kind: type[M], settings: dict[str, Any]) -> M:
    return kind(**settings)
