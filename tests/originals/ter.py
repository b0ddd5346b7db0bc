"""Other implementations of TER."""

import itertools
import math
import random

import sacrebleu
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from refscore import TER
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS, WORDS, Inputs, generated, joined, reordered
from tests.differential import Expected, Original, each, streams
from tests.reference import ter as oracle
from tests.sacrebleu_options import ter_settings

FLAGS = st.fixed_dictionaries(
    {name: st.booleans() for name in ("normalized", "no_punct", "asian_support", "case_sensitive")}
)
TABLE = [{}, {"normalized": True, "no_punct": True}, {"normalized": True, "asian_support": True}]


# sacrebleu takes seconds for long segments.
SHORT_TEXT = Inputs(
    name="text",
    drawn=TEXT.drawn,
    named={**TEXT.named, "generated": joined(generated("ter", 6, 25, WORDS))},
    long={"generated text": TEXT.named["generated"]},
)
SHORT_TOKENS = Inputs(name="tokens", drawn=TOKENS.drawn, named=TOKENS.named)
SHORT_IDS = Inputs(name="ids", drawn=IDS.drawn, named={"ids": generated("ter", 10, 20, range(15))})


def corpus_of(pairs):
    hypotheses, references = zip(*pairs, strict=True)
    return list(hypotheses), [[reference] for reference in references]


def around_the_beam(*sizes):
    """Lengths at which the beam begins to exclude cells, and at which a row exceeds one machine word."""
    pairs = []
    for size, distinct in itertools.product(sizes, (3, 15, 60)):
        generator = random.Random(f"{size}/{distinct}")
        reference = generator.choices(range(distinct), k=size)
        pairs.append((reordered(generator, reference), reference))
        pairs.append((reordered(generator, reference)[size // 3 :], reference))
        pairs.append((reference, reordered(generator, reference)[: size // 2]))
        pairs.append((generator.choices(reference, k=generator.randrange(1, 40)), reference))
    return corpus_of(pairs)


def much_longer_references():
    pairs = []
    for length, ratio, more in itertools.product((1, 2, 3, 7), (5, 11, 20, 49, 50, 51, 70), range(-2, 3)):
        generator = random.Random(f"{length}/{ratio}/{more}")
        reference = generator.choices(range(40), k=length * ratio + more)
        hypothesis = generator.choices(reference, k=length)
        pairs += [(hypothesis, reference), ([-1] * length, reference), (reference, hypothesis)]
    return corpus_of(pairs)


def far_moves(*distances):
    words = list(range(80))
    return corpus_of(
        (words[block:][:far] + words[:block] + words[block:][far:], words)
        for far in distances
        for block in (1, 9, 10, 11)
    )


def many_candidates():
    """Use so many equal words that the search stops and discards the move it was about to make."""
    generator = random.Random(3)
    references = [generator.choices(range(4), k=size) for size in (30, 45, 60) * 2]
    return corpus_of((generator.sample(reference, len(reference)), reference) for reference in references)


def unrelated(*sizes):
    """Texts with only frequent words in common: most moves are of one word, and few of them help."""
    pairs = []
    for size in sizes:
        generator = random.Random(size)
        weights = [1 / (rank + 2) for rank in range(2000)]
        words, reference = (generator.choices(range(2000), weights, k=size) for _ in range(2))
        pairs += [(words, reference), (words[: size - size // 7], reference)]
    return corpus_of(pairs)


@st.composite
def permuted(draw):
    """Return a reference, and a hypothesis with its blocks in a different order."""
    reference = draw(st.lists(st.integers(0, 7), max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(reference)), max_size=6)))
    blocks = [reference[begin:end] for begin, end in itertools.pairwise([0, *cuts, len(reference)])]
    hypothesis = list(itertools.chain.from_iterable(draw(st.permutations(blocks))))
    place = draw(st.integers(0, len(hypothesis)))
    hypothesis[place : place + draw(st.integers(0, 1))] = draw(st.lists(st.integers(0, 7), max_size=2))
    return hypothesis, reference


MOVES = Inputs(
    name="moves",
    drawn=st.lists(permuted(), min_size=1, max_size=3).map(corpus_of),
    named={"beam": around_the_beam(25), "far moves": far_moves(50), "longer references": much_longer_references()},
    long={
        "sizes around the beam": around_the_beam(23, 24, 26, 27, 50, 64),
        "more far moves": far_moves(24, 25, 49, 51, 60),
        "many candidates": many_candidates(),
        "unrelated": unrelated(40, 63, 65, 100),
    },
)


def fields(score):
    return {"value": score.score / 100, "edits": score.num_edits, "ref_len": score.ref_length}


def sacrebleu_scores(hypotheses, references, **options):
    original = sacrebleu.TER(**options)
    segments = each(original.sentence_score, hypotheses, references)
    corpus = fields(original.corpus_score(hypotheses, streams(references)))
    # sacrebleu rounds after each addition of a mean length; refscore rounds the exact sum once.
    exact = math.fsum(one.ref_length for one in segments)
    assert math.isclose(corpus["ref_len"], exact, rel_tol=1e-12)
    return Expected(
        segments=[fields(score) for score in segments],
        corpus={**corpus, "ref_len": exact},
        rows=[[one.num_edits, one.ref_length] for one in segments],
    )


def edit_rates(hypotheses, references, **options):
    """Score token lists by the function that sacrebleu calls for each reference."""
    rows = []
    for words, refs in zip(hypotheses, references, strict=True):
        edits, lengths = zip(*(translation_edit_rate(words, reference) for reference in refs), strict=True)
        rows.append([min(edits), sum(lengths) / len(refs)])
    sums = [math.fsum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=list(map(oracle.score, rows)), corpus=oracle.score(sums), rows=rows)


ORIGINALS = [
    Original(
        name="sacrebleu",
        metric=lambda **options: TER.preset("sacrebleu", **ter_settings(**options)),
        scores=sacrebleu_scores,
        inputs=(SHORT_TEXT,),
        table=TABLE,
        options=FLAGS,
    ),
    Original(
        name="sacrebleu.lib_ter",
        metric=lambda **options: TER(**ter_settings(**options), references_twice=False),
        scores=edit_rates,
        inputs=(SHORT_TEXT, SHORT_TOKENS, SHORT_IDS, OBJECTS, MOVES),
        table=TABLE[:1],
        options=FLAGS,
        split=lambda text, **options: TercomTokenizer(**options)(text.rstrip()).split(),
    ),
]
