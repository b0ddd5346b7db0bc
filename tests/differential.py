"""One comparison for all metrics: every way of refscore to a score, with one other implementation.

tests/originals has the implementations, and tests/metrics/test_originals.py compares them all on tests/corpora.py.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from refscore.metrics import Metric
from tests import reference
from tests.corpora import TEXT, Inputs
from tests.derived_sources import derive_sources, sources_of

Result = float | Mapping[str, Any] | None  # a value, or "value" and other fields of a Score; None: not defined


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The numbers of the other implementation for a corpus. None: it has none."""

    segments: Sequence[Result]
    corpus: Result = None
    rows: Sequence[Sequence[float]] | None = None  # integers have to be equal, fractions close


@dataclass(frozen=True, kw_only=True)
class Original:
    """A different implementation of a metric.

    metric: returns our metric for its options.
    scores: returns its numbers: scores(hypotheses, references, **options), with `sources` if our metric needs them.
    inputs: the kinds of corpora it takes.
    table: options that are compared on all corpora of `inputs` with names.
    options: a strategy for options, compared on drawn corpora.
    split: split(text, **options) returns the tokens of a text for `scores`, if it takes only tokens.
    clean: returns the part of a text on which both agree.
    references: the largest number of references.
    long: whether to compare long corpora too; these tests are slow.
    close: whether two numbers are equal.
    needs: an optional package that `scores` imports.
    """

    name: str
    metric: Callable[..., Metric]
    scores: Callable[..., Expected]
    inputs: Sequence[Inputs] = (TEXT,)
    table: Sequence[Mapping[str, Any]] = ({},)
    options: st.SearchStrategy = st.just({})  # noqa: RUF009 - immutable
    split: Callable[..., list] | None = None
    clean: Callable[[str], str] | None = None
    references: int | None = None
    long: bool = True
    close: Callable[[float, float], bool] = reference.close
    needs: str = "refscore"

    def cases(self):
        """Yield the name, corpus, options and marks of all corpora with names; long ones with the first options."""
        for inputs in self.inputs:
            for name, corpus in inputs.named.items():
                yield name, corpus, self.table, ()
            for name, corpus in inputs.long.items() if self.long else ():
                yield name, corpus, self.table[:1], pytest.mark.slow


def drawn(**strategies):
    """Return a strategy for options."""
    return st.fixed_dictionaries(strategies)


def streams(references):
    """Convert references per segment to sacrebleu's streams; a missing reference is None."""
    width = max(map(len, references))
    return [[refs[i] if i < len(refs) else None for refs in references] for i in range(width)]


def each(function, hypotheses, references, **options):
    """Return function(hypothesis, references) for each segment."""
    return [function(*pair, **options) for pair in zip(hypotheses, references, strict=True)]


def change_texts(change, hypotheses, references):
    """Return the corpus with every text changed; tokens remain."""

    def changed(item):
        return change(item) if isinstance(item, str) else item

    return [changed(item) for item in hypotheses], [[changed(item) for item in refs] for refs in references]


def fits_prepared(hypotheses, references):
    """Return whether prepared references take the hypotheses: prepared strings or integers take only these."""
    targets = list(itertools.chain(*itertools.chain(*references)))
    tokens = [*targets, *itertools.chain(*hypotheses)]

    def are_plain(tokens):
        return all(isinstance(token, str) for token in tokens) or all(
            isinstance(token, int) and -(2**63) <= token < 2**63 for token in tokens
        )

    return not targets or are_plain(tokens) or not are_plain(targets)


def compare(original, hypotheses, references, **options):
    """Compare all methods of our metric with the original on one corpus."""
    if original.clean:
        hypotheses, references = change_texts(original.clean, hypotheses, references)
    references = [refs[: original.references] for refs in references]
    seen = hypotheses, references
    if original.split:
        seen = change_texts(lambda text: original.split(text, **options), hypotheses, references)
    metric = derive_sources(original.metric(**options))
    sources = {}
    if metric.needs_sources:
        texts = sources_of(references)
        sources["sources"] = change_texts(lambda text: original.split(text, **options), texts, [])[0]
    expected = original.scores(*seen, **sources, **options)
    if metric.needs_fit:
        metric = metric.fit(references)
    _Comparison(original, metric, expected, options).check(hypotheses, references)
    if seen[0] != hypotheses and not sources:
        _Comparison(original, metric, expected, options).check(*seen)


@dataclass
class _Comparison:
    original: Original
    metric: Metric
    expected: Expected
    options: Mapping[str, Any]

    def check(self, hypotheses, references):
        metric, expected = self.metric, self.expected
        prepared = metric.prepare(references)
        if not fits_prepared(hypotheses, references):
            prepared = references
        rows = metric.stats(hypotheses, references)
        self.check_rows(rows, len(hypotheses))
        assert np.array_equal(metric.stats(hypotheses, prepared), rows), "prepared references"

        for way, targets in (("corpus", references), ("corpus of prepared references", prepared)):
            self.check_score(way, metric.corpus(hypotheses, targets), expected.corpus)
        self.check_score("score of the sum of rows", metric.score(rows.sum(axis=0)), expected.corpus)

        values = {
            "segments()": metric.segments(hypotheses, references),
            "segments() of prepared references": metric.segments(hypotheses, prepared),
            "values()": metric.values(rows),
        }
        for i, (hypothesis, refs, result) in enumerate(zip(hypotheses, references, expected.segments, strict=True)):
            self.check_score(f"segment() {i}", metric.segment(hypothesis, refs), result)
            self.check_score(f"score() of row {i}", metric.score(rows[i]), result)
            for way, numbers in values.items():
                self.check_value(f"{way}[{i}]", numbers[i], result)

        # All pairs of some segments: the diagonal of the matrix has their scores.
        few = slice(None, None, max(1, len(hypotheses) // 8))
        tokens = not isinstance(hypotheses[0], str)
        if fits_prepared(hypotheses[few], references[few]):
            matrix = metric.pairwise(hypotheses[few], metric.prepare(references[few]), tokens=tokens)
            for i, result in enumerate(expected.segments[few]):
                self.check_value(f"pairwise()[{i}, {i}]", matrix[i, i], result)

    def check_rows(self, rows, count):
        columns = self.metric.columns
        assert rows.shape == (count, len(columns))
        assert rows.dtype == self.metric.row_type
        if self.expected.rows is None:
            return
        for i, (actual, expected) in enumerate(zip(rows.tolist(), self.expected.rows, strict=True)):
            for column, number, other in zip(columns, actual, expected, strict=True):
                self.check_number(f"row {i}, {column}", number, other)

    def check_score(self, way, score, expected):
        self.check_value(way, score.value, expected)
        if isinstance(expected, Mapping):
            for field, other in expected.items():
                actual = getattr(score, field)
                pairs = zip(actual, other, strict=True) if isinstance(other, Sequence) else [(actual, other)]
                for pair in pairs:
                    self.check_number(f"{way}, {field}", *pair)

    def check_value(self, way, actual, expected):
        if expected is not None:
            self.check_number(way, actual, expected["value"] if isinstance(expected, Mapping) else expected)

    def check_number(self, what, actual, expected):
        exact = isinstance(actual, int) and isinstance(expected, int)
        same = actual == expected if exact else self.original.close(actual, expected)
        assert same, f"{what}: {actual!r} instead of {expected!r} of {self.original.name} with {dict(self.options)}"
