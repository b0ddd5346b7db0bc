from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from refscore import _native
from refscore.errors import SettingError
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.score import MeanScore, RowCount
from refscore.metrics.core.text_settings import EMPTY_REFERENCE, TextMetric
from refscore.settings import Flag, Kind, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Pipeline, Prepare, Preprocessor
from refscore.tokenizers.settings import lowercase_setting, tokenizer_setting


class UntrustedPatterns(tuple[str, ...]):
    """Regular expressions from a file. Matching them can take time that is exponential in the length of a text."""


class PatternsKind(Kind):
    """Regular expressions in Python's syntax. Signatures have them between slashes, with escaped characters."""

    values = ("regular expressions",)

    def check(self, name: str, value: Any) -> tuple[str, ...]:
        patterns = (value,) if isinstance(value, str) else value
        if not isinstance(patterns, (list, tuple)) or not all(isinstance(pattern, str) for pattern in patterns):
            raise SettingError(f"{name} must be a list of regular expressions, not {value!r}")
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise SettingError(f"{name} has an invalid regular expression, {pattern!r}: {error}") from None
        return patterns if isinstance(patterns, UntrustedPatterns) else tuple(map(str, patterns))

    def write(self, value: tuple[str, ...]) -> str:
        from urllib.parse import quote  # slow to import, and rarely needed

        quoted = (quote(pattern, safe=" ^$()[]*+?.", errors="surrogatepass") for pattern in value)
        return ",".join(f"/{pattern}/" for pattern in quoted) or "none"

    def read(self, text: str) -> tuple[str, ...]:
        from urllib.parse import unquote

        if text == "none":
            return ()
        parts = text.split(",")
        if not all(len(part) > 1 and part[0] == part[-1] == "/" for part in parts):
            raise ValueError(text)
        return tuple(unquote(part[1:-1], errors="surrogatepass") for part in parts)

    def parse(self, text: str) -> tuple[str, ...]:
        return () if text.lower() == "none" else (text,)

    def as_untrusted(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return UntrustedPatterns(value) if value else value

    def as_trusted(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(value) if isinstance(value, UntrustedPatterns) else value


@dataclass(frozen=True)
class RemovedPatterns(Preprocessor):
    """Remove what matches regular expressions, one after the other.

    NUL characters at the end are removed after each, as NumPy's string arrays do in evaluate.
    """

    patterns: tuple[str, ...]

    def __str__(self) -> str:
        return f"removed:{self.patterns}"

    def prepare(self, texts: Sequence[str], then: Prepare, *, is_reference: bool, returns_tokens: bool) -> list[Any]:
        if isinstance(self.patterns, UntrustedPatterns):
            listed = ", ".join(map(repr, self.patterns))
            raise SettingError(
                f"the regular expressions {listed} come from a file and can take forever: use your own metric or, if "
                "you trust the file, `refscore verify --trust` or metric.as_trusted()"
            )
        for pattern in self.patterns:
            texts = [re.sub(pattern, "", text).rstrip("\0") for text in texts]
        return then(texts)


class ExactMatchScore(MeanScore):
    """The share of exact matches, with the match and segment counts.

    Example:
        >>> import refscore
        >>> score = refscore.exact_match(["the Normans", "in 1066"], ["Normans", "1067"])
        >>> print(score)
        EM = 50.00 (matches = 1 segments = 2)
        >>> score.signature.split("|punct:")[0]
        'exact_match|nrefs:1|case:lc|norm:none|tok:squad'
    """

    __slots__ = ()

    metric: ExactMatch

    matches = RowCount(0, "The number of hypotheses that match a reference.")
    parts = ("matches", "segments")
    parts_text = "matches = {0.matches} segments = {0.segments}"


@dataclass(frozen=True, kw_only=True)
class ExactMatch(TextMetric[ExactMatchScore]):
    """EM, exact match: the share of answers that are equal to a reference, as in SQuAD.

    A match has the same tokens as a reference. By default, text is compared as in SQuAD 1.1: in lowercase,
    without ASCII punctuation, without the words a, an and the, and with any whitespace between words.
    `preset="evaluate"` compares characters.

    Example:
        >>> import refscore
        >>> metric = refscore.ExactMatch()
        >>> metric.segments(["The cat.", "dog"], [["a cat", "cats"], "the dogs"])
        array([1., 0.])
        >>> refscore.ExactMatch.preset("evaluate", ignore_punctuation=True).segment("cat?", "cat").value
        1.0
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "squad",
        "squad",
        "text",
        "none",
        "unicode",
        "mlqa-zh",
        note='Texts match if their tokens are equal. "text" keeps a text as one token.',
    )
    lowercase: Lowercase = lowercase_setting(True)
    ignore_punctuation: bool = setting(
        False,
        'Remove ASCII punctuation from text. The tokenizer "squad" always does.',
        Flag(),
        key="punct",
        title="punctuation",
        stage="text",
        words={False: "the tokenizer decides about punctuation", True: "ASCII punctuation is removed"},
        alternatives=(True, False),
    )
    ignore_numbers: bool = setting(
        False,
        "Remove the digits 0 to 9 from text.",
        Flag(),
        key="digits",
        title="digits",
        stage="text",
        words={False: "digits are kept", True: "digits are removed"},
        alternatives=(True, False),
    )
    ignore_patterns: tuple[str, ...] = setting(
        (),
        "Regular expressions to remove from text before everything else, one after the other.",
        PatternsKind(),
        key="ignore",
        title="ignored patterns",
        stage="text",
        words={(): "no patterns are removed"},
        otherwise="these patterns are removed: {ignore_patterns}",
        other_names=("regexes_to_ignore",),
    )
    empty_reference: Literal["count", "skip"] = EMPTY_REFERENCE

    name = "exact_match"
    kernel_type = _native.ExactMatch
    compares_answers = True
    display_name = "EM"
    needs_words = False
    columns = ("matches", "segments")
    papers = (
        "Rajpurkar, Zhang, Lopyrev, Liang (2016): SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP.",
        "Rajpurkar, Jia, Liang (2018): Know What You Don't Know: Unanswerable Questions for SQuAD. ACL.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "squad": Preset({}, tool="SQuAD", version="1.1", part="exact_match", scale=100),
        "squad_v2": Preset({"empty_reference": "skip"}, tool="SQuAD", version="2.0", part="exact", scale=100),
        "mlqa-zh": Preset(
            {"tokenizer": "mlqa-zh"}, tool="MLQA", version="1.0", part="exact_match for Chinese", scale=100
        ),
        "evaluate": Preset(
            {"tokenizer": "text", "lowercase": False}, tool="Hugging Face's evaluate", part="exact_match", scale=1
        ),
    }

    def _make_pipeline(self) -> Pipeline:
        return Pipeline(
            self.tokenizer,
            self.lowercase,
            self.normalize,
            no_punctuation=self.ignore_punctuation,
            no_digits=self.ignore_numbers,
            preprocessors=(RemovedPatterns(self.ignore_patterns),) if self.ignore_patterns else (),
        )


exact_match = corpus_function(ExactMatch)
