from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.suber.metric import SubERScore
from refscore.metrics.ter.steps import MOVE_RULE
from refscore.text_display import counted


def explain(segment: ScoredSegment[SubERScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    yield from segment.token_steps()
    yield from segment.reference_steps({"edits": "edits", "length": "length", "SubER": "value"})
    parts = metric.alignment(segment.candidate, segment.target)
    yield steps.Heading("Parts")
    yield (
        "Words align only if their cues overlap in time, and line breaks only with line breaks. So the text is cut "
        f"where neither side has a cue, into {counted(len(parts), 'part')} with words."
    )
    yield steps.Heading("Moves")
    yield MOVE_RULE
    moves = [(number, move) for number, part in enumerate(parts, 1) for move in part.shifts]
    if moves:
        rows = [
            steps.row(number, steps.joined(move.words), move.begin + 1, move.to + 1, move.distance)
            for number, move in moves
        ]
        columns = steps.right("part") + steps.left("words") + steps.right("from", "to", "other edits left")
        yield steps.Table("Moves", columns, rows, "Positions count from 1, in the part after the previous moves.")
    else:
        yield "No move leaves fewer other edits."
    yield steps.Heading("Word by word")
    rows = []
    for number, part in enumerate(parts, 1):
        for edit in part.edits:
            name, mark = steps.EDITS[edit.kind]
            hypothesis, reference = ("–" if word is None else str(word) for word in (edit.hypothesis, edit.reference))
            rows.append(steps.row(number, hypothesis, name, reference, mark=mark))
    if rows:
        yield steps.Table("Words", steps.right("part") + steps.left("hypothesis", "edit", "reference"), rows)
    else:
        yield "Neither side has words."
    yield steps.Heading("Result")
    yield steps.formula(
        "edits",
        "moves + word edits + break edits",
        f"{score.moves} + {score.word_edits} + {score.break_edits}",
        score.edits,
    )
    yield steps.formula(
        "length", "words + line breaks", f"{score.reference_words} + {score.reference_breaks}", score.length
    )
    if score.length:
        yield steps.formula("SubER", "edits / length", f"{score.edits}/{score.length}", score.value)
    else:
        value = "1, since there are edits but no words" if score.edits else "0, since there are neither edits nor words"
        yield steps.formula("SubER", value)
