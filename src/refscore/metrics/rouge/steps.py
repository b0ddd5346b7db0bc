from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written
from refscore.metrics.rouge.metric import ROUGE, ROUGEScore, Variant
from refscore.metrics.rouge.subsequences import common_subsequence, common_to_any_line

# Pairs of longer texts are not listed: they are a quadratic number.
MOST_PAIRS = 20_000

NO_WORDS = "The hypothesis or the reference has no words, so nothing matches."


class Overlap(NamedTuple):
    """A hypothesis's matches with a reference, and both sizes; for W, these are summed weights."""

    parts: Sequence[steps.Part | str]
    matches: float
    hypothesis: float
    reference: float


def explain(segment: ScoredSegment[ROUGEScore]) -> Written:
    metric = segment.score.metric
    lines = _lines(metric, segment.hypothesis)
    targets = [_lines(metric, reference) for reference in segment.references]
    yield steps.Heading("Tokens")
    yield steps.token_table([*chain(*lines)], [[*chain(*target)] for target in targets])
    title = {"L": "The longest common subsequence", "Lsum": "Common subsequences of each line"}.get(
        metric.variant,
        f"Matches of ROUGE-{metric.variant}" if metric.order is None else f"Matching {metric.variant}-grams",
    )
    if metric.combine == "pool" and len(targets) > 1:
        overlaps = [_overlap(segment, lines, target, i) for i, target in enumerate(targets)]
        for number, overlap in enumerate(overlaps, 1):
            yield steps.Heading(f"{title}, reference {number}")
            yield from overlap.parts
    else:
        yield from _references(segment)
        overlaps = [_overlap(segment, lines, targets[segment.best], segment.best)]
        yield steps.Heading(title)
        yield from overlaps[0].parts
    yield steps.Heading("Result")
    yield from _result(segment.score, overlaps)


def _references(segment: ScoredSegment[ROUGEScore]) -> Written:
    metric = segment.score.metric
    titles = {"P": "precision", "R": "recall", "F": "value"}
    if metric.combine == "best" or len(segment.references) == 1:
        yield from segment.reference_steps(titles)
        return
    yield steps.Heading("The reference with the best recall")
    rule = "The hypothesis is scored against each reference. The best recall counts, or the first of equal ones."
    if metric.parsed_variant.kind == "W":
        rule += " References are compared by the weight of the matches divided by the weight of their lines."
    yield rule
    yield segment.reference_table(titles)
    yield f"Reference {segment.best + 1} counts. The next steps use it."


def _overlap(
    segment: ScoredSegment[ROUGEScore], lines: Sequence[Tokens], target: Sequence[Tokens], index: int
) -> Overlap:
    variant, candidate, words = segment.score.metric.parsed_variant, [*chain(*lines)], [*chain(*target)]
    if variant.power is not None:
        return _weighted_overlap(lines, target, variant.power)
    if variant.kind in ("S", "SU"):
        return _pair_overlap(segment, candidate, words, variant, index)
    if variant.order is not None:
        sizes = (max(0, len(tokens) - variant.order + 1) for tokens in (candidate, words))
        ours, theirs = steps.ngram_counts(candidate, variant.order), steps.ngram_counts(words, variant.order)
        note = "An n-gram matches as often as both texts have it."
        if not ours or not theirs:
            note = f"The hypothesis or the reference has no {variant.order}-grams, so nothing matches."
            return Overlap([note], 0, *sizes)
        return Overlap(*_count_parts(ours, theirs, "n-gram", note), *sizes)
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


def _count_parts(ours: Counter[Any], theirs: Counter[Any], unit: str, note: str) -> tuple[list[steps.Part | str], int]:
    rows = []
    for item in dict.fromkeys((*theirs, *ours)):
        counts = theirs[item], ours[item]
        rows.append(
            steps.row(steps.joined(item), *counts, min(counts), mark=steps.mark_share(min(counts), max(counts)))
        )
    columns = steps.left(unit) + steps.right("reference", "hypothesis", "matches")
    matches = (ours & theirs).total()
    table = steps.shortened_table("Counts", columns, rows, note)
    return [*table, steps.formula("matches", "the sum of the last column", matches)], matches


def _pair_overlap(
    segment: ScoredSegment[ROUGEScore], candidate: Tokens, target: Tokens, variant: Variant, index: int
) -> Overlap:
    sizes = [_number_of_pairs(len(tokens), variant) for tokens in (candidate, target)]
    distance = "any number of words" if variant.skip is None else f"at most {variant.skip} words"
    rule = f"A pair is two words in their order, with {distance} between them."
    if variant.kind == "SU":
        rule += " Single words count as well, except the last word of a text, which ROUGE-1.5.5 omits."
    if not all(sizes):
        return Overlap([rule, "The hypothesis or the reference has no pairs, so nothing matches."], 0, *sizes)
    if max(sizes) > MOST_PAIRS:
        # The row has only shares, so the count is computed from them.
        score = segment.scores[index]
        assert score is not None
        matches = round(score.precision * sizes[0])
        number = f"There are {max(sizes):,} pairs, too many to list."
        return Overlap([rule, number, steps.formula("matches", matches)], matches, *sizes)
    ours, theirs = _pairs(candidate, variant), _pairs(target, variant)
    counted, matches = _count_parts(ours, theirs, "pair", "A pair matches as often as both texts have it.")
    return Overlap([rule, *counted], matches, *sizes)


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


def _subsequence_parts(candidate: Tokens, target: Tokens) -> tuple[list[steps.Part | str], int]:
    if not candidate or not target:
        return [NO_WORDS], 0
    pairs = common_subsequence(candidate, target)
    rows = []
    at = target_at = 0
    for position, target_position in [*pairs, (len(candidate), len(target))]:
        rows += [steps.row(str(word), "–", mark="miss") for word in target[target_at:target_position]]
        rows += [steps.row("–", str(word), mark="miss") for word in candidate[at:position]]
        if position < len(candidate):
            rows.append(steps.row(str(target[target_position]), str(candidate[position]), mark="match"))
        at, target_at = position + 1, target_position + 1
    return [
        *steps.shortened_table("Alignment", steps.left("reference", "hypothesis"), rows),
        steps.formula("matches", "words in both columns", len(pairs)),
    ], len(pairs)


def _union_parts(candidate: Sequence[Tokens], target: Sequence[Tokens]) -> tuple[list[steps.Part | str], int]:
    if not candidate or not target:
        return [NO_WORDS], 0
    unused = Counter(chain(*candidate))
    rows = []
    total = 0
    unions = common_to_any_line(candidate, target)
    for number, (line, union) in enumerate(zip(target, unions, strict=True), 1):
        common = [line[position] for position in union]
        counted = []
        for word in common:
            if unused[word]:
                unused[word] -= 1
                counted.append(word)
        total += len(counted)
        mark = steps.mark_share(len(counted), len(line))
        rows.append(steps.row(number, steps.joined(line), steps.joined(common), steps.joined(counted), mark=mark))
    columns = steps.right("line") + steps.left("reference", "in common with any line", "counted")
    note = "A word counts at most as often as the hypothesis has it."
    return [
        *steps.shortened_table("Lines", columns, rows, note),
        steps.formula("matches", "counted words", total),
    ], total


def _weighted_overlap(candidate: Sequence[Tokens], target: Sequence[Tokens], power: float) -> Overlap:
    length, lengths = sum(map(len, candidate)), [len(line) for line in target]
    line_weights = float(sum(size**power for size in lengths))
    sizes = float(length**power), line_weights**power
    if not length or not target:
        return Overlap([NO_WORDS], 0.0, *sizes)
    unions = common_to_any_line(candidate, target, power)
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
        common = steps.joined([line[position] for position in union])
        mark = steps.mark_share(sum(line_runs), len(line))
        rows.append(steps.row(number, steps.joined(line), common, ", ".join(map(str, line_runs)) or "–", mark=mark))
    matches = float(sum(run**power for run in runs))
    columns = steps.right("line") + steps.left("reference", "in common with any line", "runs")
    note = (
        "A run is a number of consecutive words in common. A word counts at most as often as the hypothesis has it. "
        "A run whose last word is used up continues with the next word in common."
    )
    parts = [
        *steps.shortened_table("Lines", columns, rows, note),
        steps.formula(
            "matches", f"the sum of run^{power:g}", *steps.sum_terms([f"{run}^{power:g}" for run in runs]), matches
        ),
        steps.formula("hypothesis", f"{length}^{power:g}", sizes[0]),
        steps.formula("lines", f"the sum of length^{power:g}", line_weights),
        steps.formula("reference", f"lines^{power:g}", sizes[1]),
        "ROUGE-1.5.5 applies the power twice to the reference: to each line, and to the sum of all lines.",
    ]
    return Overlap(parts, matches, *sizes)


def _result(score: ROUGEScore, overlaps: Sequence[Overlap]) -> Written:
    power, beta = score.metric.parsed_variant.power, score.metric.beta
    _, *columns = zip(*overlaps, strict=True)
    matches, ours, theirs = map(sum, columns)
    if not ours or not theirs:
        yield "There is nothing to compare, so the score is 0."
        return
    if len(overlaps) > 1:
        for name, numbers in zip(("matches", "hypothesis", "reference"), columns, strict=True):
            yield steps.formula(name, *steps.sum_terms(numbers), sum(numbers))
    for name, text, size, value in (
        ("P", "hypothesis", ours, score.precision),
        ("R", "reference", theirs, score.recall),
    ):
        rule, fraction = f"matches / {text}", f"{steps.show(matches)}/{steps.show(size)}"
        if power is not None:
            rule, fraction = (f"({term})^(1/{power:g})" for term in (rule, fraction))
        yield steps.formula(name, rule, fraction, value)
    precision, recall = f"{score.precision:.4f}", f"{score.recall:.4f}"
    square = f"{beta:g}²"
    if not matches:
        yield steps.formula("F", "0")
    elif beta == 1:
        worked = f"2 · {precision} · {recall} / ({precision} + {recall})"
        yield steps.formula("F", "2 · P · R / (P + R)", worked, score.value)
    else:
        worked = f"(1 + {square}) · {precision} · {recall} / ({square} · {precision} + {recall})"
        yield steps.formula("F", "(1 + beta²) · P · R / (beta² · P + R)", worked, score.value)
