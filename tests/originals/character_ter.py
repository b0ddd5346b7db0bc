"""Other implementations of CharacTER."""

import itertools
import random

from hypothesis import strategies as st

from refscore import CharacTER
from tests.corpora import IDS, TEXT, TOKENS, Inputs, generated, joined, reordered
from tests.differential import Expected, Original, each
from tests.reference import character_ter as oracle, tokenizers
from tests.strategies import corpora, text_settings, token_segment

NAMES = ("value", *oracle.COLUMNS[1:-1])
# Words with many ties: equal lengths and distances, prefixes of each other, longer than 16 bytes, beyond ASCII.
FEW = ["a", "b", "ab", "aba", "é", "日本", "👍", "x" * 17, "x" * 17 + "y", "x" * 16 + "z"]


def with_words(corpus):
    """Return a corpus whose references all have words; cer divides by their number."""
    hypotheses, references = corpus
    return hypotheses, [[words or ["a"] for words in refs] for refs in references]


def around_a_machine_word():
    pairs = []
    for size, distinct in itertools.product((62, 63, 64, 65, 130), (3, 200)):
        generator = random.Random(f"{size}/{distinct}")
        reference = [f"w{number}" for number in generator.choices(range(distinct), k=size)]
        # cer tries every move of every pair of equal words, so texts with few distinct words are almost equal.
        words = reordered(generator, reference) if distinct > 3 else [*reference[:-1], "new"]
        pairs.append((words, [reference]))
    return tuple(map(list, zip(*pairs, strict=True)))


def rounded_rates():
    """Return texts where the rate falls by more than half, and its rounding allows a move that gains nothing."""
    pairs = []
    for size in range(3, 24):
        generator = random.Random(size)
        reference = [f"w{number}" for number in generator.choices(range(size), k=size)]
        half = generator.randrange(1, size)
        pairs += [(reference[half:] + reference[:half] + more, [reference]) for more in ([], ["x"], ["w1", "w0"])]
    return tuple(map(list, zip(*pairs, strict=True)))


TIES = Inputs(
    name="ties",
    drawn=corpora(token_segment(st.sampled_from(FEW))).map(with_words),
    named={
        "few words": generated("few words", 80, 14, FEW),
        "two words": generated("two words", 40, 10, FEW[:2]),
        "rounded rates": rounded_rates(),
    },
)

MACHINE_WORDS = Inputs(name="machine words", drawn=TIES.drawn, named={"machine words": around_a_machine_word()})


def of_cer(hypotheses, references):
    from cer import calculate_cer

    def score(words, refs):
        # cer divides by the number of words of the reference
        return min(calculate_cer(words, reference) if reference else None for reference in refs) if all(refs) else None

    segments = each(score, hypotheses, references)
    return Expected(segments=segments, corpus=None if None in segments else sum(segments) / len(segments))


def definition(hypotheses, references, **text):
    rows = each(oracle.row, hypotheses, references)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Expected(
        segments=[dict(zip(NAMES, row[:-1], strict=True)) for row in rows],
        corpus={**dict(zip(NAMES, means[:-1], strict=True)), "segments": len(rows)},
        rows=rows,
    )


def split(text, *, tokenizer="none", lowercase=False, normalize="none"):
    return tokenizers.prepare(text, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize)


def short(inputs, *others):
    """Return the inputs without long sentences, for which cer takes minutes, and without other corpora."""
    named = {name: corpus for name, corpus in inputs.named.items() if name not in ("generated", *others)}
    return Inputs(name=inputs.name, drawn=inputs.drawn, named=named)


SHORT_IDS = Inputs(name="ids", drawn=IDS.drawn, named={"ids": generated("character", 20, 12, range(15))})
SENTENCES = Inputs(
    name="sentences",
    drawn=TEXT.drawn,
    named={"sentences": joined(generated("sentences", 20, 12, FEW[:6] * 2 + ["the"]))},
)

ORIGINALS = [
    Original(
        name="cer",
        metric=lambda: CharacTER.preset("cer"),
        scores=of_cer,
        inputs=(short(TEXT), short(TOKENS), TIES, MACHINE_WORDS),
        split=str.split,
        long=False,
        needs="cer",
    ),
    Original(
        name="definition",
        metric=CharacTER,
        scores=definition,
        inputs=(short(TEXT), short(TOKENS, "short tokens"), SENTENCES, TIES, SHORT_IDS),
        options=st.fixed_dictionaries(text_settings),
        split=split,
        clean=lambda text: text[:40],  # the search takes time that grows with the fourth power of the length
        long=False,
    ),
]
