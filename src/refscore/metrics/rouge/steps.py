"""The worked steps of ROUGE for one segment: matching n-grams, or the longest common subsequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from refscore import _native
from refscore.metrics.core.segment_steps import ngram_counts, read_segment, token_table
from refscore.metrics.core.step_parts import (
    Part,
    Section,
    Tokens,
    formula,
    joined,
    left,
    mark_share,
    right,
    row,
    shortened_table,
)
from refscore.steps import Paragraph, Steps

if TYPE_CHECKING:
    from refscore.metrics.rouge.metric import ROUGE, ROUGEScore


def explain(metric: ROUGE, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `ROUGE.explain`."""
    segment = read_segment(metric, hypothesis, references)
    lines = _lines(metric, segment.hypothesis)
    target_lines = [_lines(metric, reference) for reference in segment.references]
    candidate, targets = [*chain(*lines)], [[*chain(*target)] for target in target_lines]
    target = targets[segment.best]
    matches: Section
    if metric.variant == "Lsum":
        matches = "Common subsequences of each line", _union_parts(lines, target_lines[segment.best])
    elif metric.variant == "L":
        matches = "The longest common subsequence", _subsequence_parts(candidate, target)
    else:
        matches = f"Matching {metric.variant}-grams", _ngram_parts(int(metric.variant), candidate, target)
    return segment.steps(
        ("Tokens", [token_table(candidate, targets)]),
        *segment.reference_sections(("P", "R", "F"), lambda score: (score.precision, score.recall, score.value)),
        matches,
        ("Result", _result_parts(metric, segment.score, len(candidate), len(target))),
    )


def _lines(metric: ROUGE, item: Any) -> list[Tokens]:
    """Return the tokens of each line; only "Lsum" distinguishes lines."""
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


def _numbered(*sides: Sequence[Tokens]) -> tuple[list[list[list[int]]], int]:
    """Return the lines of each side with their tokens numbered, and the number of different tokens."""
    numbers: dict[Hashable, int] = {}
    numbered = [[[numbers.setdefault(token, len(numbers)) for token in line] for line in side] for side in sides]
    return numbered, len(numbers)


def _ngram_parts(order: int, candidate: Tokens, target: Tokens) -> list[Part]:
    ours, theirs = ngram_counts(candidate, order), ngram_counts(target, order)
    if not ours or not theirs:
        return [Paragraph(f"The hypothesis or the reference has no {order}-grams, so nothing matches.")]
    rows = []
    for ngram in dict.fromkeys((*theirs, *ours)):
        counts = theirs[ngram], ours[ngram]
        rows.append(row(joined(ngram), *counts, min(counts), mark=mark_share(min(counts), max(counts))))
    columns = left("n-gram") + right("reference", "hypothesis", "matches")
    return [
        *shortened_table("Counts", columns, rows, "An n-gram matches as often as both texts have it."),
        formula("matches", "the sum of the last column", (ours & theirs).total()),
    ]


def _subsequence_parts(candidate: Tokens, target: Tokens) -> list[Part]:
    if not candidate or not target:
        return [Paragraph("The hypothesis or the reference has no words, so nothing matches.")]
    ((numbers,), (target_numbers,)), vocabulary = _numbered([candidate], [target])
    pairs = _native.common_subsequence(numbers, target_numbers, vocabulary)
    rows = []
    at = target_at = 0
    for position, target_position in [*pairs, (len(candidate), len(target))]:
        rows += [row(str(word), "–", mark="miss") for word in target[target_at:target_position]]
        rows += [row("–", str(word), mark="miss") for word in candidate[at:position]]
        if position < len(candidate):
            rows.append(row(str(target[target_position]), str(candidate[position]), mark="match"))
        at, target_at = position + 1, target_position + 1
    return [
        *shortened_table("Alignment", left("reference", "hypothesis"), rows),
        formula("matches", "words in both columns", len(pairs)),
    ]


def _union_parts(candidate: Sequence[Tokens], target: Sequence[Tokens]) -> list[Part]:
    if not candidate or not target:
        return [Paragraph("The hypothesis or the reference has no words, so nothing matches.")]
    unused = Counter(chain(*candidate))
    (numbers, target_numbers), vocabulary = _numbered(candidate, target)
    rows = []
    total = 0
    unions = _native.common_to_any_line(numbers, target_numbers, vocabulary)
    for number, (line, union) in enumerate(zip(target, unions, strict=True), 1):
        common = [line[position] for position in union]
        counted = []
        for word in common:
            if unused[word]:
                unused[word] -= 1
                counted.append(word)
        total += len(counted)
        mark = mark_share(len(counted), len(line))
        rows.append(row(number, joined(line), joined(common), joined(counted), mark=mark))
    columns = right("line") + left("reference", "in common with any line", "counted")
    note = "A word counts at most as often as the hypothesis has it."
    return [*shortened_table("Lines", columns, rows, note), formula("matches", "counted words", total)]


def _result_parts(metric: ROUGE, score: ROUGEScore, length: int, target_length: int) -> list[Part]:
    order = metric.order or 1
    ours, theirs = max(0, length - order + 1), max(0, target_length - order + 1)
    if not ours or not theirs:
        return [Paragraph("There is nothing to compare, so the score is 0.")]
    # The row has only shares, so the count is computed from them.
    matches = round(score.precision * ours)
    parts: list[Part] = [
        formula("P", "matches / hypothesis", f"{matches}/{ours}", score.precision),
        formula("R", "matches / reference", f"{matches}/{theirs}", score.recall),
    ]
    if not matches:
        return [*parts, formula("F", "0")]
    shares = f"2 · {score.precision:.4f} · {score.recall:.4f} / ({score.precision:.4f} + {score.recall:.4f})"
    return [*parts, formula("F", "2 · P · R / (P + R)", shares, score.value)]
