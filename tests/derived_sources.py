"""Metrics that need sources, in tests that pass only hypotheses and references: sources follow from references."""

import refscore
from refscore.inputs import is_column
from refscore.metrics import PreparedReferences, map_groups


def source_of(entry):
    """Return a source for the references of a segment: the first reference backwards, without its first token."""
    if isinstance(entry, str):
        return " ".join(entry.split()[:0:-1])
    first = next((item for item in entry or () if item is not None), "") if isinstance(entry, (list, tuple)) else ""
    return source_of(first) if isinstance(first, str) else list(first)[:0:-1]


def sources_of(references):
    """Return a source for each segment."""
    if is_column(references):
        references = references.to_pylist()
    return [source_of(entry) for entry in references] if isinstance(references, (list, tuple)) else []


@refscore.metrics.Metric.register
class WithDerivedSources:
    """A metric that needs sources, with methods that derive them from references."""

    def __init__(self, metric):
        self.metric = metric

    def __getattr__(self, name):
        return getattr(self.metric, name)

    def __eq__(self, other):
        return self.metric == (other.metric if isinstance(other, WithDerivedSources) else other)

    def __hash__(self):
        return hash(self.metric)

    def __reduce__(self):
        return WithDerivedSources, (self.metric,)

    def _call(self, method, hypotheses, references, options):
        if not isinstance(references, PreparedReferences):
            references = list(references) if hasattr(references, "__next__") else references
            options = {**options, "sources": sources_of(references)}
        return getattr(self.metric, method)(hypotheses, references, **options)

    def stats(self, hypotheses, references, **options):
        return self._call("stats", hypotheses, references, options)

    def corpus(self, hypotheses, references, **options):
        return self._call("corpus", hypotheses, references, options)

    def segments(self, hypotheses, references, **options):
        return self._call("segments", hypotheses, references, options)

    def segment(self, hypothesis, references):
        source = None if isinstance(references, PreparedReferences) else source_of(references)
        return self.metric.segment(hypothesis, references, source=source)

    def value_and_row(self, hypothesis, references):
        return self.metric.value_and_row(hypothesis, references, source=source_of(references))

    def explain(self, hypothesis, references):
        source = None if isinstance(references, PreparedReferences) else source_of(references)
        return self.metric.explain(hypothesis, references, source=source)

    def pairwise(self, hypotheses, references, **options):
        if isinstance(references, PreparedReferences):
            return self.metric.pairwise(hypotheses, references, **options)
        if is_column(references):
            references = references.to_pylist()
        if all(isinstance(item, str) for item in references) or options.get("tokens"):
            return self.pairwise(hypotheses, self.prepare([[item] for item in references]), **options)
        return map_groups(lambda *group: self.pairwise(*group, **options), hypotheses, references, False)

    def prepare(self, references):
        references = list(references) if hasattr(references, "__next__") else references
        return self.metric.prepare(references, sources=sources_of(references))


def function_of(kind):
    """Return the function of a metric, such as `refscore.bleu`, with sources that follow from references if needed."""
    function = getattr(refscore if kind.needs_references else refscore.metrics, kind.name)
    if not kind.needs_sources:
        return function
    return lambda hypotheses, references, **options: function(
        hypotheses, references, sources=sources_of(references), **options
    )


def derive_sources(metric):
    """Return the metric, with methods that derive sources from references if it needs sources."""
    return WithDerivedSources(metric) if metric.needs_sources else metric
