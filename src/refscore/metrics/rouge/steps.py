"""ROUGE's worked steps: the n-grams that match, or the longest common subsequence, drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from refscore import _native
from refscore.metrics.core.segment_steps import Part, Tokens, joined, ngram_counts, numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.rouge.metric import ROUGE, ROUGEScore

# Beyond this a list explains less than its length.
MOST_ROWS = 200


def explain(metric: ROUGE, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `ROUGE.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    candidate = _lines(metric, item)
    targets = [_lines(metric, reference) for reference in entry]
    name = f"ROUGE-{metric.variant}"
    shown = token_table(_all(candidate), [_all(target) for target in targets])
    sections: list[tuple[str, list[Part]]] = [("Tokens", [shown])]
    scores = [metric.segment(item, [one]) for one in entry]
    best = max(range(len(scores)), key=lambda i: scores[i].value)
    if len(targets) > 1:
        sections.append(("The best reference", [_reference_table(scores, best)]))
    target = targets[best]
    if metric.variant == "Lsum":
        sections.append(("Common subsequences of each line", _union_parts(candidate, target)))
    elif metric.variant == "L":
        sections.append(("The longest common subsequence", _subsequence_parts(_all(candidate), _all(target))))
    else:
        sections.append((f"Matching {metric.variant}-grams", _ngram_parts(int(metric.variant), candidate, target)))
    sections.append(("Result", _result_parts(metric, score, len(_all(candidate)), len(_all(target)))))
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps(f"{name}, step by step", tuple(parts), f"{name} = {score.value:.4f} ({score.percent:.2f} %)")


def _lines(metric: ROUGE, item: Any) -> list[Tokens]:
    """The tokens of each line, or all of them where lines are nothing to the metric."""
    if metric.variant != "Lsum":
        return [metric.pipeline.words(item)]
    if isinstance(item, str):
        tokens = [token for line in item.split("\n") for token in [*metric.pipeline.words(line), "\n"]]
    else:
        tokens = metric.pipeline.words(item)
        if not all(isinstance(token, str) for token in tokens):
            return [tokens]
    lines: list[list[Hashable]] = [[]]
    for token in tokens:
        if token == "\n":
            lines.append([])
        else:
            lines[-1].append(token)
    return [line for line in lines if line]


def _all(lines: Sequence[Tokens]) -> Tokens:
    return [token for line in lines for token in line]


def _pairs(candidate: Tokens, target: Tokens) -> list[tuple[int, int]]:
    """The positions of a longest common subsequence, in the hypothesis and in the reference."""
    numbers: dict[Hashable, int] = {}
    known, target_known = ([numbers.setdefault(token, len(numbers)) for token in side] for side in (candidate, target))
    return _native.common_subsequence(known, target_known, len(numbers))


def _reference_table(scores: Sequence[ROUGEScore], best: int) -> Table:
    rows = [
        Row(
            (
                f"reference {i + 1}",
                *(f"{number:.4f}" for number in (score.precision, score.recall, score.value)),
                "counts" * (i == best),
            ),
            "match" if i == best else None,
        )
        for i, score in enumerate(scores)
    ]
    columns = (Column("text"), *(Column(title, "right") for title in ("P", "R", "F")), Column(""))
    return Table("Each reference", columns, tuple(rows), "The best F counts, the first one of equals.")


def _cut(title: str, columns: tuple[Column, ...], rows: Sequence[Row], note: str | None = None) -> list[Part]:
    parts: list[Part] = [Table(title, columns, tuple(rows[:MOST_ROWS]), note)]
    if len(rows) > MOST_ROWS:
        parts.append(Paragraph(f"… and {len(rows) - MOST_ROWS} more rows."))
    return parts


def _ngram_parts(order: int, candidate: Sequence[Tokens], target: Sequence[Tokens]) -> list[Part]:
    own, wanted = ngram_counts(_all(candidate), order), ngram_counts(_all(target), order)
    if not own or not wanted:
        return [Paragraph(f"The hypothesis or the reference has no {order}-grams: nothing matches.")]
    rows = []
    for ngram in dict.fromkeys((*wanted, *own)):
        matches = min(own[ngram], wanted[ngram])
        mark: Any = "miss" if not matches else "match" if own[ngram] == wanted[ngram] else "partial"
        rows.append(Row((joined(ngram), str(wanted[ngram]), str(own[ngram]), str(matches)), mark))
    columns = (Column("n-gram"), *(Column(title, "right") for title in ("reference", "hypothesis", "matches")))
    matches = sum((own & wanted).values())
    return [
        *_cut("Counts", columns, rows, "An n-gram matches as often as both have it."),
        Formula("matches", "the sum of the last column", str(matches)),
    ]


def _subsequence_parts(candidate: Tokens, target: Tokens) -> list[Part]:
    if not candidate or not target:
        return [Paragraph("The hypothesis or the reference has no words: nothing matches.")]
    pairs = _pairs(candidate, target)
    rows = []
    at = target_at = 0
    for position, target_position in [*pairs, (len(candidate), len(target))]:
        rows += [Row((str(word), "–"), "miss") for word in target[target_at:target_position]]
        rows += [Row(("–", str(word)), "miss") for word in candidate[at:position]]
        if position < len(candidate):
            rows.append(Row((str(target[target_position]), str(candidate[position])), "match"))
        at, target_at = position + 1, target_position + 1
    return [
        *_cut("Drawn", (Column("reference"), Column("hypothesis")), rows),
        Formula("matches", "words in both columns", str(len(pairs))),
    ]


def _union_parts(candidate: Sequence[Tokens], target: Sequence[Tokens]) -> list[Part]:
    if not candidate or not target:
        return [Paragraph("The hypothesis or the reference has no words: nothing matches.")]
    left = Counter(_all(candidate))
    rows = []
    total = 0
    for number, line in enumerate(target, 1):
        found = sorted({position for other in candidate for _, position in _pairs(other, line)})
        counted = []
        for position in found:
            if left[line[position]]:
                left[line[position]] -= 1
                counted.append(line[position])
        total += len(counted)
        mark: Any = "match" if len(counted) == len(line) else "partial" if counted else "miss"
        rows.append(Row((str(number), joined(line), joined([line[i] for i in found]), joined(counted)), mark))
    columns = (Column("line", "right"), Column("reference"), Column("in common with any line"), Column("counted"))
    note = "A word counts no more often than the hypothesis has it."
    return [*_cut("Drawn", columns, rows, note), Formula("matches", "words that are counted", str(total))]


def _result_parts(metric: ROUGE, score: ROUGEScore, own: int, wanted: int) -> list[Part]:
    order = metric.order or 1
    own, wanted = max(0, own - order + 1), max(0, wanted - order + 1)
    if not own or not wanted:
        return [Paragraph("Without anything to compare the score is 0.")]
    # The row has shares alone; the count behind them is a whole number.
    matches = round(score.precision * own)
    parts: list[Part] = [
        Formula.chain("P", "matches / hypothesis", f"{matches}/{own}", f"{score.precision:.4f}"),
        Formula.chain("R", "matches / reference", f"{matches}/{wanted}", f"{score.recall:.4f}"),
    ]
    if not matches:
        return [*parts, Formula("F", "0")]
    shares = f"2 · {score.precision:.4f} · {score.recall:.4f} / ({score.precision:.4f} + {score.recall:.4f})"
    return [*parts, Formula.chain("F", "2 · P · R / (P + R)", shares, f"{score.value:.4f}")]
