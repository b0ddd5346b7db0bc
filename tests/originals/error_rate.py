"""Other implementations of WER and CER."""

import jiwer
from hypothesis import strategies as st

from refscore import CER, WER
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, each
from tests.reference import edits as oracle, tokenizers
from tests.strategies import text_settings

COUNTS = ("hits", "substitutions", "deletions", "insertions")


def jiwer_scores(process):
    """Return the function that scores by jiwer.process_words or jiwer.process_characters."""

    def fields(output):
        names = ("mer", "wil", "wip") if process is jiwer.process_words else ()  # characters only have the rate
        value = output.wer if process is jiwer.process_words else output.cer
        lengths = {
            "ref_len": sum(map(len, output.references)),
            "hyp_len": sum(map(len, output.hypotheses)),
            "errors": output.substitutions + output.deletions + output.insertions,
        }
        return {"value": value, **lengths, **{name: getattr(output, name) for name in (*COUNTS, *names)}}

    def scores(hypotheses, references):
        segments = each(lambda hypothesis, refs: fields(process(refs[0], hypothesis)), hypotheses, references)
        return Expected(
            segments=segments,
            corpus=fields(process([refs[0] for refs in references], hypotheses)),
            rows=[[one[name] for name in COUNTS] for one in segments],
        )

    return scores


def rate(row):
    hits, *errors = row
    return sum(errors) / (hits + row[1] + row[2] or 1)


def oracle_scores(hypotheses, references, **options):
    rows = each(oracle.row, hypotheses, references)
    corpus = [sum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=list(map(rate, rows)), corpus=rate(corpus), rows=rows)


ORIGINALS = [
    *(
        Original(name=f"jiwer {kind.__name__}", metric=kind, scores=jiwer_scores(process), references=1, long=False)
        for kind, process in ((WER, jiwer.process_words), (CER, jiwer.process_characters))
    ),
    Original(
        name="definition of WER",
        metric=WER,
        scores=oracle_scores,
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        table=[{"tokenizer": "13a"}],
        options=st.fixed_dictionaries(text_settings),
        split=tokenizers.prepare,
        clean=lambda text: text[:150],  # the table is quadratic
        long=False,
    ),
]
