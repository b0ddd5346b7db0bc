from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Literal

from refscore import _native
from refscore.errors import Argument, InputError, SettingError
from refscore.inputs import MixedTokens
from refscore.metrics.core.alignments import WordEdit
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.prepared import Kernel
from refscore.metrics.core.presets import Preset
from refscore.metrics.error_rate.glm import GLM, FileKind
from refscore.metrics.error_rate.metric import ErrorRate, ErrorRateScore
from refscore.metrics.error_rate.word_list import WordList
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import Kind, choice, read_signature, setting, with_default
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Pipeline, Prepare, Preprocessor
from refscore.tokenizers.settings import NORMALIZE, tokenizer_setting


@dataclass(frozen=True)
class Rewriting(Preprocessor):
    rules: GLM

    def __str__(self) -> str:
        return f"rules:{self.rules.digest}"

    def prepare(self, texts: Sequence[str], then: Prepare, *, is_reference: bool, returns_tokens: bool) -> list[Any]:
        return then([self.rules.apply(text, is_reference=is_reference) for text in texts])


@dataclass(frozen=True)
class Alternatives(Preprocessor):
    """Read alternatives in references: "{gonna / going to}", "@" for none, "(word)" for an optional word."""

    native_options = ("alternatives",)

    def __str__(self) -> str:
        return "alt:nist"

    def prepare(self, texts: Sequence[str], then: Prepare, *, is_reference: bool, returns_tokens: bool) -> list[Any]:
        """Prepare the parts between marks, because the marks would not survive normalization."""
        if not is_reference:
            return then(texts)
        split = [_native.split_markup(text) for text in texts]
        plain = iter(then([part for parts in split for part, is_mark in parts if not is_mark]))
        pieces = [[part if is_mark else next(plain) for part, is_mark in parts] for parts in split]
        if not returns_tokens:
            return [" ".join(parts) for parts in pieces]
        words = [
            [*chain.from_iterable([part] if isinstance(part, str) else part for part in parts)] for parts in pieces
        ]
        if not all(isinstance(word, str) for word in chain.from_iterable(words)):
            problem = "the tokenizer returned tokens that are not strings"
            raise InputError(None, problem, "references with alternatives need strings")
        return words


@dataclass(frozen=True)
class WrittenWords(Preprocessor):
    """Split text into words, which may have apostrophes, and these punctuation marks. Drop all else, as NeMo does."""

    marks: str

    def __str__(self) -> str:
        return "written-words"  # the signature has the marks

    def prepare(self, texts: Sequence[str], then: Prepare, *, is_reference: bool, returns_tokens: bool) -> list[Any]:
        part = re.compile(rf"[\w']+|[{re.escape(self.marks)}]" if self.marks else r"[\w']+")
        return then([" ".join(part.findall(text)) for text in texts])


_MULTILINGUAL = "open-asr-multilingual-2025-08"
_NUMBERS = "for de, es, fr, it and pt, the leaderboard also spells numbers out: set normalize to open-asr-de-2026-03"


def _open_asr(compounds: str, normalizer: str, since: str, note: str = "") -> Preset:
    settings = {"compounds": compounds, "normalize": normalizer, "tokenizer": "none"}
    return Preset(settings, tool="Open ASR Leaderboard", version=f"since {since}", scale=100, note=note)


class WERScore(ErrorRateScore):
    """A word error rate with edit counts and jiwer's other measures.

    Example:
        >>> import refscore
        >>> score = refscore.wer(["a cat sat down"], ["the cat sat"])
        >>> print(score)
        WER = 66.67 (hits = 2 substitutions = 1 deletions = 0 insertions = 1 ref_len = 3)
        >>> round(score.mer, 4), round(score.wil, 4), round(score.wip, 4)
        (0.5, 0.6667, 0.3333)
        >>> score.signature
        'wer|nrefs:1|case:mixed|norm:none|tok:jiwer|version:0.1.0'
    """

    __slots__ = ()

    metric: WER


@dataclass(frozen=True, kw_only=True)
class WER(ErrorRate[WERScore]):
    """WER: the word error rate, as in speech recognition.

    It is computed as in jiwer: the smallest number of substitutions, deletions and insertions of words that turn the
    reference into the hypothesis, divided by the number of words of the reference. With several references, the lowest
    rate counts. A corpus rate is computed from the summed counts. If the references have no words, the rate is the
    number of insertions. An empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.WER()
        >>> score = metric.segment("a cat sat down", "the cat sat")
        >>> score.hits, score.substitutions, score.deletions, score.insertions
        (2, 1, 0, 1)
        >>> metric.segments(["a b c", "x y"], ["a b c d", "x y"])
        array([0.25, 0.  ])
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "jiwer",
        "jiwer",
        "13a",
        "unicode",
        note='"jiwer" does not split at a single tab or line break; "none" does.',
    )
    normalize: AnyNormalizer = with_default(
        NORMALIZE, "none", alternatives=("none", "nopunct", "whisper-basic", "whisper-en", "whisper-en-openai")
    )
    alternatives: Literal["none", "nist"] = choice(
        "none",
        "Whether references have alternatives: {gonna / going to}, @ for no word, and (word) for an optional word.",
        {
            "none": "braces and brackets are part of words",
            "nist": "of the alternatives in references, those with the fewest errors count",
        },
        key="alt",
        title="alternatives",
        is_rare=True,
    )
    glm: GLM | None = setting(
        None,
        "NIST's rules that rewrite spellings in both sides: `refscore.metrics.GLM.read(path)`.",
        FileKind(GLM, "GLM rules", "glm", "refscore.metrics.GLM.read(path)"),
        key="glm",
        title="GLM rules",
        stage="text",
        words={None: "spellings stay as they are written"},
        otherwise="spellings are rewritten by {glm}",
        is_rare=True,
    )
    words: WordList | None = setting(
        None,
        "The words whose errors `counted` selects: a list, or a file with one word per line. None counts all words.",
        FileKind(WordList, "list of words", "words", "a list of words", (list, tuple, set, frozenset)),
        key="words",
        title="listed words",
        words={None: "all words count"},
        otherwise="a list divides the words: {words}",
        other_names=("keywords", "biasing_words"),
        is_rare=True,
    )
    counted: Literal["listed", "others"] = choice(
        "listed",
        "Which errors count if there is a list of words.",
        {"listed": "errors of listed words count", "others": "errors of words that are not listed count"},
        key="counted",
        title="counted words",
        is_rare=True,
    )

    costs: Literal["equal", "sclite"] = choice(
        "equal",
        "The costs that the best alignment minimizes. Each edit counts as one error in any case.",
        {
            "equal": "all edits cost the same",
            "sclite": "as in sclite, a substitution costs 4, a deletion or an insertion 3",
        },
        key="costs",
        title="costs",
        alternatives=("equal", "sclite"),
        is_rare=True,
    )
    compounds: Literal["none", "merge", "regions", "regions-merge"] = choice(
        "none",
        'Whether words that only one side writes together match, such as "white paper" and "whitepaper".',
        {
            "none": "words written together or apart are errors",
            "merge": "consecutive words match a word with the same letters, as in kaldialign",
            "regions": "the words of regions that differ only in spaces are joined",
            "regions-merge": "such regions are joined first, then consecutive words match a word with the same letters",
        },
        key="compounds",
        title="compounds",
        alternatives=("none", "merge", "regions"),
        other_names=("merge_compounds",),
        is_rare=True,
    )
    empty_reference: Literal["count", "skip"] = choice(
        "count",
        "How to treat segments whose reference has no words.",
        {
            "count": "the words of such a hypothesis are insertions",
            "skip": "segments whose reference has no words are left out",
        },
        key="empty",
        title="empty references",
        alternatives=("count", "skip"),
        is_rare=True,
    )

    form: Literal["words", "punctuation", "case"] = choice(
        "words",
        "What is counted: words, or the punctuation marks or the case of words that are aligned.",
        {
            "words": "words count",
            "punctuation": "only punctuation marks count, after words and marks are aligned",
            "case": "only the case of words that are aligned and equal without case counts",
        },
        key="form",
        title="written form",
        is_rare=True,
    )
    marks: str = setting(
        ".,?!",
        'The punctuation marks that form="punctuation" counts.',
        Kind(),
        key="marks",
        title="punctuation marks",
        otherwise="{marks} are the punctuation marks",
        is_rare=True,
    )

    presets: ClassVar[Mapping[str, Preset]] = {
        **ErrorRate.presets,
        "sclite": Preset(
            {"costs": "sclite", "alternatives": "nist", "lowercase": "ascii", "tokenizer": "none"},
            tool="sclite",
            version="2.4.10",
            part="option -D",
            scale=100,
            note="hypotheses with alternatives are not supported",
        ),
        "kaldialign": Preset(
            {"compounds": "merge", "tokenizer": "none"},
            tool="kaldialign",
            version="0.12.0",
            part="merge_compounds=True",
            scale=1,
        ),
        "open-asr": _open_asr("merge", "open-asr-en-2026-06", "June 2026, English"),
        "open-asr-2025-09": _open_asr("none", "open-asr-en-2025-09", "September 2025, English"),
        "open-asr-multilingual": _open_asr("regions-merge", _MULTILINGUAL, "June 2026, other languages", _NUMBERS),
        "open-asr-multilingual-2026-03": _open_asr("regions", _MULTILINGUAL, "March 2026, other languages", _NUMBERS),
    }

    listed_words: ClassVar[frozenset[Hashable]]  # the words as tokens; set for each metric with a list
    name = "wer"

    def _check(self) -> None:
        if self.counted == "others" and self.words is None:
            raise SettingError(f"counted='others' needs a list of words: set {Argument('words', metric=self.name)}")
        if self.glm is not None and self.glm.has_alternatives and self.alternatives == "none":
            raise SettingError(f"glm writes alternatives: use {Argument('alternatives', 'nist', self.name)}")
        if not self.marks or not self.marks.isprintable() or any(sign in self.marks for sign in "|=' \n"):
            raise SettingError(f"marks must be punctuation marks, without spaces, |, = and ', not {self.marks!r}")
        if self.form != "words":
            for name in ("alternatives", "glm", "words", "costs", "compounds", "empty_reference"):
                if getattr(self, name) != self.settings()[name].default:
                    raise SettingError(f"form={self.form!r} cannot be used with {name}: leave one of them out")
        elif self.is_weighted:
            own = "compounds" if self.compounds != "none" else "costs" if self.costs != "equal" else "empty_reference"
            excluded = [] if self.words is None else ["words"]
            if self.alternatives != "none" and own == "compounds":
                excluded.append("alternatives")
            for name in excluded:
                raise SettingError(f"{own}={getattr(self, own)!r} cannot be used with {name}: leave one of them out")

    def _make_pipeline(self) -> Pipeline:
        preprocessors: list[Preprocessor] = [] if self.glm is None else [Rewriting(self.glm)]
        if self.alternatives != "none":
            preprocessors.append(Alternatives())
        if self.form != "words":
            preprocessors.append(WrittenWords(self.marks if self.form == "punctuation" else ""))
        return Pipeline(self.tokenizer, self.lowercase, self.normalize, preprocessors=tuple(preprocessors))

    @property
    def is_weighted(self) -> bool:
        """Whether edits have costs, compounds match, segments are left out, or only the written form counts."""
        defaults = {"form": "words", "costs": "equal", "compounds": "none", "empty_reference": "count"}
        return any(getattr(self, name) != default for name, default in defaults.items())

    def _alignment_kernel(self) -> _native.ErrorRate | _native.WeightedErrorRate | _native.FormErrorRate:
        if self.form != "words":
            return self._form_kernel()
        return self._weighted_kernel() if self.is_weighted else super()._alignment_kernel()

    def _form_kernel(self) -> _native.FormErrorRate:
        return _native.FormErrorRate(self.pipeline.native, self)

    def _weighted_kernel(self) -> _native.WeightedErrorRate:
        return _native.WeightedErrorRate(self.pipeline.native, self)

    def _make_kernel(self) -> Kernel:
        if self.form != "words":
            return self._form_kernel()
        if self.is_weighted:
            return self._weighted_kernel()
        if self.words is None:
            return super()._make_kernel()
        tokens: list[Any] = self.pipeline.tokens_all([*self.words])
        for word, parts in zip(self.words, tokens, strict=True):
            if len(parts) != 1 or not isinstance(parts[0], str):
                raise SettingError(f"words has {word!r}, which is not one word for this tokenizer: list single words")
        self._set("listed_words", frozenset(parts[0] for parts in tokens))
        return _native.ListedErrorRate(self.pipeline.native, self)

    def is_counted(self, edit: WordEdit) -> bool:
        if self.form == "case":
            return edit.kind in ("hit", "substitution") and str(edit.reference).lower() == str(edit.hypothesis).lower()
        if self.form == "punctuation":
            return (edit.hypothesis if edit.kind == "insertion" else edit.reference) in {*self.marks}
        if self.words is None:
            return True
        word = edit.hypothesis if edit.kind == "insertion" else edit.reference
        return (word in self.listed_words) == (self.counted == "listed")

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: a list of words, or alternatives, need strings."""
        is_plain = self.words is None and self.alternatives == "none" and not self.is_weighted
        return "number" if is_plain else "refuse"

    @property
    def title(self) -> str:
        """The name in papers: B-WER counts listed words, U-WER the others, PER punctuation marks."""
        if self.form != "words":
            return "PER" if self.form == "punctuation" else "Case error rate"
        return "WER" if self.words is None else "B-WER" if self.counted == "listed" else "U-WER"

    def fitted_state(self) -> bytes | None:
        """Return the words and rules; the signature has only digests, or None if there are none."""
        if self.words is None and self.glm is None:
            return None
        state = {
            "words": None if self.words is None else [*self.words],
            "glm": None if self.glm is None else self.glm.to_data(),
        }
        return json.dumps(state).encode()

    @classmethod
    def from_fitted_state(cls, pairs: Mapping[str, str], state: bytes) -> WER:
        settings = read_signature(
            cls, {key: pairs[key] for key in pairs if key not in ("words", "counted", "glm", "alt")}
        )
        stored = json.loads(state)
        values: dict[str, Any] = {
            "alternatives": pairs.get("alt", "none"),
            "words": None if stored["words"] is None else WordList(stored["words"]),
            "glm": None if stored["glm"] is None else GLM(stored["glm"]),
            "counted": pairs.get("counted", "listed"),
        }
        return replace(settings, **values)


wer = corpus_function(WER)
