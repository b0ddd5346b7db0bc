"""The building blocks of worked steps: a segment with its tokens and scores, and tables and formulas about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from refscore.errors import EmptyReferenceError, InputError, Location, relocated
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.score import Score
from refscore.segments import check_hypotheses, check_references
from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table

Tokens: TypeAlias = Sequence[Hashable]
Part: TypeAlias = Heading | Paragraph | Formula | Table
Section: TypeAlias = tuple[str, Sequence[Part]]
Cell: TypeAlias = str | int | float
S = TypeVar("S", bound=Score)

# A longer list explains less.
MOST_TERMS = 12
MOST_WORDS = 12
MOST_IN_GRID = 20
MOST_ROWS = 200


@dataclass(frozen=True)
class ScoredSegment(Generic[S]):
    """A checked segment without its missing references, and its score."""

    metric: Metric[S]
    score: S
    hypothesis: Any
    references: Sequence[Any]

    @cached_property
    def candidate(self) -> Tokens:
        """The tokens of the hypothesis."""
        return self.metric.pipeline.words(self.hypothesis)

    @cached_property
    def targets(self) -> list[Tokens]:
        """The tokens of each reference."""
        return [self.metric.pipeline.words(reference, is_reference=True) for reference in self.references]

    @cached_property
    def scores(self) -> list[S | None]:
        """The score with each reference; None for a reference that the metric leaves out."""
        return [self._score_with(reference) for reference in self.references]

    def _score_with(self, reference: Any) -> S | None:
        try:
            score: S = self.score.metric.segment(self.hypothesis, [reference])
        except EmptyReferenceError:
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
        return "Tokens", [token_table(self.candidate, self.targets)]

    def reference_sections(
        self, titles: Sequence[str], cells: Callable[[S], Sequence[Cell]], remarks: Sequence[str] | None = None
    ) -> list[Section]:
        """Return the section on the reference that gives the score; none if there is only one reference.

        Args:
            titles: The columns with numbers.
            cells: The numbers of a score.
            remarks: A remark on each reference, or "".
        """
        if len(self.references) == 1:
            return []
        numbers = [None if score is None else cells(score) for score in self.scores]
        table = reference_table(titles, numbers, self.best, remarks)
        values = [score.value for score in self.scores if score is not None]
        why = "is the first of those with the best score" if values.count(self.score.value) > 1 else "has the best score"
        if len(values) == 1:
            why = "is the only one that is not left out"
        parts = [
            Paragraph("The hypothesis is scored with each reference. The best score counts."),
            table,
            Paragraph(f"Reference {self.best + 1} {why}: what follows is about it."),
        ]
        return [("The best reference", parts)]

    def steps(self, *sections: Section) -> Steps:
        """Return the explanation: the settings, the sections under numbered headings, and the result."""
        title, value = self.metric.title, self.score.value
        parts: list[Part] = [Paragraph(f"Settings: {self.metric.signature}")]
        for number, (heading, content) in enumerate(sections, 1):
            parts += [Heading(f"{number}. {heading}"), *content]
        percent = f" ({self.score.percent:.2f} %)" if self.metric.printed_scale == 100 else ""
        return Steps(f"{title}, step by step", tuple(parts), f"{title} = {value:.4f}{percent}")


def read_segment(metric: Metric[S], hypothesis: Any, references: Any) -> ScoredSegment[S]:
    """Check and score a segment.

    >>> from refscore import BLEU
    >>> segment = read_segment(BLEU(), "a cat", ("a dog", None))
    >>> segment.score.value, segment.candidate, segment.references
    (0.0, ['a', 'cat'], ['a dog'])
    """
    if isinstance(references, PreparedReferences):
        raise InputError(None, "prepared references hold no texts to show", "explain() takes the references themselves")
    if isinstance(references, Iterator):
        references = list(references)
    with relocated(Location.in_one_segment):
        items, _ = check_hypotheses([hypothesis])
        entries, _ = check_references([references])
    # Score the arguments, not the checked items: errors then name what the caller passed.
    return ScoredSegment(metric, metric.segment(hypothesis, references), items[0], list(entries[0]))


def show(cell: Cell) -> str:
    """Return a text as it is, a float with four decimals.

    >>> show("–"), show(3), show(2 / 3)
    ('–', '3', '0.6667')
    """
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def row(*cells: Cell, mark: Mark | None = None) -> Row:
    """Return the row of a table.

    >>> row("reference", 3, 0.5).cells
    ('reference', '3', '0.5000')
    """
    return Row(tuple(map(show, cells)), mark)


def formula(name: str, *terms: Cell) -> Formula:
    """Return a chain of equal terms, the last of them the value.

    >>> print(formula("P", "matches / tokens", "2/3", 2 / 3))
    P = matches / tokens = 2/3 = 0.6667
    """
    return Formula.chain(name, *map(show, terms))


def sum_terms(terms: Sequence[Cell], pattern: str = "{}") -> list[str]:
    """Return a written sum as a term for `formula`; nothing for a single term or for many.

    >>> sum_terms([1, 2], "({})/2"), sum_terms([1])
    (['(1 + 2)/2'], [])
    """
    return [pattern.format(" + ".join(map(show, terms)))] if 1 < len(terms) <= MOST_TERMS else []


def right(*titles: str) -> list[Column]:
    """Return columns that are aligned to the right, for numbers."""
    return [Column(title, "right") for title in titles]


def table(title: str, columns: Iterable[str | Column], rows: Iterable[Row], note: str | None = None) -> Table:
    """Return a table whose columns are aligned to the left, unless they are given as `right`.

    >>> print(table("Lengths", ["text", *right("tokens")], [row("hypothesis", 10)]))
    Lengths
    text        tokens
    ----------  ------
    hypothesis      10
    """
    return Table(title, [Column(column) if isinstance(column, str) else column for column in columns], rows, note)


def shortened_table(
    title: str, columns: Iterable[str | Column], rows: Sequence[Row], note: str | None = None
) -> list[Part]:
    """Return a table of the first rows, and the number of further rows."""
    parts: list[Part] = [table(title, columns, rows[:MOST_ROWS], note)]
    if len(rows) > MOST_ROWS:
        parts.append(Paragraph(f"… and {len(rows) - MOST_ROWS} more rows."))
    return parts


def joined(tokens: Tokens) -> str:
    """Return the tokens in one line.

    >>> joined((1, "b"))
    '1 b'
    """
    return " ".join(str(token) for token in tokens)


def shortened(tokens: Tokens) -> str:
    """Return the tokens in one line; of many only the first and last ones, and the number.

    >>> shortened(range(20))
    '0 1 2 3 … 16 17 18 19 (20 words)'
    """
    if len(tokens) <= MOST_WORDS:
        return joined(tokens)
    return f"{joined(tokens[:4])} … {joined(tokens[-4:])} ({len(tokens)} words)"


def positions(begin: int, end: int) -> str:
    """Return the positions of `tokens[begin:end]`, counted from 1.

    >>> positions(0, 1), positions(2, 5)
    ('1', '3–5')
    """
    return str(end) if end == begin + 1 else f"{begin + 1}–{end}"


def text_rows(texts: Sequence[Tokens], join: Callable[[Tokens], str] = joined) -> list[Row]:
    """Return one row per text, the hypothesis first: its name, its tokens and their number."""
    numbered = [f"reference {number}" for number in range(1, len(texts))]
    names = ["hypothesis", *(numbered if len(texts) > 2 else ["reference"])]
    return [row(name, join(text), len(text)) for name, text in zip(names, texts, strict=True)]


def token_table(candidate: Tokens, targets: Sequence[Tokens]) -> Table:
    """Return the hypothesis and its references as they are compared.

    >>> token_table(["a", "cat"], [["a", "dog"]]).rows[0].cells
    ('hypothesis', 'a cat', '2')
    """
    return table("What is compared", ["text", "tokens", *right("length")], text_rows([candidate, *targets]))


def reference_table(
    titles: Sequence[str], cells: Iterable[Sequence[Cell] | None], best: int, remarks: Sequence[str] | None = None
) -> Table:
    """Return the numbers of each reference; None for a reference that is left out."""
    rows = []
    for i, numbers in enumerate(cells):
        status = "counts" if i == best else "left out" if numbers is None else ""
        remark = ", ".join(filter(None, (remarks[i] if remarks else "", status)))
        numbers = ["–"] * len(titles) if numbers is None else numbers
        rows.append(row(f"reference {i + 1}", *numbers, remark, mark="match" if i == best else None))
    return table("References", ["text", *right(*titles), ""], rows)


def ngram_counts(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    """Count the n-grams of one order, in the order of first occurrence.

    >>> ngram_counts("abab", 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def mark_share(part: int, whole: int) -> Mark:
    """Return the mark of a row: whether all, some or none of it matches.

    >>> mark_share(2, 2), mark_share(1, 2), mark_share(0, 2)
    ('match', 'partial', 'miss')
    """
    return "match" if part == whole else "partial" if part else "miss"


def ngram_rows(counts: Counter[Any], known: Counter[Any]) -> list[Row]:
    """Return one row per n-gram: how often it is counted, how often it is known, and the smaller of the two."""
    rows = []
    for ngram, count in counts.items():
        common = min(count, known[ngram])
        rows.append(row(joined(ngram), count, known[ngram], common, mark=mark_share(common, count)))
    return rows


def missing_ngrams(order: int, candidate: Tokens) -> Paragraph:
    """Say that the hypothesis is too short for n-grams of an order."""
    return Paragraph(f"{order}-grams: the hypothesis has only {len(candidate)} tokens, so it has none.")


def alignment_grid(
    title: str, candidate: Tokens, target: Tokens, signs: Mapping[tuple[int, int], str], legend: str = ""
) -> list[Part]:
    """Draw which words are aligned; long texts are not drawn.

    Args:
        title: The title of the table.
        candidate: The rows.
        target: The columns.
        signs: What to draw at pairs of positions, counted from 0.
        legend: The end of the sentence above the grid.
    """
    if max(len(candidate), len(target)) > MOST_IN_GRID:
        return []
    places = range(len(target))
    rows = [row(str(word), *(signs.get((i, j), "·") for j in places)) for i, word in enumerate(candidate)]
    columns = ["word", *(Column(str(place + 1), "center") for place in places)]
    named = ", ".join(f"{number} {token}" for number, token in enumerate(target, 1))
    explained = "The same as a grid: rows are the words of the hypothesis, columns the positions in the reference"
    return [Paragraph(f"{explained} ({named}){legend}."), table(title, columns, rows)]
