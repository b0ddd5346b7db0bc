from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias, TypeVar, overload

from refscore.cached import cached_property
from refscore.data_warnings import unchecked
from refscore.errors import InputError, SettingError, UnknownNameError
from refscore.inputs import (
    Hypotheses,
    Input,
    MixedTokens,
    References,
    Segment,
    SegmentGroups,
    SegmentReferences,
    Sources,
    reusable,
)
from refscore.metrics.core import data_checks, runner
from refscore.metrics.core.prepared import Kernel, PreparedReferences, Reading
from refscore.metrics.core.row_metric import RowMetric
from refscore.metrics.core.score import Rows, Score, Values, unknown_attribute
from refscore.settings import settings_by_name
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

# Methods and attributes of other libraries' metrics, and what to use instead.
_OTHER_NAMES = {
    "corpus_score": "corpus(hypotheses, references), where references[i] has the references of segment i",
    "sentence_score": "segment(hypothesis, references)",
    "compute": "corpus(hypotheses, references)",
    "score_corpus": "corpus(hypotheses, references)",
    "get_signature": "signature",
}

AnyReferences: TypeAlias = "References | PreparedReferences"
OneReferences: TypeAlias = "SegmentReferences | PreparedReferences"
S = TypeVar("S", bound=Score)
M = TypeVar("M", bound="Metric[Any]")


class Metric(RowMetric[S]):
    """A metric with its settings: frozen, hashable and picklable. Subclasses are dataclasses with a field per setting.

    Attributes:
        counts_written_form: Whether words that differ only in case or punctuation are errors, as in error rates.
        common_name: What papers call the metric, if they call others the same. "" otherwise.
        common_name_meaning: How the metric differs from the others with that name.
        needs_words: Whether scores depend on how the tokenizer splits text into words.
        segment_settings: The settings for single segments that differ from those for a corpus.
        signature_reader: The module that reads a different tool's signatures, if there is one.
        steps_module: The module with the worked steps, by default `steps` in the metric's package.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU()
        >>> rows = metric.stats(["a b c d e", "a b"], ["a b c d e", "a c"])
        >>> isinstance(metric, refscore.metrics.Metric), rows.shape == (2, len(metric.columns))
        (True, True)
        >>> metric.score(rows.sum(0)).value == metric.corpus(["a b c d e", "a b"], ["a b c d e", "a c"]).value
        True
    """

    scores_text: ClassVar[bool] = True
    first_keys: ClassVar[tuple[str, ...]] = ("case", "norm", "tok")
    rows_from: ClassVar[str] = "metric.stats(hypotheses, references)"
    counts_written_form: ClassVar[bool] = False
    common_name: ClassVar[str] = ""
    common_name_meaning: ClassVar[str] = ""
    needs_words: ClassVar[bool] = True
    segment_settings: ClassVar[Mapping[str, Any]] = {}
    signature_reader: ClassVar[str] = ""
    steps_module: ClassVar[str] = ""
    kernel_type: ClassVar[Any]
    """The native class of the kernel."""

    kernel: Any
    """The scoring code, a `Kernel`. Metrics know the further methods of their own."""
    pipeline: Pipeline
    reads_directly: bool
    """Whether the kernel can read unchecked input."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if isinstance(vars(cls).get("name"), str) and "display_name" not in vars(cls):
            cls.display_name = cls.name.upper().replace("_", " ")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise unknown_attribute(self, name, _OTHER_NAMES)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("pipeline", self._make_pipeline())
        self._set("kernel", self._make_kernel())
        self._set(
            "reads_directly", self.pipeline.prepare is None and self.mixed_tokens != "keep" and not self.needs_fit
        )

    def _make_pipeline(self) -> Pipeline:
        text: Any = self
        return Pipeline(text.tokenizer, text.lowercase, text.normalize)

    def _make_kernel(self) -> Kernel:
        kernel: Kernel = self.kernel_type(self.pipeline.native, self)  # which reads the settings by name
        return kernel

    @classmethod
    def preset(cls: type[M], name: str, **settings: Any) -> M:
        """Return the metric with a preset's settings, which reproduce a different tool.

        Args:
            name: One of `presets`. `refscore metrics NAME` lists them with the tools that they reproduce.
            **settings: Settings that override the preset.

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
        if name is None:  # `with_settings` would accept None as no preset
            raise UnknownNameError.suggest(f"preset of {cls.name}", name, cls.presets)
        return cls.with_settings({**settings, "preset": name})

    @classmethod
    def with_settings(cls: type[M], settings: Mapping[str, Any]) -> M:
        """Return the metric with settings from a mapping. `preset` is the preset that the others override.

        >>> import refscore
        >>> refscore.CHRF.with_settings({"preset": "chrf++", "beta": 1}).title
        'chrF1++'
        """
        preset = settings.get("preset")
        if preset is not None and (not isinstance(preset, str) or preset not in cls.presets):
            raise UnknownNameError.suggest(f"preset of {cls.name}", preset, cls.presets)
        named = {name: value for name, value in settings.items() if name != "preset"}
        if not named:
            shared: M = _with_preset(cls, preset)
            return shared
        start = {} if preset is None else cls.presets[preset]
        return cls(**{**start, **named})

    @classmethod
    def _from_other_signature(cls: type[M], text: str) -> M | None:
        """Return the metric for a different tool's signature, or None for other metrics."""
        return import_module(cls.signature_reader).read_signature(text) if cls.signature_reader else None

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the settings that give a title, ignoring case, or None if no settings do.

        >>> import refscore
        >>> refscore.ROUGE.parse_title("ROUGE-3"), refscore.BLEU.parse_title("ROUGE-3")
        ({'variant': '3'}, None)
        """
        return {} if title.lower() == cls.display_name.lower() else None

    @cached_property
    def reading(self) -> Reading:
        """How text is read. Metrics that read text in the same way can share prepared references."""
        return Reading(self.pipeline, sources=self.needs_sources)

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with tokens that are neither all strings nor all integers."""
        return "number"

    def fit(self: M, references: References) -> M:
        """Return the metric with weights from references; the metric itself if it needs none."""
        return self

    @classmethod
    def from_fitted_state(cls: type[M], pairs: Mapping[str, str], state: bytes) -> M:
        """Return the fitted metric from its signature's pairs and its `fitted_state`."""
        raise SettingError(f"{cls.display_name} has no fitted state: it takes no weights from references")

    def for_segments(self: M) -> M:
        """Return the metric with settings for single segments: default BLEU becomes sacrebleu's `sentence_bleu`.

        >>> import refscore
        >>> refscore.BLEU().for_segments().effective_order, refscore.TER().for_segments() == refscore.TER()
        (True, True)
        """
        single: M = self._with_segment_settings
        return single

    @cached_property
    def _with_segment_settings(self) -> Any:
        if not self.segment_settings:
            return self
        declared = self.settings()
        is_default = all(value == declared[name].default for name, value in settings_by_name(self).items())
        return replace(self, **self.segment_settings) if is_default else self  # type: ignore[type-var]

    @classmethod
    def settings_for_language(cls, language: str) -> Mapping[str, Any]:
        """Return the settings for a language, such as a tokenizer for Chinese."""
        return {}

    def explain(
        self, hypothesis: Segment, references: SegmentReferences | None = None, *, source: Segment | None = None
    ) -> Steps:
        """Return the worked steps from one segment to its score.

        Args:
            hypothesis: A text or a token sequence.
            references: The segment's references: a text or a list of texts, or a list of token sequences.
            source: The segment's source, for a metric that needs it.

        Returns:
            Headings, tables and formulas. They print as text, show as HTML in a notebook, and `to_dict()` returns them
            as data.

        Example:
            >>> import refscore
            >>> print(refscore.WER().explain("a cat sat down", "the cat sat").result)
            WER = 0.6667 (66.67 %)
        """
        _check_object(self, "explain")
        from refscore.metrics.core.steps import work_out  # needed only here

        module = self.steps_module or f"{type(self).__module__.rpartition('.')[0]}.steps"
        with unchecked():
            return work_out(
                import_module(module).explain, self, hypothesis, references, source if self.needs_sources else None
            )

    def stats(
        self,
        hypotheses: Hypotheses,
        references: AnyReferences | None = None,
        *,
        sources: Sources = None,
        threads: int | None = None,
    ) -> Rows:
        """Return one row of statistics per segment, as an array of shape (segments, columns). Rows can be summed."""
        _check_object(self, "stats")
        return runner.rows_and_counts(self, Input(hypotheses, references, sources), threads)[0]

    def corpus(
        self,
        hypotheses: Hypotheses,
        references: AnyReferences | None = None,
        *,
        sources: Sources = None,
        threads: int | None = None,
    ) -> S:
        """Return the corpus score, from the sum over all rows.

        Args:
            hypotheses: One text or token sequence per segment, or a padded batch of token ids.
            references: One entry per hypothesis: a text or a list of texts, or a list of token sequences. Or prepared
                references.
            sources: The text or token sequence that each hypothesis was made from, for metrics that need it. Other
                metrics ignore it.
            threads: The number of threads, by default all cores. The result does not depend on it.

        Returns:
            The score. `score.percent` is the number that papers print.
        """
        _check_object(self, "corpus")
        if self.needs_fit:
            references = reusable(references)
            fitted: Metric[S] = self.fit(references)  # type: ignore[arg-type]
            return fitted.corpus(hypotheses, references, sources=sources, threads=threads)
        given = Input(hypotheses, references, sources)
        row, counts = runner.total(self, given, threads)
        if counts[1] == 0 and not given.hypotheses.size:
            raise InputError(None, "hypotheses is empty", "pass at least one segment")
        score = self._score(row, counts)
        data_checks.check_corpus(given, [score])
        return score

    def segment(
        self, hypothesis: Segment, references: OneReferences | None = None, *, source: Segment | None = None
    ) -> S:
        """Score one segment with these settings. `for_segments()` has the usual settings for segments.

        Args:
            hypothesis: A text or a token sequence.
            references: The segment's references: a text or a list of texts, or a list of token sequences. Or
                prepared references of one segment.
            source: The segment's source, for a metric that needs it.
        """
        try:
            reads_directly = self.reads_directly and not self.needs_sources
        except AttributeError:  # slower checks would show in the time of a call
            _check_object(self, "segment")
            raise
        if reads_directly:
            try:
                value, row, count = self.kernel.one(hypothesis, references)
                if not value and self.segment_settings:
                    data_checks.check_segment(self, row)
                return self._score(row, (count, count))
            except runner.NOT_DIRECTLY:
                pass
        score = self._score(*runner.one_row(self, hypothesis, references, source))
        if self.segment_settings and not score.value:
            data_checks.check_segment(self, score.row)
        return score

    def value_and_row(
        self, hypothesis: Segment, references: OneReferences | None = None, *, source: Segment | None = None
    ) -> tuple[float, tuple[Any, ...]]:
        """Return a segment's score and row as plain numbers, which is faster than `segment`."""
        if self.reads_directly and not self.needs_sources:
            try:
                value, row, _ = self.kernel.one(hypothesis, references)
                return value, row
            except runner.NOT_DIRECTLY:
                pass
        score = self.segment(hypothesis, references, source=source)
        return score.value, tuple(score.row.tolist())

    def segments(
        self,
        hypotheses: Hypotheses,
        references: AnyReferences | None = None,
        *,
        sources: Sources = None,
        threads: int | None = None,
    ) -> Values:
        """Return the segment scores with these settings as an array. `for_segments()` has the usual settings."""
        _check_object(self, "segments")
        given = Input(hypotheses, references, sources)
        values = runner.scores(self, given, threads)
        data_checks.check_segments(given, [(self, values)])
        return values

    def _values(self, rows: Rows, threads: int | None) -> Values:
        values: Values = self.kernel.values(rows, runner.kernel_threads(threads))
        return values

    def prepare(self, references: References, *, sources: Sources = None) -> PreparedReferences:
        """Tokenize references once for repeated use. The result can be passed wherever references are expected.

        Args:
            references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
            sources: Each segment's source, for a metric that needs it. Calls with the result then need none.
        """
        _check_object(self, "prepare")
        return runner.prepare(self, references, sources)

    @overload
    def pairwise(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | PreparedReferences,
        *,
        source: str | None = ...,
        tokens: bool = ...,
        threads: int | None = ...,
    ) -> Values: ...
    @overload
    def pairwise(
        self,
        hypotheses: SegmentGroups,
        references: SegmentGroups | PreparedReferences,
        *,
        source: Segment | Iterable[Segment] | None = ...,
        tokens: bool = ...,
        threads: int | None = ...,
    ) -> Any: ...  # a group of tokens and a batch of texts have the same type
    def pairwise(
        self,
        hypotheses: Any,
        references: Any,
        *,
        source: Any = None,
        tokens: bool = False,
        threads: int | None = None,
    ) -> Any:
        """Return the segment scores for each hypothesis with each reference.

        Args:
            hypotheses: H texts or token sequences, or B such groups, with any sizes.
            references: R texts or token sequences, or prepared references. For a batch, B groups.
            source: The source that all hypotheses share, for a metric that needs it. For a batch, B sources.
            tokens: Read lists of strings as token sequences, not as groups of texts.
            threads: The number of threads, by default all cores.

        Returns:
            An H by R array. For a batch, a list with one array per group.
        """
        return runner.pairwise(self, hypotheses, references, source, tokens, threads)


def _check_object(metric: object, method: str) -> None:
    """Raise an error for a call on the class, as in BLEU.corpus(hypotheses, references), where a text is `self`."""
    if not isinstance(metric, Metric):
        example = f"refscore.BLEU().{method}(...)"
        raise SettingError(f"{method} is a method of a metric, not of its class: create the metric, as in {example}")


# Creating a metric takes as long as scoring a sentence. Metrics are immutable, so all callers can share one.
@lru_cache(maxsize=256)
def _with_preset(kind: Any, preset: str | None) -> Any:
    return kind() if preset is None else kind(**kind.presets[preset])
