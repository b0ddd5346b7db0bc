from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from refscore.inputs import Hypotheses, References, Sources
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score

S = TypeVar("S", bound=Score)

_DOCUMENTATION = """\
Return the {metric.display_name} of a corpus.

{summary} {scale}.

Args:
    hypotheses: One text or token sequence per segment, or a padded batch of token ids.
    references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
{sources}    threads: The number of threads, by default all cores.
    **settings: Settings of `{metric.__name__}`. `preset` selects a preset that the other settings override.

Example:
{example}"""


def corpus_function(kind: type[Metric[S]]) -> Callable[..., S]:
    """Return the function that scores a corpus, with its scores' example. `signatures.pyi` has its type."""

    def alone(
        hypotheses: Hypotheses, references: References | None = None, *, threads: int | None = None, **settings: Any
    ) -> S:
        return kind.with_settings(settings).corpus(hypotheses, references, threads=threads)

    def plain(hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Any) -> S:
        return kind.with_settings(settings).corpus(hypotheses, references, threads=threads)

    def sourced(
        hypotheses: Hypotheses, references: References, *, sources: Sources, threads: int | None = None, **settings: Any
    ) -> S:
        return kind.with_settings(settings).corpus(hypotheses, references, sources=sources, threads=threads)

    function: Callable[..., S] = sourced if kind.needs_sources else plain if kind.needs_references else alone
    sources = "    sources: The text or token sequence that each hypothesis was made from.\n" * kind.needs_sources
    summary = inspect.cleandoc(kind.__doc__ or "").partition("\n")[0]
    example = inspect.cleandoc(kind.score_type.__doc__ or "").partition("Example:\n")[2]
    function.__doc__ = _DOCUMENTATION.format(
        metric=kind, summary=summary, scale=kind.scale(), sources=sources, example=example
    )
    function.__name__ = function.__qualname__ = kind.name
    function.__module__ = kind.__module__
    function.__annotations__["return"] = kind.score_type
    return function
