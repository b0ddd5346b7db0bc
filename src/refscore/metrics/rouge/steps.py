"""The worked steps of ROUGE for one segment: matching n-grams, pairs of words, or common subsequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from refscore import _native
from refscore.metrics.core.steps import (
    Part,
    Section,
    Tokens,
    formula,
    joined,
    left,
    mark_share,
    ngram_counts,
    read_segment,
    right,
    row,
    shortened_table,
    show,
    sum_terms,
    token_table,
)
from refscore.steps import Paragraph, Steps

if TYPE_CHECKING:
    from refscore.metrics.rouge.metric import ROUGE, ROUGEScore, Variant


# Pairs of longer texts are not listed: they are a quadratic number.
MOST_PAIRS = 20_000


class Overlap(NamedTuple):
    """The matches of a hypothesis with one reference, and the sizes of both; for W, these are sums of weights."""

    parts: list[Part]
    matches: float
    hypothesis: float
    reference: float


def explain(metric: ROUGE, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `ROUGE.explain`."""
    segment = read_segment(metric, hypothesis, references)
    lines = _lines(metric, segment.hypothesis)
    target_lines = [_lines(metric, reference) for reference in segment.references]
    candidate, targets = [*chain(*lines)], [[*chain(*target)] for target in target_lines]
    is_pooled = metric.combine == "pool" and len(targets) > 1
    title = {"L": "The longest common subsequence", "Lsum": "Common subsequences of each line"}.get(
        metric.variant,
        f"Matches of ROUGE-{metric.variant}" if metric.order is None else f"Matching {metric.variant}-grams",
    )
    used = range(len(targets)) if is_pooled else [segment.best]
    overlaps = [
        _overlap(metric, lines, target_lines[i], lambda i=i: metric.segment(hypothesis, [segment.references[i]]))  # type: ignore[misc]
        for i in used
    ]
    sections: list[Section] = [("Tokens", [token_table(candidate, targets)])]
    if is_pooled:
        sections += [(f"{title}, reference {i + 1}", overlap.parts) for i, overlap in zip(used, overlaps, strict=True)]
    else:
        sections += _reference_sections(metric, segment)
        sections.append((title, overlaps[0].parts))
    return segment.steps(*sections, ("Result", _result_parts(metric, segment.score, overlaps)))


def _reference_sections(metric: ROUGE, segment: Any) -> list[Section]:
    sections: list[Section] = segment.reference_sections({"P": "precision", "R": "recall", "F": "value"})
    if metric.combine == "best" or not sections:
        return sections
    (_, (_, table, _)) = sections[0]
    rule = "The hypothesis is scored against each reference. The best recall counts, or the first of equal ones."
    if metric.parsed_variant.kind == "W":
        rule += " References are compared by the weight of the matches divided by the weight of their lines."
    chosen = Paragraph(f"Reference {segment.best + 1} counts. The next steps use it.")
    return [("The reference with the best recall", [Paragraph(rule), table, chosen])]


def _overlap(
    metric: ROUGE, lines: Sequence[Tokens], target: Sequence[Tokens], score: Callable[[], ROUGEScore]
) -> Overlap:
    variant, candidate, words = metric.parsed_variant, [*chain(*lines)], [*chain(*target)]
    if variant.power is not None:
        return _weighted_overlap(lines, target, variant.power)
    if variant.kind in ("S", "SU"):
        return _pair_overlap(candidate, words, variant, score)
    if variant.order is not None:
        sizes = (max(0, len(tokens) - variant.order + 1) for tokens in (candidate, words))
        return Overlap(*_ngram_parts(variant.order, candidate, words), *sizes)
    parts, matches = _union_parts(lines, target) if variant.kind == "Lsum" else _subsequence_parts(candidate, words)
    return Overlap(parts, matches, len(candidate), len(words))


def _lines(metric: ROUGE, item: Any) -> list[Tokens]:
    """Return the tokens of each line; only "Lsum" and "W" distinguish lines."""
    if not metric.has_lines:
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


def _ngram_parts(order: int, candidate: Tokens, target: Tokens) -> tuple[list[Part], int]:
    ours, theirs = ngram_counts(candidate, order), ngram_counts(target, order)
    if not ours or not theirs:
        return [Paragraph(f"The hypothesis or the reference has no {order}-grams, so nothing matches.")], 0
    return _count_parts(ours, theirs, "n-gram", "An n-gram matches as often as both texts have it.")


def _count_parts(ours: Counter[Any], theirs: Counter[Any], unit: str, note: str) -> tuple[list[Part], int]:
    rows = []
    for item in dict.fromkeys((*theirs, *ours)):
        counts = theirs[item], ours[item]
        rows.append(row(joined(item), *counts, min(counts), mark=mark_share(min(counts), max(counts))))
    columns = left(unit) + right("reference", "hypothesis", "matches")
    matches = (ours & theirs).total()
    table = shortened_table("Counts", columns, rows, note)
    return [*table, formula("matches", "the sum of the last column", matches)], matches


def _pair_overlap(candidate: Tokens, target: Tokens, variant: Variant, score: Callable[[], ROUGEScore]) -> Overlap:
    sizes = [_number_of_pairs(len(tokens), variant) for tokens in (candidate, target)]
    distance = "any number of words" if variant.skip is None else f"at most {variant.skip} words"
    rule = f"A pair is two words in their order, with {distance} between them."
    if variant.kind == "SU":
        rule += " Single words count as well, except the last word of a text, which ROUGE-1.5.5 omits."
    if not all(sizes):
        nothing = Paragraph("The hypothesis or the reference has no pairs, so nothing matches.")
        return Overlap([Paragraph(rule), nothing], 0, *sizes)
    if max(sizes) > MOST_PAIRS:
        # The row has only shares, so the count is computed from them.
        matches = round(score().precision * sizes[0])
        parts: list[Part] = [Paragraph(rule), Paragraph(f"There are {max(sizes):,} pairs, too many to list.")]
        return Overlap([*parts, formula("matches", matches)], matches, *sizes)
    ours, theirs = _pairs(candidate, variant), _pairs(target, variant)
    counted, matches = _count_parts(ours, theirs, "pair", "A pair matches as often as both texts have it.")
    return Overlap([Paragraph(rule), *counted], matches, *sizes)


def _number_of_pairs(words: int, variant: Variant) -> int:
    if words < 2:
        return 0
    reach = words - 1 if variant.skip is None else min(variant.skip + 1, words - 1)
    pairs = (words - reach) * reach + reach * (reach - 1) // 2
    return pairs + (words - 1 if variant.kind == "SU" else 0)


def _pairs(words: Tokens, variant: Variant) -> Counter[tuple[Hashable, ...]]:
    counts: Counter[tuple[Hashable, ...]] = Counter()
    for i, first in enumerate(words[:-1]):
        if variant.kind == "SU":
            counts[(first,)] += 1
        end = None if variant.skip is None else i + variant.skip + 2
        counts.update((first, second) for second in words[i + 1 : end])
    return counts


def _subsequence_parts(candidate: Tokens, target: Tokens) -> tuple[list[Part], int]:
    if not candidate or not target:
        return [Paragraph("The hypothesis or the reference has no words, so nothing matches.")], 0
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
    ], len(pairs)


def _union_parts(candidate: Sequence[Tokens], target: Sequence[Tokens]) -> tuple[list[Part], int]:
    if not candidate or not target:
        return [Paragraph("The hypothesis or the reference has no words, so nothing matches.")], 0
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
    return [*shortened_table("Lines", columns, rows, note), formula("matches", "counted words", total)], total


def _weighted_overlap(candidate: Sequence[Tokens], target: Sequence[Tokens], power: float) -> Overlap:
    length, lengths = sum(map(len, candidate)), [len(line) for line in target]
    line_weights = float(sum(size**power for size in lengths))
    sizes = float(length**power), line_weights**power
    if not length or not target:
        return Overlap([Paragraph("The hypothesis or the reference has no words, so nothing matches.")], 0.0, *sizes)
    (numbers, target_numbers), vocabulary = _numbered(candidate, target)
    unions = _native.common_to_any_line(numbers, target_numbers, vocabulary, power)
    unused = Counter(chain(*candidate))
    rows, runs = [], []
    for number, (line, union) in enumerate(zip(target, unions, strict=True), 1):
        marked, line_runs, run = {*union}, [], 0
        for position in union:
            if not unused[line[position]]:
                continue
            unused[line[position]] -= 1
            run += 1
            if position + 1 not in marked:
                line_runs.append(run)
                run = 0
        runs += line_runs
        common = joined([line[position] for position in union])
        mark = mark_share(sum(line_runs), len(line))
        rows.append(row(number, joined(line), common, ", ".join(map(str, line_runs)) or "–", mark=mark))
    matches = float(sum(run**power for run in runs))
    columns = right("line") + left("reference", "in common with any line", "runs")
    note = (
        "A run is a number of consecutive words in common. A word counts at most as often as the hypothesis has it. "
        "A run whose last word is used up continues with the next word in common."
    )
    parts: list[Part] = [
        *shortened_table("Lines", columns, rows, note),
        formula("matches", f"the sum of run^{power:g}", *sum_terms([f"{run}^{power:g}" for run in runs]), matches),
        formula("hypothesis", f"{length}^{power:g}", sizes[0]),
        formula("lines", f"the sum of length^{power:g}", line_weights),
        formula("reference", f"lines^{power:g}", sizes[1]),
        Paragraph("ROUGE-1.5.5 applies the power twice to the reference: to each line, and to the sum of all lines."),
    ]
    return Overlap(parts, matches, *sizes)


def _result_parts(metric: ROUGE, score: ROUGEScore, overlaps: Sequence[Overlap]) -> list[Part]:
    matches, ours, theirs = (sum(overlap[field] for overlap in overlaps) for field in (1, 2, 3))  # type: ignore[misc]
    if not ours or not theirs:
        return [Paragraph("There is nothing to compare, so the score is 0.")]
    power = metric.parsed_variant.power
    parts: list[Part] = [
        formula(name, *sum_terms([overlap[field] for overlap in overlaps]), total)  # type: ignore[misc]
        for name, field, total in (("matches", 1, matches), ("hypothesis", 2, ours), ("reference", 3, theirs))
        if len(overlaps) > 1
    ]
    for name, text, size, value in (
        ("P", "hypothesis", ours, score.precision),
        ("R", "reference", theirs, score.recall),
    ):
        rule, numbers = f"matches / {text}", f"{show(matches)}/{show(size)}"
        if power is not None:
            rule, numbers = (f"({fraction})^(1/{power:g})" for fraction in (rule, numbers))
        parts.append(formula(name, rule, numbers, value))
    if not matches:
        return [*parts, formula("F", "0")]
    precision, recall = f"{score.precision:.4f}", f"{score.recall:.4f}"
    if metric.beta == 1:
        rule, numbers = "2 · P · R / (P + R)", f"2 · {precision} · {recall} / ({precision} + {recall})"
    else:
        square = f"{metric.beta:g}²"
        rule = "(1 + beta²) · P · R / (beta² · P + R)"
        numbers = f"(1 + {square}) · {precision} · {recall} / ({square} · {precision} + {recall})"
    return [*parts, formula("F", rule, numbers, score.value)]
