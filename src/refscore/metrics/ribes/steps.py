import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from refscore.cached import cached_property
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written
from refscore.metrics.ribes.metric import RIBES, AlignedWord, RIBESScore

# Longer lists are hard to read.
MOST_PAIRS = 12


@dataclass(frozen=True)
class _Case:
    """The hypothesis with the reference that counts, and their score."""

    metric: RIBES
    score: RIBESScore
    candidate: Tokens
    target: Tokens
    words: Sequence[AlignedWord]

    @cached_property
    def ranks(self) -> list[int]:
        """The aligned words' reference positions, from 1."""
        return [word.rank + 1 for word in self.words if word.rank is not None]

    @cached_property
    def aligned(self) -> list[Hashable]:
        return [word.word for word in self.words if word.rank is not None]

    @property
    def correlation_name(self) -> str:
        return "NSR" if self.metric.correlation == "rho" else "NKT"


def explain(segment: ScoredSegment[RIBESScore]) -> Written:
    score, metric, candidate = segment.score, segment.score.metric, segment.candidate
    yield from segment.token_steps()
    if not candidate:
        yield steps.Heading("Result")
        yield "An empty hypothesis scores 0."
        return
    target = segment.target
    case = _Case(metric, score, candidate, target, metric.alignment(candidate, target))
    name, length, reference = case.correlation_name, len(candidate), len(target)
    titles = {name: "nkt", "P": "precision", "BP": "brevity_penalty", "RIBES": "value"}
    yield from segment.reference_steps(titles, ["" if target else "empty" for target in segment.targets])
    yield steps.Heading("Alignment")
    yield from _alignment(case)
    yield steps.Heading("Word order")
    yield from _word_order(case)
    yield steps.Heading("Precision")
    yield steps.formula("P", "aligned words / words of the hypothesis", f"{len(case.ranks)}/{length}", score.precision)
    yield steps.Heading("Brevity penalty")
    yield steps.formula("L", "length of the hypothesis", length)
    yield steps.formula("R", "length of the reference", reference)
    if length >= reference:
        yield steps.formula("BP", "1, since L ≥ R")
    else:
        yield steps.formula("BP", "exp(1 − R/L)", f"exp(1 − {reference}/{length})", score.brevity_penalty)
    yield steps.Heading("Result")
    alpha, beta = metric.alpha, metric.beta
    yield steps.formula("alpha", f"{alpha:g}")
    yield steps.formula("beta", f"{beta:g}")
    yield steps.formula(
        "RIBES",
        f"{name} · P^alpha · BP^beta",
        f"{score.nkt:.4f} · {score.precision:.4f}^{alpha:g} · {score.brevity_penalty:.4f}^{beta:g}",
        f"{score.nkt:.4f} · {score.precision**alpha:.4f} · {score.brevity_penalty**beta:.4f}",
        score.value,
    )


def _alignment(case: _Case) -> Written:
    sides = ("left", "right") if case.metric.first_context == "left" else ("right", "left")
    yield (
        "A word that occurs exactly once in both texts is aligned directly. For other words, a context of the word "
        "and its neighbours grows by one word at a time until it occurs exactly once in both texts. At each size, "
        f"the context to the {sides[0]} is tried before the one to the {sides[1]}."
    )
    if case.metric.context_limit == "nltk":
        yield "As in NLTK, the context of the i-th of L words has fewer than max(i − 1, L − i + 2) neighbours."
    if not case.target:
        yield "The reference is empty (empty_reference='zero'), so no word can be aligned."
    yield _word_table(case)
    if case.target:
        signs = {(i, word.rank): "●" for i, word in enumerate(case.words) if word.rank is not None}
        yield from steps.alignment_grid("Grid", case.candidate, case.target, signs)


def _word_table(case: _Case) -> steps.Table:
    present = set(case.target)
    within = " within the limit" if case.metric.context_limit == "nltk" else ""
    rows = []
    for i, word in enumerate(case.words):
        token = str(case.candidate[i])
        if word.rank is None or word.context is None:
            known = case.candidate[i] in present
            reason = f"no context{within} occurs exactly once in both" if known else "not in the reference"
            rows.append(steps.row(i + 1, token, "–", reason, "–", mark="miss"))
            continue
        begin, end = word.context
        side = "the word itself" if end - begin == 1 else "context to the left" if begin < i else "context to the right"
        rows.append(
            steps.row(i + 1, token, steps.shortened(case.candidate[begin:end]), side, word.rank + 1, mark="match")
        )
    columns = steps.right("position") + steps.left("word", "found by", "note") + steps.right("rank")
    note = "The rank is the position in the reference. Positions count from 1."
    return steps.Table("Hypothesis words", columns, rows, note)


def _word_order(case: _Case) -> Written:
    name, ranks = case.correlation_name, case.ranks
    if not ranks:
        yield "No word is aligned."
        yield steps.formula(name, "0, since there is no order")
        return
    if len(ranks) > 1:
        yield "The ranks of the aligned words, in the order of the hypothesis:"
    yield steps.formula("ranks", ", ".join(map(str, ranks)))
    if len(ranks) == 1:
        yield steps.formula(name, _single_word_rule(case))
    elif case.metric.correlation == "rho":
        yield from _rho(case)
    else:
        yield from _runs(case) if case.metric.correlation == "tau-runs" else _pairs(case)


def _single_word_rule(case: _Case) -> str:
    if case.metric.single_word == "zero":
        return "0, since a single aligned word has no order (single_word='zero')"
    if len(case.target) == 1:
        return "1, since the one aligned word is the whole reference (single_word='reference')"
    return "0, since one aligned word of several in the reference has no order (single_word='reference')"


def _pairs(case: _Case) -> Written:
    yield "A pair of aligned words is ascending if the first has the smaller rank, as in the reference."
    terms = _ascending_terms(case.ranks)
    ascending = sum(terms)
    chain: list[str] = []
    if 0 < ascending <= MOST_PAIRS:
        ranked = list(zip(case.aligned, case.ranks, strict=True))
        rows = [
            steps.row(f"{word} … {other}", f"{rank} < {other_rank}")
            for i, (word, rank) in enumerate(ranked)
            for other, other_rank in ranked[i + 1 :]
            if rank < other_rank
        ]
        yield steps.Table("Ascending pairs", steps.left("words", "ranks"), rows)
    elif ascending and len(terms) <= steps.MOST_TERMS:
        yield "There are too many to list. Each term counts the pairs that begin with one aligned word."
        chain = steps.sum_terms(terms)
    yield steps.formula("ascending", *chain, ascending)
    yield from _tau(case, ascending)


def _ascending_terms(ranks: Sequence[int]) -> list[int]:
    """Count the later ranks that are greater, for each rank."""
    later: list[int] = []
    terms = []
    for rank in reversed(ranks):
        terms.append(len(later) - bisect_right(later, rank))
        insort(later, rank)
    return terms[::-1]


def _runs(case: _Case) -> Written:
    yield (
        "Only pairs within a run count as ascending. In a run, ranks increase by exactly 1 at each step. "
        "A run of k words has k · (k − 1)/2 pairs."
    )
    ranks = case.ranks
    breaks = [i for i in range(1, len(ranks)) if ranks[i] != ranks[i - 1] + 1]
    runs = [slice(*run) for run in zip([0, *breaks], [*breaks, len(ranks)], strict=True) if run[1] - run[0] > 1]
    pairs = [math.comb(run.stop - run.start, 2) for run in runs]
    if runs:
        rows = [
            steps.row(steps.shortened(case.aligned[run]), steps.shortened(ranks[run]), run.stop - run.start, count)
            for run, count in zip(runs, pairs, strict=True)
        ]
        yield steps.Table("Runs", steps.left("words", "ranks") + steps.right("k", "pairs"), rows)
        yield steps.formula("ascending", *steps.sum_terms(pairs), sum(pairs))
    else:
        yield steps.formula("ascending", "0, since there is no run")
    yield from _tau(case, sum(pairs))


def _tau(case: _Case, ascending: int) -> Written:
    n = len(case.ranks)
    pairs = math.comb(n, 2)
    yield steps.formula("all pairs", "n · (n − 1)/2", f"{n} · {n - 1}/2", pairs)
    if case.metric.correlation == "tau":
        yield steps.formula("NKT", "ascending / all pairs", f"{ascending}/{pairs}", case.score.nkt)
        return
    tau = 2 * ascending / pairs - 1
    yield steps.formula("tau", "2 · ascending / all pairs − 1", f"2 · {ascending}/{pairs} − 1", tau)
    yield steps.formula("NKT", "(tau + 1)/2", f"({tau:.4f} + 1)/2", case.score.nkt)


def _rho(case: _Case) -> Written:
    ranks = case.ranks
    n = len(ranks)
    ordered = sorted(ranks)
    rows, squares = [], []
    for number, (word, rank) in enumerate(zip(case.aligned, ranks, strict=True), 1):
        place = (bisect_left(ordered, rank) + bisect_right(ordered, rank) + 1) / 2
        difference = place - number
        squares.append(difference * difference)
        rows.append(steps.row(str(word), number, rank, f"{place:g}", f"{difference:g}", f"{squares[-1]:g}"))
    yield "The ranks are sorted, and the place of each rank is compared with the number of its word."
    columns = steps.left("word") + steps.right("number", "rank", "place of the rank", "d", "d²")
    note = "Equal ranks share the mean of their places." if len(set(ranks)) < n else None
    yield steps.Table("Places", columns, rows, note)
    total = f"{sum(squares):.15g}"
    triples = math.comb(n + 1, 3)
    rho = 1 - sum(squares) / triples
    yield steps.formula("Σd²", *steps.sum_terms([f"{square:g}" for square in squares]), total)
    numbers = f"1 − {total}/({n + 1} · {n} · {n - 1}/6)", f"1 − {total}/{triples}"
    yield steps.formula("rho", "1 − Σd² / ((n + 1) · n · (n − 1)/6)", *numbers, rho)
    yield steps.formula("NSR", "(rho + 1)/2", f"({rho:.4f} + 1)/2", case.score.nkt)
