from collections import Counter

from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.ter.metric import TERAlignment, TERScore

# Which moves are made.
MOVE_RULE = (
    "A block of at most 10 words can move to where the reference has the same words, at most 50 words away. Each "
    "step makes the move that leaves the fewest other edits. The search ends if no move leaves fewer edits, or "
    "after 1000 moves have been tried."
)


def explain(segment: ScoredSegment[TERScore]) -> Written:
    score, metric, targets = segment.score, segment.score.metric, segment.targets
    # Not segment.best: the length is the mean over all references, so no single reference has the score's row.
    counts = [one.edits for one in segment.scores if one is not None]
    best = counts.index(score.edits)
    alignment = metric.alignment(segment.candidate, targets[best])
    yield from segment.token_steps()
    if metric.pipeline.references_twice:
        yield "As in sacrebleu, references are tokenized twice, and the hypothesis once."
    if len(targets) > 1:
        yield steps.Heading("The best reference")
        yield "The reference that needs the fewest edits counts. The length is the mean over all references."
        yield steps.reference_table(("edits", "length"), zip(counts, map(len, targets), strict=True), best)
        first = "is the first that needs" if counts.count(counts[best]) > 1 else "needs"
        yield f"Reference {best + 1} {first} the fewest edits. The next steps use it."
    yield from steps.move_steps(segment.candidate, targets[best], alignment.shifts, MOVE_RULE, "other edits")
    yield steps.Heading("Word by word")
    yield from _words(alignment)
    yield steps.Heading("Edits")
    edits = Counter(edit.kind for edit in alignment.edits)
    numbers = {
        "moves": len(alignment.shifts),
        "substitutions": edits["substitution"],
        "insertions": edits["deletion"],
        "deletions": edits["insertion"],
    }
    for name, number in numbers.items():
        yield steps.formula(name, number)
    yield steps.formula("edits", " + ".join(numbers), *steps.sum_terms([*numbers.values()]), sum(numbers.values()))
    yield steps.Heading("Result")
    rule = ["length of the reference"]
    if len(targets) > 1:
        rule = ["mean length of the references", *steps.sum_terms([*map(len, targets)], f"({{}})/{len(targets)}")]
    length = f"{score.ref_len:.10g}"
    yield steps.formula("length", *rule, length)
    if score.ref_len == 0:
        value = "1, since there are edits but no words" if score.edits else "0, since there are neither edits nor words"
        yield steps.formula("TER", value)
    else:
        yield steps.formula("TER", "edits / length", f"{score.edits}/{length}", score.value)


def _words(alignment: TERAlignment) -> Written:
    if not alignment.edits:
        yield "Neither side has words."
        return
    rows = []
    position = target = 0
    for edit in alignment.edits:
        name, mark = steps.EDITS[edit.kind]
        position += name != "insert"
        target += name != "delete"
        hypothesis = ("–", "–") if name == "insert" else (position, str(edit.hypothesis))
        reference = ("–", "–") if name == "delete" else (str(edit.reference), target)
        rows.append(steps.row(*hypothesis, name, *reference, mark=mark))
    moved = " after the moves" if alignment.shifts else ""
    yield (
        f"The words of the hypothesis{moved}, beside the words of the reference. A word that only the hypothesis has "
        "is deleted, and a word that only the reference has is inserted."
    )
    yield steps.Table(
        "Words", steps.right("position") + steps.left("hypothesis", "edit", "reference") + steps.right("position"), rows
    )
