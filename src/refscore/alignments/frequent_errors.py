from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refscore.alignments.view import KINDS, aligning_metric
from refscore.inputs import Hypotheses, References
from refscore.metrics import MetricChoice, WordEdit
from refscore.settings import whole_number
from refscore.tables import Column, Result, Table
from refscore.text_display import counted, shown_word

MOST_ROWS = 10


@dataclass(frozen=True)
class FrequentError:
    """An error and how often it occurs.

    Attributes:
        reference: The reference word, or None for an insertion.
        hypothesis: The hypothesis word, or None for a deletion.
        count: How often it occurs.
        share: Its share in all errors, from 0 to 1.

    Example:
        >>> import refscore
        >>> refscore.alignments.word_errors(["a cat", "a dog"], ["the cat", "the dog"]).substitutions[0]
        FrequentError(reference='the', hypothesis='a', count=2, share=1.0)
    """

    reference: str | None
    hypothesis: str | None
    count: int
    share: float


@dataclass(frozen=True)
class WordRate:
    """The errors for one reference word. Insertions have no such word.

    Attributes:
        word: The word.
        occurrences: How often the references have it.
        substitutions: How often the hypotheses have a different word.
        deletions: How often the hypotheses lack it.

    Example:
        >>> import refscore
        >>> refscore.alignments.word_errors(["a cat"], ["the cat"]).words[0].rate
        1.0
    """

    word: str
    occurrences: int
    substitutions: int
    deletions: int

    @property
    def errors(self) -> int:
        """Substitutions and deletions together."""
        return self.substitutions + self.deletions

    @property
    def rate(self) -> float:
        """The errors per occurrence, from 0 to 1."""
        return self.errors / self.occurrences


@dataclass(frozen=True)
class WordErrors(Result):
    """A system's errors by word, as `refscore.alignments.word_errors` returns them. The most frequent are first.

    Attributes:
        counts: The edit counts by kind.
        substitutions: The substituted words.
        deletions: The words that the hypotheses lack.
        insertions: The words that only the hypotheses have.
        words: The reference words that have errors, the most frequent first.
        signature: The metric's signature.
        unit: What the errors are in: "word", or "character" for CER.

    Example:
        >>> import refscore
        >>> errors = refscore.alignments.word_errors(["a cat sat", "a dog ran off"], ["the cat sat", "the dog ran"])
        >>> print(errors)
        Substitutions (2 of 3 errors)
        reference  hypothesis  count  share
        ---------  ----------  -----  -----
        the        a               2  66.7%
        <BLANKLINE>
        Insertions (1 of 3 errors)
        hypothesis  count  share
        ----------  -----  -----
        off             1  33.3%
        <BLANKLINE>
        Errors by reference word
        word  occurrences  substitutions  deletions    rate
        ----  -----------  -------------  ---------  ------
        the             2              2          0  100.0%
    """

    if_empty: ClassVar[str] = "no errors"

    counts: dict[str, int]
    substitutions: tuple[FrequentError, ...]
    deletions: tuple[FrequentError, ...]
    insertions: tuple[FrequentError, ...]
    words: tuple[WordRate, ...]
    signature: str
    unit: str = "word"

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(count for kind, count in self.counts.items() if kind != "hit")

    def tables(self, most: int | None = MOST_ROWS, *, digits: int | None = None) -> list[Table]:
        """Return a table for each kind of error that occurs, and one by word.

        Args:
            most: The most rows per table, or None for no limit.
            digits: The decimals in shares, by default 1.
        """
        if most is not None:
            whole_number("most", most, 1, None)
        tables = []

        def add(title: str, found: Sequence[Any], words: Sequence[str], counts: Sequence[str], share: str) -> None:
            rows = []
            for entry in found[:most]:
                cells = [shown_word(getattr(entry, name)) for name in words]
                cells += [f"{getattr(entry, name):,}" for name in counts]
                rows.append([*cells, f"{100 * getattr(entry, share):.{1 if digits is None else digits}f}%"])
            heads = (self.unit if name == "word" else name for name in words)
            columns = [*map(Column, heads), *(Column(name, "right") for name in (*counts, share))]
            note = None if most is None or len(found) <= most else f"{len(found) - most:,} more"
            tables.append(Table(title, columns, rows, note))

        for kind, sides in zip(_KINDS, (["reference", "hypothesis"], ["reference"], ["hypothesis"]), strict=True):
            if found := getattr(self, kind):
                total = f"{sum(error.count for error in found):,} of {counted(self.errors, 'error')}"
                add(f"{kind.capitalize()} ({total})", found, sides, ["count"], "share")
        if self.words:
            counts = ["occurrences", "substitutions", "deletions"]
            add(f"Errors by reference {self.unit}", self.words, ["word"], counts, "rate")
        return tables

    def flat_table(self, most: int | None = None) -> Table:
        """Return all errors as one table for programs. `most` limits the errors per kind."""
        rows = [
            [kind, error.reference or "", error.hypothesis or "", str(error.count), repr(error.share)]
            for kind, plural in zip(KINDS[1:], _KINDS, strict=True)
            for error in getattr(self, plural)[:most]
        ]
        return Table("", map(Column, ("kind", "reference", "hypothesis", "count", "share")), rows)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{self.counts[kind]:,} {kind}s" for kind in KINDS)
        return f"<{counted(self.errors, 'error')} by {self.unit}: {kinds}>"

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """Return everything as JSON values. `most` limits the errors per kind."""
        return {
            "signature": self.signature,
            "counts": self.counts,
            "errors": self.errors,
            **{kind: [vars(error) for error in getattr(self, kind)[:most]] for kind in (_KINDS)},
            "words": [{**vars(word), "rate": word.rate} for word in self.words[:most]],
        }


_KINDS = ("substitutions", "deletions", "insertions")


def word_errors(
    hypotheses: Hypotheses, references: References, metric: MetricChoice = "wer", *, threads: int | None = None
) -> WordErrors:
    """Count a system's errors by word.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metric: A metric with alignments, such as `WER`, or its name. With `words`, only their errors count.
        threads: The number of threads, by default all cores.

    Example:
        >>> import refscore
        >>> errors = refscore.alignments.word_errors(["i scream", "a b"], ["ice cream", "a b c"])
        >>> [(error.reference, error.hypothesis) for error in errors.substitutions]
        [('cream', 'scream'), ('ice', 'i')]
        >>> errors.deletions[0].reference, errors.errors
        ('c', 3)
    """
    chosen = aligning_metric(metric)
    alignments = chosen.word_alignments(hypotheses, references, threads=threads)
    return count_errors((edit for edits in alignments for edit in edits if chosen.is_counted(edit)), chosen)


def count_errors(edits: Iterable[WordEdit], metric: Any) -> WordErrors:
    counts = Counter(edits)
    totals = dict.fromkeys(KINDS, 0)
    words: dict[str, list[int]] = {}
    for edit, count in counts.items():
        totals[edit.kind] += count
        if edit.kind != "insertion":
            word = words.setdefault(_text(edit.reference), [0, 0, 0])
            word[0] += count
            word[1] += count * (edit.kind == "substitution")
            word[2] += count * (edit.kind == "deletion")
    errors = sum(totals.values()) - totals["hit"]
    rates = [WordRate(word, *numbers) for word, numbers in words.items() if numbers[1] + numbers[2]]
    return WordErrors(
        totals,
        _frequent(counts, "substitution", errors),
        _frequent(counts, "deletion", errors),
        _frequent(counts, "insertion", errors),
        tuple(sorted(rates, key=lambda rate: (-rate.errors, -rate.rate, rate.word))),
        metric.signature,
        "word" if metric.alignment_separator else "character",
    )


def _frequent(counts: Counter[WordEdit], kind: str, errors: int) -> tuple[FrequentError, ...]:
    found = [
        FrequentError(
            None if kind == "insertion" else _text(edit.reference),
            None if kind == "deletion" else _text(edit.hypothesis),
            count,
            count / errors,
        )
        for edit, count in counts.items()
        if edit.kind == kind
    ]
    return tuple(sorted(found, key=lambda error: (-error.count, error.reference or "", error.hypothesis or "")))


def _text(word: Any) -> str:
    return word if isinstance(word, str) else repr(word)
