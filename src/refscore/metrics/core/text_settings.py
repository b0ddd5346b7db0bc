"""Settings that all metrics of text share: tokenizer, case and normalizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score
from refscore.normalizers.base import AnyNormalizer
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase
from refscore.tokenizers.settings import LOWERCASE, NORMALIZE, TOKENIZER

if TYPE_CHECKING:
    from typing_extensions import TypedDict

    class TextSettings(TypedDict, total=False):
        """The settings of this module, and `preset` to start from."""

        preset: str | None
        tokenizer: AnyTokenizer
        lowercase: Lowercase
        normalize: AnyNormalizer


S = TypeVar("S", bound=Score)


@dataclass(frozen=True, kw_only=True)
class TextMetric(Metric[S]):
    """A metric with the settings of this module. Subclasses may change their defaults."""

    tokenizer: AnyTokenizer = TOKENIZER
    lowercase: Lowercase = LOWERCASE
    normalize: AnyNormalizer = NORMALIZE
