"""Other implementations of SARI: the oracle's four definitions. tests/golden has numbers of the programs themselves."""

from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from refscore import SARI
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn
from tests.reference import sari as oracle


def easse_scores(hypotheses, references, *, sources, deletion="f1", order_average="scores"):
    options = {"deletion": deletion, "paper": order_average == "precisions"}
    rows = [oracle.easse_row(*segment) for segment in zip(sources, hypotheses, references, strict=True)]
    return Expected(
        segments=[oracle.easse_value(row, **options) for row in rows],
        corpus=oracle.easse_value([sum(column) for column in zip(*rows, strict=True)], **options),
        rows=rows,
    )


def mean_of(operations):
    """Return a function for the scores of a program that averages segment scores."""

    def scores(hypotheses, references, *, sources):
        segments = zip(sources, hypotheses, references, strict=True)
        rows = [[*operations(*segment), 1.0] for segment in segments]
        segments = [{"value": sum(row[:3]) / 3, "keep": row[0], "delete": row[1], "add": row[2]} for row in rows]
        return Expected(
            segments=segments, corpus=sum(segment["value"] for segment in segments) / len(segments), rows=rows
        )

    return scores


def ratios(undefined, keep_recall):
    return mean_of(lambda *segment: oracle.ratio_operations(*segment, undefined=undefined, keep_recall=keep_recall))


def split_words(text, **_):
    return text.split()


def split_lower(text, **_):
    return text.lower().split()


def split_13a(text, **_):
    return Tokenizer13a()(text.lower()).split()


ORIGINALS = [
    Original(
        name="easse",
        metric=lambda **options: SARI(tokenizer="none", lowercase=False, **options),
        scores=easse_scores,
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        split=split_words,
        table=[{}, {"deletion": "precision"}, {"order_average": "precisions"}],
        options=drawn(
            deletion=st.sampled_from(["f1", "precision"]), order_average=st.sampled_from(["scores", "precisions"])
        ),
    ),
    Original(name="easse-13a", metric=lambda: SARI.preset("easse"), scores=easse_scores, split=split_13a, long=False),
    Original(name="evaluate", metric=lambda: SARI.preset("evaluate"), scores=ratios(1, "counts"), split=split_13a),
    Original(name="xu", metric=lambda: SARI.preset("xu"), scores=ratios(0, "ratios"), split=split_lower, long=False),
    Original(
        name="tensor2tensor",
        metric=lambda: SARI.preset("tensor2tensor"),
        scores=mean_of(oracle.set_operations),
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        split=split_words,
    ),
]
