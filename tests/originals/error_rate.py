"""Other implementations of WER and CER."""

import re

import jiwer
import kaldialign
from hypothesis import strategies as st

from refscore import CER, WER
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, each
from tests.reference import edits as oracle, tokenizers, weighted_edits
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


def kaldialign_scores(hypotheses, references, *, costs="equal"):
    """Score by kaldialign.edit_distance with compounds."""

    def row(hypothesis, refs):
        counts = kaldialign.edit_distance(refs[0], hypothesis, sclite_mode=costs == "sclite", merge_compounds=True)
        hits = len(refs[0]) - counts["sub"] - counts["del"]
        return [hits, counts["sub"], counts["del"], counts["ins"]]

    return Expected(segments=[None] * len(hypotheses), rows=each(row, hypotheses, references))


# sclite's choice among alignments of equal cost; with compounds it is kaldialign's.
SCLITE = {"weights": (4, 3), "order": ("pair", "insertion", "deletion")}


def weighted_row(hypothesis, references, costs, compounds):
    """Return the row of the reference with the lowest rate."""
    rows = []
    for reference in references:
        words, own = reference, hypothesis
        if compounds.startswith("regions"):
            words, own = weighted_edits.joined(reference, hypothesis)
        if compounds == "regions" and costs == "equal":
            rows.append(oracle.row(own, [words]))
        elif compounds in ("none", "regions"):
            rows.append(weighted_edits.counts(words, own, **SCLITE))
        else:
            weights = SCLITE["weights"] if costs == "sclite" else (1, 1)
            rows.append(weighted_edits.counts(words, own, weights=weights, merges=True))
    return min(rows, key=rate)


def weighted_scores(hypotheses, references, costs, compounds):
    rows = each(weighted_row, hypotheses, references, costs=costs, compounds=compounds)
    corpus = [sum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=list(map(rate, rows)), corpus=rate(corpus), rows=rows)


WEIGHTED = [
    {"costs": costs, "compounds": compounds}
    for costs in ("equal", "sclite")
    for compounds in ("none", "merge", "regions", "regions-merge")
    if (costs, compounds) != ("equal", "none")
]

ORIGINALS = [
    *(
        Original(name=f"jiwer {kind.__name__}", metric=kind, scores=jiwer_scores(process), references=1, long=False)
        for kind, process in ((WER, jiwer.process_words), (CER, jiwer.process_characters))
    ),
    Original(
        name="kaldialign",
        metric=lambda **options: WER(tokenizer="none", compounds="merge", **options),
        scores=kaldialign_scores,
        table=[{}, {"costs": "sclite"}],
        options=st.fixed_dictionaries({"costs": st.sampled_from(["equal", "sclite"])}),
        split=lambda text, **options: text.split(),
        clean=lambda text: re.sub("[\ud800-\udfff]", "", text),  # it takes valid Unicode only
        references=1,
        long=False,
    ),
    Original(
        name="definition of costs and compounds",
        metric=lambda **options: WER(tokenizer="none", **options),
        scores=weighted_scores,
        table=WEIGHTED,
        options=st.sampled_from(WEIGHTED),
        split=lambda text, **options: text.split(),
        clean=lambda text: text[:150],  # the table is quadratic
        long=False,
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
