"""The vocabulary of worked steps, and the steps for metrics in pure Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as numbers_from
from typing import Any, Generic, TypeAlias, TypeVar

from refscore.cached import cached_property
from refscore.errors import InputError, Location, relocated
from refscore.inputs import check_hypotheses, check_references, read_side
from refscore.metrics.core.alignments import Shift
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.python_metric import PythonScore
from refscore.metrics.core.score import Score
from refscore.steps import Formula, Heading as Heading, Paragraph, Steps  # noqa: PLC0414 - metrics use them from here
from refscore.tables import Column, Mark, Row, Table as Table  # noqa: PLC0414

Tokens: TypeAlias = Sequence[Hashable]
Part: TypeAlias = Heading | Paragraph | Formula | Table
# What each metric's function `explain` yields. A text is a paragraph, and headings are numbered.
Written: TypeAlias = "Iterator[Part | str]"
Cell: TypeAlias = str | int | float

# Longer lists are hard to read.
MOST_TERMS = 20
MOST_WORDS = 12
MOST_ROWS = 200

# The names of edits of the hypothesis, and how rows mark them. A word that only the reference has is inserted.
EDITS: dict[str, tuple[str, Mark]] = {
    "hit": ("match", "match"),
    "substitution": ("substitute", "partial"),
    "deletion": ("insert", "miss"),
    "insertion": ("delete", "miss"),
}


def show(cell: Cell) -> str:
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def row(*cells: Cell, mark: Mark | None = None) -> Row:
    return Row(tuple(map(show, cells)), mark)


def left(*titles: str) -> list[Column]:
    return [Column(title) for title in titles]


def right(*titles: str) -> list[Column]:
    return [Column(title, "right") for title in titles]


def mark_share(part: int, whole: int) -> Mark:
    """Return a row's mark: all, some or nothing matches."""
    return "match" if part == whole else "partial" if part else "miss"


def shortened_table(title: str, columns: Sequence[Column], rows: Sequence[Row], note: str | None = None) -> Written:
    """Yield a table with the first rows, and how many more there are."""
    yield Table(title, columns, rows[:MOST_ROWS], note)
    if len(rows) > MOST_ROWS:
        yield f"… and {len(rows) - MOST_ROWS} more rows."


def formula(name: str, *terms: Cell) -> Formula:
    return Formula.chain(name, *map(show, terms))


def sum_terms(terms: Sequence[Cell], pattern: str = "{}") -> list[str]:
    """Return a sum as a term for `formula`, or nothing for a single term or for many terms."""
    return [pattern.format(" + ".join(map(show, terms)))] if 1 < len(terms) <= MOST_TERMS else []


def joined(tokens: Tokens) -> str:
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

    score: S
    hypothesis: Any
    references: Sequence[Any]
    source: Any = None

    def _words(self, item: Any, *, is_reference: bool = False) -> Tokens:
        metric: Any = self.score.metric
        words: Tokens = metric.pipeline.words(item, is_reference=is_reference)
        return words

    @cached_property
    def candidate(self) -> Tokens:
        return self._words(self.hypothesis)

    @cached_property
    def targets(self) -> list[Tokens]:
        return [self._words(reference, is_reference=True) for reference in self.references]

    @cached_property
    def source_tokens(self) -> Tokens:
        return self._words(self.source)

    @cached_property
    def scores(self) -> list[S | None]:
        """The score with each reference, or None for a reference that the metric ignores."""
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
        return self.targets[self.best]

    def token_steps(self) -> Written:
        yield Heading("Tokens")
        source = self.source_tokens if self.score.metric.needs_sources else None
        yield token_table(self.candidate, self.targets, source)

    def reference_steps(self, columns: Mapping[str, str], remarks: Sequence[str] | None = None) -> Written:
        """Yield a table with each reference's score, if there are several. `columns` has attributes by title."""
        if len(self.references) == 1:
            return
        values = [score.value for score in self.scores if score is not None]
        why = "has the best score"
        if len(values) == 1:
            why = "is the only reference that counts"
        elif values.count(self.score.value) > 1:
            why = "is the first with the best score"
        yield Heading("The best reference")
        yield "The hypothesis is scored against each reference. The best score counts."
        yield self.reference_table(columns, remarks)
        yield f"Reference {self.best + 1} {why}. The next steps use it."

    def skipped_remarks(self) -> list[str]:
        """Return a remark on each reference that `empty_reference="skip"` ignores."""
        metric: Any = self.score.metric
        skips = metric.empty_reference == "skip" and any(self.targets)
        return ["no tokens, ignored" if skips and not target else "" for target in self.targets]

    def reference_table(self, columns: Mapping[str, str], remarks: Sequence[str] | None = None) -> Table:
        """Return a table with each reference's score. See `reference_steps`."""
        cells = [
            None if score is None else [getattr(score, attribute) for attribute in columns.values()]
            for score in self.scores
        ]
        return reference_table([*columns], cells, self.best, remarks)


def work_out(
    explain: Callable[[ScoredSegment[Any]], Written], metric: Metric[Any], hypothesis: Any, references: Any, source: Any
) -> Steps:
    """Check and score a segment, and return the steps that `explain` yields for it."""
    side = read_side(references)
    if side.is_prepared:
        raise InputError(None, "prepared references have no text to show", "pass the original references to explain()")
    references = side.value
    with relocated(Location.in_one_segment):
        items, _ = check_hypotheses([hypothesis])
        is_alone = references is None and not metric.needs_references
        entries, _ = ([()], "text") if is_alone else check_references([references])
    # Score the arguments, not the checked items, so error locations refer to the arguments.
    score = metric.segment(hypothesis, references, source=source)
    parts: list[Part] = [Paragraph(f"Settings: {metric.signature}")]
    numbers = numbers_from(1)
    shown = list(entries[0]) if metric.needs_references else []
    for part in explain(ScoredSegment(score, items[0], shown, source)):
        if isinstance(part, Heading):
            parts.append(Heading(f"{next(numbers)}. {part.text}"))
        else:
            parts.append(Paragraph(part) if isinstance(part, str) else part)
    percent = f" ({score.percent:.2f} %)" if metric.printed_scale == 100 else ""
    return Steps(f"{metric.title}, step by step", tuple(parts), f"{metric.title} = {score.value:.4f}{percent}")


def text_rows(texts: Sequence[Tokens], join: Callable[[Tokens], str] = joined) -> list[Row]:
    numbered = [f"reference {number}" for number in range(1, len(texts))]
    names = ["hypothesis", *(["reference"] if len(texts) == 2 else numbered)]
    return [row(name, join(text), len(text)) for name, text in zip(names, texts, strict=True)]


def token_table(candidate: Tokens, targets: Sequence[Tokens], source: Tokens | None = None) -> Table:
    first = [] if source is None else [row("source", joined(source), len(source))]
    rows = [*first, *text_rows([candidate, *targets])]
    return Table("Compared tokens", left("text", "tokens") + right("length"), rows)


def reference_table(
    titles: Sequence[str], numbers: Iterable[Sequence[Cell] | None], best: int, remarks: Sequence[str] | None = None
) -> Table:
    rows = []
    for i, cells in enumerate(numbers):
        status = "counts" if i == best else "ignored" if cells is None else ""
        remark = ", ".join(filter(None, (remarks[i] if remarks else "", status)))
        shown = ["–"] * len(titles) if cells is None else cells
        rows.append(row(f"reference {i + 1}", *shown, remark, mark="match" if i == best else None))
    return Table("References", left("text") + right(*titles) + left(""), rows)


def ngram_counts(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    """Count the n-grams for one order, sorted by first occurrence."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def ngram_rows(counts: Counter[Any], known: Counter[Any]) -> list[Row]:
    """Return one row per n-gram: its count, its count in `known`, and the smaller one."""
    rows = []
    for ngram, count in counts.items():
        common = min(count, known[ngram])
        rows.append(row(joined(ngram), count, known[ngram], common, mark=mark_share(common, count)))
    return rows


def missing_ngrams(order: int, candidate: Tokens) -> str:
    return f"{order}-grams: the hypothesis has only {len(candidate)} tokens, so it has none."


def alignment_grid(
    title: str, candidate: Tokens, target: Tokens, signs: Mapping[tuple[int, int], str], legend: str = ""
) -> Written:
    """Draw signs at position pairs, counted from 0, with a legend above. Long texts are not drawn."""
    if max(len(candidate), len(target)) > MOST_IN_GRID:
        return
    places = range(len(target))
    rows = [row(str(word), *(signs.get((i, j), "·") for j in places)) for i, word in enumerate(candidate)]
    columns = left("word") + [Column(str(place + 1), "center") for place in places]
    named = ", ".join(f"{number} {token}" for number, token in enumerate(target, 1))
    explained = "As a grid: rows are the words of the hypothesis, columns the positions in the reference"
    yield f"{explained} ({named}){legend}."
    yield Table(title, columns, rows)


def move_steps(candidate: Tokens, target: Tokens, moves: Sequence[Shift], rule: str, remaining: str) -> Written:
    """Yield a table with the moves that `rule` describes; `remaining` is what the metric counts after a move."""
    yield Heading("Moves")
    if not candidate or not target:
        yield f"The {'reference' if candidate else 'hypothesis'} is empty, so there is nothing to move."
        return
    yield rule
    if not moves:
        yield f"No move leaves fewer {remaining}."
        return
    words = list(candidate)
    rows = []
    for number, move in enumerate(moves, 1):
        size = len(move.words)
        del words[move.begin : move.begin + size]
        words[move.to : move.to] = move.words
        places = positions(move.begin, move.begin + size), positions(move.to, move.to + size)
        rows.append(row(number, joined(move.words), *places, joined(words), move.distance))
    columns = right("move") + left("words", "from", "to", "hypothesis after the move") + right(f"{remaining} left")
    yield Table("Moves", columns, rows, "Positions count from 1, in the hypothesis after the previous moves.")


def explain(segment: ScoredSegment[PythonScore]) -> Written:
    metric = segment.score.metric
    yield from segment.token_steps()
    yield Heading("Row")
    cells = [row(name, f"{number:g}") for name, number in segment.score.details().items()]
    yield Table("Row", left("column") + right("number"), cells)
    yield Heading("Result")
    yield formula(metric.title, f"value({', '.join(metric.columns)})", segment.score.value)
