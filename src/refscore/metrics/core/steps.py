"""Parts of worked steps that metrics share, and the steps of metrics without their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from refscore.cached import cached_property
from refscore.errors import InputError, Location, relocated
from refscore.inputs import check_hypotheses, check_references, read_side
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score
from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.core.alignments import Shift
    from refscore.metrics.core.python_metric import PythonMetric

Tokens: TypeAlias = Sequence[Hashable]
Part: TypeAlias = Heading | Paragraph | Formula | Table
Section: TypeAlias = tuple[str, Sequence[Part]]
Cell: TypeAlias = str | int | float

# Longer lists are hard to read.
MOST_TERMS = 20
MOST_WORDS = 12
MOST_ROWS = 200


def show(cell: Cell) -> str:
    """Return a cell as text; floats have four decimals."""
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def row(*cells: Cell, mark: Mark | None = None) -> Row:
    """Return a row of a table."""
    return Row(tuple(map(show, cells)), mark)


def left(*titles: str) -> list[Column]:
    """Return left-aligned columns, for texts."""
    return [Column(title) for title in titles]


def right(*titles: str) -> list[Column]:
    """Return right-aligned columns, for numbers."""
    return [Column(title, "right") for title in titles]


def mark_share(part: int, whole: int) -> Mark:
    """Return the mark of a row, by whether all, some or none of it matches."""
    return "match" if part == whole else "partial" if part else "miss"


def shortened_table(title: str, columns: Sequence[Column], rows: Sequence[Row], note: str | None = None) -> list[Part]:
    """Return a table of the first rows, and the number of further rows."""
    parts: list[Part] = [Table(title, columns, rows[:MOST_ROWS], note)]
    if len(rows) > MOST_ROWS:
        parts.append(Paragraph(f"… and {len(rows) - MOST_ROWS} more rows."))
    return parts


def formula(name: str, *terms: Cell) -> Formula:
    """Return a chain of equal terms. The last one is the value."""
    return Formula.chain(name, *map(show, terms))


def sum_terms(terms: Sequence[Cell], pattern: str = "{}") -> list[str]:
    """Return a sum as a term for `formula`; nothing for a single term or for many terms."""
    return [pattern.format(" + ".join(map(show, terms)))] if 1 < len(terms) <= MOST_TERMS else []


def joined(tokens: Tokens) -> str:
    """Return the tokens in one line."""
    return " ".join(str(token) for token in tokens)


def shortened(tokens: Tokens) -> str:
    """Return the tokens in one line. Long sequences are shortened to the first and last ones and the number."""
    if len(tokens) <= MOST_WORDS:
        return joined(tokens)
    return f"{joined(tokens[:4])} … {joined(tokens[-4:])} ({len(tokens)} words)"


def positions(begin: int, end: int) -> str:
    """Return the positions of `tokens[begin:end]`, counted from 1."""
    return str(end) if end == begin + 1 else f"{begin + 1}–{end}"


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


def move_parts(candidate: Tokens, target: Tokens, moves: Sequence[Shift], rule: str, remaining: str) -> list[Part]:
    """Return a table of the moves.

    Args:
        candidate: The words of the hypothesis.
        target: The words of the reference.
        moves: The moves, in order.
        rule: Which moves the metric makes.
        remaining: What the metric counts after a move, such as "edits".
    """
    if not candidate or not target:
        empty = "hypothesis" if not candidate else "reference"
        return [Paragraph(f"The {empty} is empty, so there is nothing to move.")]
    if not moves:
        return [Paragraph(rule), Paragraph(f"No move leaves fewer {remaining}.")]
    words = list(candidate)
    rows = []
    for number, move in enumerate(moves, 1):
        size = len(move.words)
        del words[move.begin : move.begin + size]
        words[move.to : move.to] = move.words
        places = positions(move.begin, move.begin + size), positions(move.to, move.to + size)
        rows.append(row(number, joined(move.words), *places, joined(words), move.distance))
    columns = right("move") + left("words", "from", "to", "hypothesis after the move") + right(f"{remaining} left")
    note = "Positions count from 1, in the hypothesis after the previous moves."
    return [Paragraph(rule), Table("Moves", columns, rows, note)]


def explain(metric: PythonMetric, hypothesis: Any, references: Any, source: Any = None) -> Steps:
    """Return the steps for one segment; see `PythonMetric.explain`."""
    segment = read_segment(metric, hypothesis, references, source)
    cells = [row(name, f"{number:g}") for name, number in segment.score.details().items()]
    return segment.steps(
        segment.token_section,
        ("Row", [Table("Row", left("column") + right("number"), cells)]),
        ("Result", [formula(metric.title, f"value({', '.join(metric.columns)})", segment.score.value)]),
    )
