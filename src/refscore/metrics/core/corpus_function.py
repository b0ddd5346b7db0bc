from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from refscore.inputs import Hypotheses, References, Sources
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score

P = ParamSpec("P")
S = TypeVar("S", bound=Score)
S_co = TypeVar("S_co", bound=Score, covariant=True)

_ARGUMENTS = """\
Args:
    hypotheses: One text or token sequence per segment, or a padded batch of token ids.
    references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
{sources}    threads: The number of threads; all cores by default.
    **settings: Settings of `{metric}`. `preset` selects a preset that the other settings override."""
_SOURCES = "    sources: The text or token sequence that each hypothesis was made from.\n"


# Type checkers read the settings from the class of the metric. All parameters but the first two are keyword-only; a
# type with a ParamSpec cannot say that.
class CorpusFunction(Protocol[P, S_co]):
    def __call__(
        self,
        hypotheses: Hypotheses,
        references: References,
        threads: int | None = None,
        preset: str | None = None,
        *args: P.args,
        **settings: P.kwargs,
    ) -> S_co: ...


class SourcedCorpusFunction(Protocol[P, S_co]):
    def __call__(
        self,
        hypotheses: Hypotheses,
        references: References,
        sources: Sources,
        threads: int | None = None,
        preset: str | None = None,
        *args: P.args,
        **settings: P.kwargs,
    ) -> S_co: ...


def corpus_function(metric: Callable[P, Metric[S]], documentation: str) -> CorpusFunction[P, S]:
    """Return the function that scores a corpus with a metric; `documentation` is its docstring without `Args`."""
    kind = cast("type[Metric[S]]", metric)

    def function(hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Any) -> S:
        return kind.with_settings(settings).corpus(hypotheses, references, threads=threads)

    return cast("CorpusFunction[P, S]", _named(function, kind, documentation))


def sourced_corpus_function(metric: Callable[P, Metric[S]], documentation: str) -> SourcedCorpusFunction[P, S]:
    """Return the function that scores a corpus with a metric that needs sources. See `corpus_function`."""
    kind = cast("type[Metric[S]]", metric)

    def function(
        hypotheses: Hypotheses, references: References, *, sources: Sources, threads: int | None = None, **settings: Any
    ) -> S:
        return kind.with_settings(settings).corpus(hypotheses, references, sources=sources, threads=threads)

    return cast("SourcedCorpusFunction[P, S]", _named(function, kind, documentation))


def _named(function: Any, metric: type[Metric[Any]], documentation: str) -> Any:
    arguments = _ARGUMENTS.format(metric=metric.__name__, sources=_SOURCES if metric.needs_sources else "")
    summary, _, example = inspect.cleandoc(documentation).partition("\n\n")
    function.__doc__ = f"{summary}\n\n{arguments}\n\n{example}"
    function.__name__ = function.__qualname__ = metric.name
    function.__module__ = metric.__module__
    function.__annotations__["return"] = metric.score_type
    return function
