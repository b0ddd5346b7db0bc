"""Running metrics: kernels read the input directly if they can; otherwise Python converts it, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import InputError, LimitError, Location, SettingError, relocated
from refscore.inputs import (
    Input,
    InputKind,
    Side,
    check,
    check_hypotheses,
    check_pairs,
    check_references,
    is_prepared,
    is_sequence,
    kernel_form,
    listed,
    listed_hypotheses,
    listed_references,
    nesting,
    plain_tokens,
    read_side,
)
from refscore.metrics.core.prepared import PreparedReferences, empty_reference, noun
from refscore.metrics.core.row_sums import RowSum
from refscore.metrics.core.score import Rows, Values

if TYPE_CHECKING:
    from refscore.metrics.core.metric import Metric


T = TypeVar("T")


def call_joined(call: Callable[[Side], T], metric: Metric[Any], given: Input, threads: int) -> T:
    references = _joined(metric, given, threads)
    with relocated(_beside_source):
        return call(references)


def without_source(counts: tuple[Any, ...]) -> Any:
    """Return a kernel's result, which ends with the range of reference counts, without counting the source."""
    *result, fewest, most = counts
    return *result, max(0, fewest - 1), max(0, most - 1)


def missing_source(metric: Metric[Any]) -> InputError:
    return InputError(None, f"{metric.title} needs the source of the segment", "pass source=")


def _beside_source(location: Location) -> Location:
    if location.side != "references" or location.reference is None:
        return location
    if location.reference == 0:
        return replace(location, side="sources", reference=None)
    return replace(location, reference=location.reference - 1)


def _joined(metric: Metric[Any], given: Input, threads: int) -> Side:
    if given.sources is None:
        if given.references.is_prepared:
            return given.references
        raise InputError(None, f"{metric.title} needs the source of each segment", "pass sources=, one per segment")
    if given.references.is_prepared:
        raise InputError(None, "the references were prepared without sources", "pass sources= to prepare() instead")
    given.read_sources(threads)
    singles, kind = check_hypotheses(given.sources, "sources")
    entries, reference_kind = check_references(given.references)
    if len(singles) != len(entries):
        problem = f"has {len(singles)} segments, but references has {len(entries)}"
        raise InputError(Location("sources"), problem, "pass one source per segment")
    if len(singles) and (kind == "text") != (reference_kind == "text"):
        problem = f"is {noun(kind)}, but the references are {noun(reference_kind)}"
        raise InputError(Location("sources"), problem, "pass all as text or all as tokens")
    sides = zip(listed_hypotheses(singles), listed_references(entries), strict=True)
    return read_side([[source, *entry] for source, entry in sides])


def map_groups(
    call: Callable[..., Any],
    hypotheses: Any,
    references: Any,
    tokens: bool,
    *further: tuple[Any, Location],
) -> Any:
    """Return `call(hypotheses, references, …)`; for a batch, a list with each group's result.

    `further` has more arguments, each with its location: one value for a group, or one per group in a batch.
    """
    groups = _split_groups(hypotheses, references, tokens)
    if groups is None:
        return call(hypotheses, references, *(value for value, _ in further))
    columns = []
    for value, location in further:
        if value is not None and (not is_sequence(value) or len(value) != len(groups)):
            raise InputError(location, f"must have one entry per group, {len(groups)} in all")
        columns.append([None] * len(groups) if value is None else value)
    results = []
    for i, (group, *values) in enumerate(zip(groups, *columns, strict=True)):
        with relocated(methodcaller("in_group", i)):
            results.append(call(*group, *values))
    return results


def _split_groups(hypotheses: Any, references: Any, tokens: bool) -> list[tuple[Any, Any]] | None:
    if is_prepared(references):
        return None
    batched = [side for side in (_is_batch(hypotheses, tokens), _is_batch(references, tokens)) if side is not None]
    if not any(batched):
        return None
    if not all(batched):
        raise InputError(
            None, "one side is a group and the other a batch of groups", "pass a group or a batch on both sides"
        )
    if len(hypotheses) != len(references):
        raise InputError(
            None, f"{len(hypotheses)} groups of hypotheses but {len(references)} of references: pass the same number"
        )
    return list(zip(hypotheses, references, strict=True))


def _is_batch(side: Any, tokens: bool) -> bool | None:
    """Return whether a side has several groups, or None if it is empty and could be either."""
    measured = nesting(side, Location("pairwise input"))
    if measured is None:
        return None
    depth, of_text = measured
    # A list of lists of strings is a batch of texts, unless `tokens` says that it holds token sequences.
    return depth > (1 if of_text and not tokens else 2)


# Kernels' errors for segments that they cannot score. Python then finds the reason and the location.
NOT_DIRECTLY = (_native.UnsupportedInput, _native.EmptyReference, LimitError)

# Segments that Python converts at a time, so the copies take a few megabytes. No result depends on it.
_BLOCK = 4096

# More than any machine has cores.
_MOST_THREADS = 65536


def kernel_threads(threads: int | None) -> int:
    """Return the threads for a kernel, where 0 means all cores."""
    if threads is None:
        return 0
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise SettingError(f"threads must be a whole number of at least 1, or None for all cores, not {threads!r}")
    return min(int(threads), _MOST_THREADS)


def rows_and_counts(metric: Metric[Any], given: Input, threads: int | None) -> tuple[Rows, tuple[int, int]]:
    """Return one row per segment, and the range of reference counts (0 without segments)."""
    blocks: list[tuple[Rows, int, int]] = run(metric, metric.kernel.counted, given, threads)
    joined, fewest, most = blocks[0]
    if len(blocks) > 1:
        joined = np.concatenate([block[0] for block in blocks])
        fewest, most = min(block[1] for block in blocks), max(block[2] for block in blocks)
    # NumPy's own int64, not the equal type from DLPack
    return joined.view(metric.row_type), (fewest, most)


def total(metric: Metric[Any], given: Input, threads: int | None) -> tuple[Rows, tuple[int, int]]:
    """Return the exact sum over all rows, and the range of reference counts (0 without segments)."""
    count = kernel_threads(threads)
    if not given.is_read:
        given.read(count)
    if metric.needs_sources:
        joined = partial(_total, metric, given.hypotheses, threads=count)
        row, fewest, most = without_source(call_joined(joined, metric, given, count))
    else:
        row, fewest, most = _total(metric, given.hypotheses, given.references, count)
    return row, (fewest, most)


def _total(metric: Metric[Any], hypotheses: Side, references: Side, threads: int) -> tuple[Any, ...]:
    try:
        direct: tuple[Any, ...] | None = _directly(metric, metric.kernel.total, hypotheses, references, threads)
    except (_native.EmptyReference, LimitError):
        direct = None  # the error is raised again below, with its location
    if direct is not None:
        return direct
    sums = RowSum(len(metric.columns), metric.row_type)
    counts = _run_blocks(metric, _adder(metric, sums), hypotheses, references, threads)
    return sums.row, *_count_range(counts)


def add_rows(metric: Metric[Any], given: Input, threads: int | None, sums: RowSum) -> tuple[int, int]:
    """Add all segments' rows to a sum, and return the range of reference counts. After an error, drop the sum."""
    return _count_range(run(metric, _adder(metric, sums), given, threads))


def _adder(metric: Metric[Any], sums: RowSum) -> Callable[[Any, Any, int], tuple[int, int]]:
    return lambda hypotheses, references, count: metric.kernel.total_into(hypotheses, references, count, sums.native)


def _count_range(counts: list[tuple[int, int]]) -> tuple[int, int]:
    return min(fewest for fewest, _ in counts), max(most for _, most in counts)


def one_row(metric: Metric[Any], hypothesis: Any, references: Any, source: Any) -> tuple[Rows, tuple[int, int]]:
    shared = is_prepared(references)
    if shared and len(references) != 1:
        problem = f"the prepared references have {len(references)} segments"
        raise InputError(None, problem, "segment() needs one segment")
    if metric.needs_sources and source is None and not shared:
        raise missing_source(metric)
    is_alone = references is None and not metric.needs_references
    entries = references if shared or is_alone else (references,)
    with relocated(Location.in_one_segment):
        return total(metric, Input((hypothesis,), entries, None if source is None else (source,)), 1)


def scores(metric: Metric[Any], given: Input, threads: int | None) -> Values:
    native = getattr(metric.kernel, "scores", None)
    if native is None:
        return metric.values(rows_and_counts(metric, given, threads)[0], threads=threads)
    blocks: list[tuple[Values, int, int]] = run(metric, native, given, threads)
    return blocks[0][0] if len(blocks) == 1 else np.concatenate([block[0] for block in blocks])


def prepare(metric: Metric[Any], references: Any, sources: Any = None, threads: int = 0) -> PreparedReferences:
    def read(side: Side) -> PreparedReferences:
        return PreparedReferences.prepare(metric.kernel, metric.reading, side, metric.mixed_tokens, threads)

    if metric.needs_sources:
        return call_joined(read, metric, Input((), references, sources), threads)
    return read(read_side(references).read("references", threads, read_side(())))


def run(metric: Metric[Any], call: Callable[[Any, Any, int], T], given: Input, threads: int | None) -> list[T]:
    """Call a kernel on the input directly if it can read it, else on blocks that Python converts."""
    count = kernel_threads(threads)
    if not given.is_read:
        given.read(count)
    if not metric.needs_sources:
        return _run(metric, call, given.hypotheses, given.references, count)
    joined = partial(_run, metric, call, given.hypotheses, threads=count)
    results: list[Any] = call_joined(joined, metric, given, count)
    return [without_source(result) for result in results]


def _run(
    metric: Metric[Any], call: Callable[[Any, Any, int], T], hypotheses: Side, references: Side, threads: int
) -> list[T]:
    try:
        direct = _directly(metric, call, hypotheses, references, threads)
    except _native.EmptyReference as error:
        raise empty_reference(metric.name, references, *error.args) from None
    return [direct] if direct is not None else _run_blocks(metric, call, hypotheses, references, threads)


def _run_blocks(
    metric: Metric[Any], call: Callable[[Any, Any, int], T], hypotheses: Side, references: Side, threads: int
) -> list[T]:
    metric.check_fitted()
    results: list[T] = []
    done = 0
    try:
        with relocated(lambda location: location.after(done)):
            for block in _blocks(metric, hypotheses, references, threads):
                results.append(call(*block, threads))
                done += len(block[0])
        return results
    except _native.EmptyReference as error:
        raise empty_reference(metric.name, references, done + error.args[0], error.args[1]) from None
    except _native.UnsupportedInput:
        raise InputError(None, "hypotheses or references changed during scoring") from None


def _directly(
    metric: Metric[Any], call: Callable[[Any, Any, int], T], hypotheses: Side, references: Side, threads: int
) -> T | None:
    """Call a kernel with unchecked input; return None if the kernel cannot read it."""
    if not metric.reads_directly:
        return None
    try:
        if hypotheses.is_plain and references.is_plain:
            return call(hypotheses.value, references.value, threads)
        return call(hypotheses.as_hypotheses(), references.as_references(metric.reading), threads)
    except _native.UnsupportedInput:
        return None


def _blocks(metric: Metric[Any], hypotheses: Side, references: Side, threads: int) -> Iterator[tuple[Any, Any]]:
    """Yield the input in blocks with types that kernels read, or raise an error with the reason."""
    mixed, pipeline = metric.mixed_tokens, metric.pipeline
    if references.is_prepared:
        prepared: PreparedReferences = references.value
        plain, kind = check_hypotheses(hypotheses)
        if len(plain) != len(prepared):
            problem = f"{len(plain)} hypotheses but references prepared for {len(prepared)} segments"
            raise InputError(None, problem, "pass one hypothesis per segment")
        yield prepared.match(plain, kind, metric.reading, mixed, threads), prepared.native
        return
    if references.value is None and not metric.needs_references:
        plain, kind = check_hypotheses(hypotheses)
        if kind == "text" and pipeline.prepare is not None:
            plain = pipeline.prepare_all(plain, threads)
        if kind != "matrix" and mixed != "keep" and any(not isinstance(item, str) for item in plain):
            plain, _ = plain_tokens(plain, [], mixed=mixed)
        yield kernel_form(plain), None
        return
    segments = check(hypotheses, references, mixed)
    if segments.kind != "text" or pipeline.prepare is None or not segments.hypotheses:
        yield kernel_form(segments.hypotheses), kernel_form(segments.references)
        return
    assert isinstance(segments.hypotheses, list) and isinstance(segments.references, list)
    for begin in range(0, len(segments.hypotheses), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        texts = pipeline.prepare_all(segments.hypotheses[block], threads)
        reference_texts = pipeline.prepare_entries(segments.references[block], threads)
        if not isinstance(texts[0], str):
            texts, reference_texts = plain_tokens(texts, reference_texts, mixed=mixed)
        yield texts, reference_texts


def pairwise(
    metric: Metric[Any], hypotheses: Any, references: Any, source: Any, tokens: bool, threads: int | None
) -> Any:
    count = kernel_threads(threads)
    hypotheses, references = listed(hypotheses, "hypotheses", count), listed(references, "references", count)
    own = source if metric.needs_sources else None
    score = partial(_pairs, metric, count)
    return map_groups(score, hypotheses, references, tokens, (own, Location("source")))


def read_group(
    metric: Metric[Any], hypotheses: Any, references: Any, source: Any = None, threads: int = 0
) -> tuple[Any, InputKind, PreparedReferences]:
    if is_prepared(references):
        return *check_hypotheses(hypotheses), references
    if metric.needs_sources and source is None:
        raise missing_source(metric)
    with relocated(lambda location: replace(location, reference=None)):  # each entry is a single reference
        segments = check_pairs(hypotheses, references, metric.mixed_tokens)
        sources = [source] * len(segments.references) if metric.needs_sources else None
        prepared = prepare(metric, segments.references, sources, threads)
        return segments.hypotheses, segments.kind, prepared


def _pairs(metric: Metric[Any], threads: int, hypotheses: Any, references: Any, source: Any) -> NDArray[np.float64]:
    metric.check_fitted()
    plain, kind, prepared = read_group(metric, hypotheses, references, source, threads)
    if len(plain) == 0 or len(prepared) == 0:
        return np.zeros((len(plain), len(prepared)))
    plain = prepared.match(plain, kind, metric.reading, metric.mixed_tokens, threads)
    try:
        scores: NDArray[np.float64] = metric.kernel.pairwise(plain, prepared.native, threads)
        return scores
    except _native.EmptyReference as error:
        raise empty_reference(metric.name, prepared, *error.args) from None
