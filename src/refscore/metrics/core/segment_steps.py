"""Common worked steps of a segment: tokens, scores with each reference, n-grams and alignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from refscore.cached import cached_property
from refscore.errors import InputError, Location, relocated
from refscore.inputs import check_hypotheses, check_references, read_side
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score
from refscore.metrics.core.step_parts import Cell, Part, Section, Tokens, joined, left, mark_share, right, row
from refscore.steps import Heading, Paragraph, Steps
from refscore.tables import Column, Row, Table

S = TypeVar("S", bound=Score)

# Larger grids are hard to read.
MOST_IN_GRID = 20


@dataclass(frozen=True)
class ScoredSegment(Generic[S]):
    """A checked segment, without missing references, and its score."""

    metric: Metric[S]
    score: S
    hypothesis: Any
    references: Sequence[Any]
    source: Any = None

    @cached_property
    def candidate(self) -> Tokens:
        """The tokens of the hypothesis."""
        return self.metric.pipeline.words(self.hypothesis)

    @cached_property
    def targets(self) -> list[Tokens]:
        """The tokens of each reference."""
        return [self.metric.pipeline.words(reference, is_reference=True) for reference in self.references]

    @cached_property
    def source_tokens(self) -> Tokens:
        """The tokens of the source, of a metric that needs sources."""
        return self.metric.pipeline.words(self.source)

    @cached_property
    def scores(self) -> list[S | None]:
        """The score with each reference; None for a reference that the metric ignores."""
        return [self._score_with(reference) for reference in self.references]

    def _score_with(self, reference: Any) -> S | None:
        try:
            metric: Any = self.score.metric
            score: S = metric.segment(self.hypothesis, [reference], source=self.source)
        except InputError:  # this reference has no score, although the segment has one
            return None
        return score

    @cached_property
    def best(self) -> int:
        """The index of the reference that gives the score."""
        row = self.score.row.tolist()
        return next(i for i, score in enumerate(self.scores) if score is not None and score.row.tolist() == row)

    @property
    def target(self) -> Tokens:
        """The tokens of the reference that gives the score."""
        return self.targets[self.best]

    @property
    def token_section(self) -> Section:
        """The tokens of all texts."""
        source = self.source_tokens if self.metric.needs_sources else None
        return "Tokens", [token_table(self.candidate, self.targets, source)]

    def reference_sections(self, columns: Mapping[str, str], remarks: Sequence[str] | None = None) -> list[Section]:
        """Return the section about the reference that gives the score; nothing if there is only one reference.

        Args:
            columns: The attributes of scores to show, by title.
            remarks: A remark on each reference.
        """
        if len(self.references) == 1:
            return []
        numbers = [
            None if score is None else [getattr(score, attribute) for attribute in columns.values()]
            for score in self.scores
        ]
        values = [score.value for score in self.scores if score is not None]
        why = "has the best score"
        if len(values) == 1:
            why = "is the only reference that counts"
        elif values.count(self.score.value) > 1:
            why = "is the first with the best score"
        parts: list[Part] = [
            Paragraph("The hypothesis is scored against each reference. The best score counts."),
            reference_table([*columns], numbers, self.best, remarks),
            Paragraph(f"Reference {self.best + 1} {why}. The next steps use it."),
        ]
        return [("The best reference", parts)]

    def steps(self, *sections: Section) -> Steps:
        """Return the worked steps: the settings, the sections under numbered headings, and the result."""
        title, value = self.metric.title, self.score.value
        parts: list[Part] = [Paragraph(f"Settings: {self.metric.signature}")]
        for number, (heading, content) in enumerate(sections, 1):
            parts += [Heading(f"{number}. {heading}"), *content]
        percent = f" ({self.score.percent:.2f} %)" if self.metric.printed_scale == 100 else ""
        return Steps(f"{title}, step by step", tuple(parts), f"{title} = {value:.4f}{percent}")


def read_segment(metric: Metric[S], hypothesis: Any, references: Any, source: Any = None) -> ScoredSegment[S]:
    """Check and score a segment."""
    side = read_side(references)
    if side.is_prepared:
        raise InputError(None, "prepared references have no text to show", "pass the original references to explain()")
    references = side.value
    with relocated(Location.in_one_segment):
        items, _ = check_hypotheses([hypothesis])
        entries, _ = check_references([references])
    # Score the arguments, not the checked items, so error locations refer to the arguments.
    score = metric.segment(hypothesis, references, source=source)
    return ScoredSegment(metric, score, items[0], list(entries[0]), source)


def text_rows(texts: Sequence[Tokens], join: Callable[[Tokens], str] = joined) -> list[Row]:
    """Return one row per text, the hypothesis first, with its name, its tokens and their number."""
    numbered = [f"reference {number}" for number in range(1, len(texts))]
    names = ["hypothesis", *(numbered if len(texts) > 2 else ["reference"])]
    return [row(name, join(text), len(text)) for name, text in zip(names, texts, strict=True)]


def token_table(candidate: Tokens, targets: Sequence[Tokens], source: Tokens | None = None) -> Table:
    """Return a table of the tokens of the source, if there is one, the hypothesis and its references."""
    first = [] if source is None else [row("source", joined(source), len(source))]
    rows = [*first, *text_rows([candidate, *targets])]
    return Table("Compared tokens", left("text", "tokens") + right("length"), rows)


def reference_table(
    titles: Sequence[str], numbers: Iterable[Sequence[Cell] | None], best: int, remarks: Sequence[str] | None = None
) -> Table:
    """Return a table of numbers by reference; None for a reference that is ignored."""
    rows = []
    for i, cells in enumerate(numbers):
        status = "counts" if i == best else "ignored" if cells is None else ""
        remark = ", ".join(filter(None, (remarks[i] if remarks else "", status)))
        shown = ["–"] * len(titles) if cells is None else cells
        rows.append(row(f"reference {i + 1}", *shown, remark, mark="match" if i == best else None))
    return Table("References", left("text") + right(*titles) + left(""), rows)


def ngram_counts(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    """Count the n-grams of one order, in the order of their first occurrence."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def ngram_rows(counts: Counter[Any], known: Counter[Any]) -> list[Row]:
    """Return one row per n-gram: its count, its count in `known`, and the smaller of the two."""
    rows = []
    for ngram, count in counts.items():
        common = min(count, known[ngram])
        rows.append(row(joined(ngram), count, known[ngram], common, mark=mark_share(common, count)))
    return rows


def missing_ngrams(order: int, candidate: Tokens) -> Paragraph:
    """Return the sentence for a hypothesis that is too short for an order."""
    return Paragraph(f"{order}-grams: the hypothesis has only {len(candidate)} tokens, so it has none.")


def alignment_grid(
    title: str, candidate: Tokens, target: Tokens, signs: Mapping[tuple[int, int], str], legend: str = ""
) -> list[Part]:
    """Draw signs at pairs of positions, counted from 0, with a legend above. Long texts are not drawn."""
    if max(len(candidate), len(target)) > MOST_IN_GRID:
        return []
    places = range(len(target))
    rows = [row(str(word), *(signs.get((i, j), "·") for j in places)) for i, word in enumerate(candidate)]
    columns = left("word") + [Column(str(place + 1), "center") for place in places]
    named = ", ".join(f"{number} {token}" for number, token in enumerate(target, 1))
    explained = "As a grid: rows are the words of the hypothesis, columns the positions in the reference"
    return [Paragraph(f"{explained} ({named}){legend}."), Table(title, columns, rows)]
