"""What the worked steps of all metrics begin with: one segment, read and shown as its tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from refscore.errors import InputError, Location, relocated
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.score import Score
from refscore.segments import check_hypotheses, check_references
from refscore.steps import Formula, Heading, Paragraph
from refscore.tables import Column, Row, Table

Tokens: TypeAlias = Sequence[Hashable]
Part: TypeAlias = Heading | Paragraph | Formula | Table
S = TypeVar("S", bound=Score)


def read_segment(metric: Metric[S], hypothesis: Any, references: Any) -> tuple[S, Any, list[Any]]:
    """The score of a segment, its hypothesis and the list of its references, checked and without the missing ones.

    >>> from refscore import BLEU
    >>> score, hypothesis, references = read_segment(BLEU(), "a cat", ("a dog", None))
    >>> score.value, hypothesis, references
    (0.0, 'a cat', ['a dog'])
    """
    if isinstance(references, PreparedReferences):
        raise InputError(None, "prepared references hold no texts to show: explain() takes the references themselves")
    if isinstance(references, Iterator):
        references = list(references)
    with relocated(Location.in_one_segment):
        items, _ = check_hypotheses([hypothesis])
        entries, _ = check_references([references])
    # Of what was given, so that errors speak of that.
    return metric.segment(hypothesis, references), items[0], list(entries[0])


def joined(tokens: Tokens) -> str:
    """The tokens in one line.

    >>> joined((1, "b"))
    '1 b'
    """
    return " ".join(str(token) for token in tokens)


def token_table(candidate: Tokens, targets: Sequence[Tokens]) -> Table:
    """The hypothesis and its references as they are compared.

    >>> token_table(["a", "cat"], [["a", "dog"]]).rows[0].cells
    ('hypothesis', 'a cat', '2')
    """
    rows = [Row(("hypothesis", joined(candidate), str(len(candidate))))]
    for number, target in enumerate(targets, 1):
        name = "reference" if len(targets) == 1 else f"reference {number}"
        rows.append(Row((name, joined(target), str(len(target)))))
    return Table("What is compared", (Column("text"), Column("tokens"), Column("length", "right")), tuple(rows))


def ngram_counts(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    """How often each n-gram of one order occurs, in the order of first occurrence.

    >>> ngram_counts("abab", 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def numbered(sections: Iterable[tuple[str, Sequence[Part]]]) -> list[Part]:
    """The parts of all sections under numbered headings.

    >>> [str(part) for part in numbered([("Tokens", [])])]
    ["Heading(text='1. Tokens')"]
    """
    parts: list[Part] = []
    for number, (title, content) in enumerate(sections, 1):
        parts += [Heading(f"{number}. {title}"), *content]
    return parts
