from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.python_metric import PythonMetric, PythonScore
from refscore.metrics.core.score import RowCount
from refscore.settings import Number, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class CompressionRatioScore(PythonScore):
    """A compression ratio: the bytes of the texts, divided by the bytes that zlib compresses them to.

    Example:
        >>> import refscore
        >>> score = refscore.metrics.compression_ratio(["it rained", "thank you. " * 20])
        >>> print(score)
        Compression = 5.85 (bytes = 228 compressed = 39 above the threshold = 1 of 2)
        >>> score.signature
        'compression_ratio|case:mixed|norm:none|tok:text|threshold:2.4|version:0.1.0'
    """

    __slots__ = ()

    metric: CompressionRatio

    bytes = RowCount(0, "The number of bytes in UTF-8.")
    compressed = RowCount(1, "The number of bytes after compression.")
    above = RowCount(2, "The number of segments whose ratio is above the threshold.")
    segments = RowCount(3, "The number of segments.")
    parts = ("bytes", "compressed", "above", "segments")

    def details(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.parts}

    def __str__(self) -> str:
        return (
            f"{self.metric.title} = {self.value:.2f} (bytes = {self.bytes} compressed = {self.compressed} "
            f"above the threshold = {self.above} of {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class CompressionRatio(PythonMetric):
    """Compression ratio, as in Whisper's decoder: a text in a loop has a high one. The metric needs no references.

    The ratio is the length of a text in bytes, divided by its length after compression with zlib. Whisper decodes
    again if it is above 2.4. A corpus score is the ratio of the sums. Tokens are joined by spaces.

    Example:
        >>> import refscore
        >>> refscore.metrics.CompressionRatio().segments(["it rained", "thank you. " * 20]).round(3)
        array([0.529, 9.955])
    """

    tokenizer: AnyTokenizer = tokenizer_setting("text", "text", note='"text" leaves the text unchanged.')
    threshold: float = setting(
        2.4,
        "Count the segments with a larger ratio, as Whisper rejects them.",
        Number(0),
        key="threshold",
        title="threshold",
        stage="formula",
        otherwise="ratios above {threshold} are counted",
    )

    name = "compression_ratio"
    display_name = "Compression"
    score_type = CompressionRatioScore
    needs_references = False
    needs_words = False
    higher_is_better = False
    is_bounded = False
    printed_scale = 1
    columns = ("bytes", "compressed", "above", "segments")
    steps_module = "refscore.metrics.compression.steps"
    papers = (
        "Radford, Kim, Xu, Brockman, McLeavey, Sutskever (2023): Robust Speech Recognition via Large-Scale Weak "
        "Supervision. ICML.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "whisper": Preset({}, tool="openai-whisper", version="20250625", part="compression_ratio", scale=1)
    }
    _has_negative_rows = False

    def row(self, hypothesis: tuple[Any, ...], references: tuple[tuple[Any, ...], ...]) -> Sequence[float]:
        """Return the bytes before and after compression, whether their ratio is above the threshold, and 1."""
        # Whisper strips the text that its tokenizer decodes.
        data = " ".join(map(str, hypothesis)).strip().encode("utf-8", "surrogatepass")
        compressed = len(zlib.compress(data))
        return len(data), compressed, len(data) / compressed > self.threshold, 1

    def value(self, row: Sequence[float]) -> float:
        """Return the ratio of the bytes."""
        return row[0] / row[1] if row[1] else 0.0


compression_ratio = corpus_function(CompressionRatio)
