from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import Number, choice, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase
from refscore.tokenizers.settings import LOWERCASE, NORMALIZE, TOKENIZER

S = TypeVar("S", bound=Score)


@dataclass(frozen=True, kw_only=True)
class TextMetric(Metric[S]):
    """A metric with these settings. Subclasses may change their defaults."""

    tokenizer: AnyTokenizer = TOKENIZER
    lowercase: Lowercase = LOWERCASE
    normalize: AnyNormalizer = NORMALIZE


def formula_setting(
    default: float, meaning: str, otherwise: str, key: str, *, most: float | None = None, title: str = ""
) -> Any:
    return setting(default, meaning, Number(0, most), key=key, title=title or key, stage="formula", otherwise=otherwise)


# For answers to questions.
EMPTY_REFERENCE = choice(
    "count",
    "How to treat a reference without tokens.",
    {
        "count": "a reference without tokens counts like others",
        "skip": "a reference without tokens is ignored, unless there is no other",
    },
    key="empty",
    title="empty references",
)
