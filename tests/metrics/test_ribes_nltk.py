"""The presets `nltk` and `nltk-3.9` compared with NLTK: 3.10.4 directly, 3.9.1 from recorded values."""

import json
import random
from pathlib import Path

import nltk.translate.ribes_score as original
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.golden import ribes_pairs
from tests.reference import close

PRESET = refscore.RIBES.preset
RECORD = json.loads((Path(__file__).parent.parent / "golden" / "ribes_nltk391.json").read_text(encoding="utf-8"))


def ranks(metric, hypothesis, reference):
    return [word.rank for word in metric.alignment(hypothesis, reference) if word.rank is not None]


def check(hypotheses, references, alpha=0.25, beta=0.10):
    """Compare each sentence, the whole corpus, and the alignments."""
    metric = PRESET("nltk", alpha=alpha, beta=beta)
    expected = [
        original.sentence_ribes(refs, hypothesis, alpha, beta)
        for hypothesis, refs in zip(hypotheses, references, strict=True)
    ]
    assert all(map(close, metric.segments(hypotheses, references).tolist(), expected))
    assert close(
        metric.corpus(hypotheses, references).value, original.corpus_ribes(references, hypotheses, alpha, beta)
    )
    for hypothesis, refs in zip(hypotheses, references, strict=True):
        for reference in refs:
            if reference:
                assert ranks(metric, hypothesis, reference) == original.word_rank_alignment(reference, hypothesis)


SLOW = [pytest.param(*case, marks=pytest.mark.slow) for case in [(11, 1500, 12), (12, 700, 25), (13, 60, 60)]]


@pytest.mark.parametrize(("seed", "size", "longest"), [(11, 150, 12), (12, 40, 25), *SLOW])
def test_generated_sentences(seed, size, longest):
    check(*ribes_pairs.corpus(seed, size, longest))


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0), (0, 1), (0.25, 2.5), (1, 0), (2.5, 0.25)])
def test_weights(alpha, beta):
    check(*ribes_pairs.corpus(14, 60, 12), alpha, beta)


@pytest.mark.parametrize("words", ["a", "ab", "abc", "abcd", "abcdefg"])
def test_few_words(words):
    generator = random.Random(words)
    hypotheses = [generator.choices(words, k=generator.randrange(1, 16)) for _ in range(60)]
    references = [[generator.choices(words, k=generator.randrange(16)) for _ in range(1 + i % 2)] for i in range(60)]
    check(hypotheses, references)


@given(corpus=st.one_of(strategies.word_corpora, strategies.id_corpora))
@examples(150)
def test_drawn_sentences(corpus):
    """Include empty hypotheses and empty references."""
    check(*corpus)


def test_every_short_pair_of_two_words():
    sentences = [list(f"{number:0{size}b}") for size in range(1, 5) for number in range(2**size)]
    metric = PRESET("nltk")
    matrix = metric.pairwise(sentences, sentences, tokens=True)
    for i, hypothesis in enumerate(sentences):
        for j, reference in enumerate(sentences):
            assert close(matrix[i, j], original.sentence_ribes([reference], hypothesis)), (hypothesis, reference)
            assert ranks(metric, hypothesis, reference) == original.word_rank_alignment(reference, hypothesis)


def test_text_is_split_at_whitespace_and_keeps_its_case():
    hypothesis, reference = "The cat  sat on\tthe Mat .", "the cat Sat on the Mat ."
    expected = original.sentence_ribes([reference.split()], hypothesis.split())
    assert close(PRESET("nltk").segment(hypothesis, reference).value, expected)
    assert not close(PRESET("nltk", lowercase=True).segment(hypothesis, reference).value, expected)


@pytest.mark.parametrize("size", [100, pytest.param(300, marks=pytest.mark.slow)])
def test_longer_sentences(size):
    generator = random.Random(size)
    reference = generator.choices(range(size), k=size)
    hypothesis = reference[size // 3 :] + reference[: size // 3]
    hypothesis[5::17] = hypothesis[6::17][: len(hypothesis[5::17])]
    check([hypothesis], [[reference]])


# NLTK 3.9.1, which counts different pairs


@pytest.mark.parametrize("record", RECORD["corpora"], ids=lambda record: f"seed {record['seed']}")
def test_recorded_values(record):
    hypotheses, references = ribes_pairs.corpus(record["seed"], record["size"], record["longest"])
    assert ribes_pairs.digest(hypotheses, references) == record["digest"]
    for run in record["runs"]:
        metric = PRESET("nltk-3.9", alpha=run["alpha"], beta=run["beta"])
        here = hypotheses[: len(run["sentences"])], references[: len(run["sentences"])]
        assert all(map(close, metric.segments(*here).tolist(), run["sentences"]))
        assert close(metric.corpus(*here).value, run["corpus"])


@pytest.mark.parametrize("record", RECORD["corpora"], ids=lambda record: f"seed {record['seed']}")
def test_recorded_alignments(record):
    """Both versions of NLTK give the same alignment."""
    hypotheses, references = ribes_pairs.corpus(record["seed"], record["size"], record["longest"])
    width = len(record["checksums"]) // record["size"]
    for i, (hypothesis, refs) in enumerate(zip(hypotheses, references, strict=True)):
        for name in ("nltk", "nltk-3.9") if refs[0] else ():
            found = ribes_pairs.checksum(ranks(PRESET(name), hypothesis, refs[0]))
            assert found == record["checksums"][width * i : width * (i + 1)], (hypothesis, refs[0])


def test_the_record_says_where_it_comes_from():
    assert (RECORD["tool"], RECORD["version"]) == ("nltk", "3.9.1")
    assert "make_ribes_nltk391" in RECORD["command"]
    assert sum(record["size"] for record in RECORD["corpora"]) > 2500
