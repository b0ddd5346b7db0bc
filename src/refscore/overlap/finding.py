"""Find segments' n-grams in a corpus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from refscore import _native
from refscore.errors import SettingError
from refscore.inputs import Segment
from refscore.metrics import kernel_threads
from refscore.overlap.corpus import Files, call_in_batches, check_files
from refscore.overlap.ngram_filter import NO_DOCUMENTS, NgramFilter
from refscore.overlap.results import Overlap
from refscore.overlap.settings import OverlapSettings, get_preset
from refscore.progress import Progress


def find(
    segments: Iterable[Segment] | Files,
    corpus: Iterable[Segment] | Files | NgramFilter,
    preset: str | OverlapSettings | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Overlap:
    """Return to which extent each segment occurs in a corpus.

    The search is exact: n-grams are found by their hashes, and then compared token by token. Memory depends on the size
    of the segments, not on the corpus, which is read once. With an `NgramFilter`, the corpus n-grams are
    looked up in the filter, with some false matches.

    Args:
        segments: The test set or the outputs: texts or token sequences, or `Files`.
        corpus: The documents: texts or token sequences, or `Files`. Or an `NgramFilter` with them.
        preset: Settings, or their name in `refscore.overlap.PRESETS`, "plain" by default. With a filter, the
            filter's settings are the default.
        threads: The number of threads, by default all cores. The result does not depend on it.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: `OverlapSettings` settings that override the preset, such as `order`.

    Returns:
        Each segment's counts and verdict, and a summary.

    Example:
        >>> from refscore import overlap
        >>> segments = ["It was the best of times, it was the worst of times.", "Call me Ishmael."]
        >>> corpus = ["… IT WAS the best of times - it was the worst of times …", "Call me."]
        >>> found = overlap.find(segments, corpus, "gpt3")
        >>> found.order, found.contaminated.tolist()
        (8, [True, False])
        >>> overlap.find(segments, corpus, order=3)[0].matches
        4
    """
    count = kernel_threads(threads)
    check_files(segments, corpus)
    if isinstance(corpus, NgramFilter):
        return _ask(corpus, segments, preset, settings, count, progress)
    chosen = get_preset("plain" if preset is None else preset).changed(settings)
    pipeline = chosen.pipeline
    index = _native.OverlapIndex()
    for _ in call_in_batches(
        lambda texts: index.add(texts, pipeline.native, count), segments, "segments", pipeline, count
    ):
        pass
    order = chosen.order_for(index.lengths())
    index.build(order, chosen.max_documents or 0, count)
    documents = tokens = 0
    scan = call_in_batches(
        lambda texts: index.scan(texts, pipeline.native, count), corpus, "corpus", pipeline, count, progress
    )
    for batch_documents, batch_tokens in scan:
        documents += batch_documents
        tokens += batch_tokens
    return Overlap(chosen, order, index.counts(count), documents, tokens)


def _ask(
    ngram_filter: NgramFilter,
    segments: Any,
    preset: str | OverlapSettings | None,
    settings: dict[str, Any],
    threads: int,
    progress: Progress | None,
) -> Overlap:
    own = ngram_filter.settings
    chosen = (own if preset is None else get_preset(preset)).changed(settings)
    differing = [name for name in ("order", *_TEXT_SETTINGS) if getattr(chosen, name) != getattr(own, name)]
    if differing:
        name = differing[0]
        raise SettingError(
            f"the filter has {name}={getattr(own, name)!r}, not {getattr(chosen, name)!r}: build a filter with this "
            "setting, or leave it out"
        )
    if chosen.max_documents is not None:
        raise SettingError(NO_DOCUMENTS)
    pipeline = chosen.pipeline
    rows = [
        *call_in_batches(
            lambda texts: ngram_filter.native.counts(texts, pipeline.native, threads),
            segments,
            "segments",
            pipeline,
            threads,
            progress,
        )
    ]
    counts = np.concatenate(rows) if rows else np.empty((0, 4), np.int64)
    rate = ngram_filter.false_positive_rate
    return Overlap(chosen, own.order, counts, ngram_filter.documents, ngram_filter.tokens, rate)


_TEXT_SETTINGS = ("tokenizer", "lowercase", "normalize")
