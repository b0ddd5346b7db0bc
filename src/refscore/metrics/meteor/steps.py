from collections.abc import Sequence

from refscore import _native
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written
from refscore.metrics.meteor.metric import METEORScore
from refscore.metrics.meteor.word_matches import MatchedWord

# Each stage's heading, rule and stem columns.
_STAGES = {
    "exact": (
        "Equal words",
        "Matching goes from the last word of the hypothesis to the first. Each word is matched with the last equal "
        "word of the reference that is not matched yet.",
        [],
    ),
    "stem": (
        "Equal stems",
        "The remaining words are matched in the same way if their stems are equal (Porter's stemmer, which ignores "
        "case).",
        ["stem"],
    ),
    "synonym": (
        "Synonyms",
        "The remaining words are matched in the same way if WordNet lists the stem of the reference word as a synonym "
        "of the stem of the hypothesis word. NLTK also looks up stems, not words.",
        ["stems"],
    ),
}


def explain(segment: ScoredSegment[METEORScore]) -> Written:
    score, metric, candidate, target = segment.score, segment.score.metric, segment.candidate, segment.target
    words = metric.alignment(segment.hypothesis, segment.references[segment.best])
    yield from segment.token_steps()
    yield from segment.reference_steps(
        {"P": "precision", "R": "recall", "F": "f_mean", "penalty": "penalty", "METEOR": "value"}
    )
    if candidate and target:
        count = 1 if not isinstance(candidate[0], str) else 2 if metric.synonyms is None else 3
        for number in range(1, count + 1):
            yield from _stage([*_STAGES][:number], target, words)
    pairs = [(i, word.rank) for i, word in enumerate(words) if word.rank is not None]
    if not pairs:
        why = "An empty hypothesis" if not candidate else "An empty reference" if not target else "No match"
        yield steps.Heading("Result")
        yield f"{why} scores 0."
        return
    chunks = _chunks(pairs)
    yield steps.Heading("Chunks")
    yield "A chunk is a run of matched words that are consecutive and in the same order on both sides."
    yield from _chunk_tables(candidate, target, chunks)
    yield steps.Heading("Precision, recall and their mean")
    alpha, beta, gamma = metric.alpha, metric.beta, metric.gamma
    precision, recall = f"{score.precision:.4f}", f"{score.recall:.4f}"
    yield steps.formula("P", "matches / words of the hypothesis", f"{len(pairs)}/{len(candidate)}", precision)
    yield steps.formula("R", "matches / words of the reference", f"{len(pairs)}/{len(target)}", recall)
    yield steps.formula("alpha", f"{alpha:g}")
    numbers = f"{precision} · {recall} / ({alpha:g} · {precision} + {1 - alpha:g} · {recall})"
    yield steps.formula("F", "P · R / (alpha · P + (1 − alpha) · R)", numbers, score.f_mean)
    yield steps.Heading("Penalty")
    yield steps.formula("gamma", f"{gamma:g}")
    yield steps.formula("beta", f"{beta:g}")
    share = f"{len(chunks)}/{len(pairs)}"
    yield steps.formula("penalty", "gamma · (chunks / matches)^beta", f"{gamma:g} · ({share})^{beta:g}", score.penalty)
    yield steps.Heading("Result")
    yield steps.formula("METEOR", "(1 − penalty) · F", f"(1 − {score.penalty:.4f}) · {score.f_mean:.4f}", score.value)


def _stage(stages: Sequence[str], target: Tokens, words: Sequence[MatchedWord]) -> Written:
    """Yield the last stage's matches, and the words that all these stages leave unmatched."""
    stage = stages[-1]
    heading, rule, stem_columns = _STAGES[stage]
    yield steps.Heading(heading)
    yield rule
    rows = []
    for i, word in reversed([*enumerate(words)]):
        if word.stage == stage and word.rank is not None:
            text, other = str(word.word), str(target[word.rank])
            stems = {"exact": [], "stem": [text], "synonym": [text, other]}[stage]
            stem_cells = [", ".join(map(_native.porter_stem, stems))] if stems else []
            rows.append(steps.row(i + 1, text, word.rank + 1, other, *stem_cells, mark="match"))
    if rows:
        columns = steps.right("position") + steps.left("word") + steps.right("reference position")
        note = "Positions count from 1." if stage == "exact" else None
        columns += steps.left("reference word", *stem_columns)
        yield steps.Table("Matches, in the order of matching", columns, rows, note)
    else:
        yield "There are no matches."
    taken = {word.rank for word in words if word.stage in stages}
    unmatched = [word.word for word in words if word.stage not in stages]
    yield steps.formula("unmatched in the hypothesis", steps.joined(unmatched) or "none")
    unmatched_targets = [word for j, word in enumerate(target) if j not in taken]
    yield steps.formula("unmatched in the reference", steps.joined(unmatched_targets) or "none")


def _chunks(pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the position pairs, in runs that are consecutive on both sides."""
    chunks: list[list[tuple[int, int]]] = []
    for i, rank in pairs:
        if chunks and chunks[-1][-1] == (i - 1, rank - 1):
            chunks[-1].append((i, rank))
        else:
            chunks.append([(i, rank)])
    return chunks


def _chunk_tables(candidate: Tokens, target: Tokens, chunks: Sequence[Sequence[tuple[int, int]]]) -> Written:
    rows = []
    for number, chunk in enumerate(chunks, 1):
        i, j = chunk[0]
        end, target_end = i + len(chunk), j + len(chunk)
        words, target_words = steps.shortened(candidate[i:end]), steps.shortened(target[j:target_end])
        rows.append(steps.row(number, steps.positions(i, end), words, steps.positions(j, target_end), target_words))
    columns = (
        steps.right("chunk", "positions")
        + steps.left("words")
        + steps.right("reference positions")
        + steps.left("reference words")
    )
    yield steps.Table("Chunks", columns, rows)
    signs = {pair: str(number) for number, chunk in enumerate(chunks, 1) for pair in chunk}
    legend = "; a match shows the number of its chunk"
    yield from steps.alignment_grid("Matches and their chunks", candidate, target, signs, legend)
