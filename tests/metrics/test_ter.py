"""TER: alignments, sacrebleu's tokens and signatures, settings, and the values for empty input."""

import itertools
import random

import pytest
import sacrebleu
from hypothesis import given, strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

import refscore
from tests.examples import examples
from tests.originals.ter import permuted
from tests.reference import close, ter as oracle
from tests.sacrebleu_options import ter_settings

TER = refscore.TER

# Alignments

# TER inserts a word that only the reference has.
OPERATIONS = {" ": "hit", "s": "substitution", "i": "deletion", "d": "insertion"}


def check_alignment(hypothesis, reference):
    """Check that moves and operations equal the oracle's, and turn one text into the other."""
    moves, words, path = oracle.align(hypothesis, reference)
    alignment = TER().alignment(hypothesis, reference)
    assert [(len(shift.words), shift.begin) for shift in alignment.shifts] == [(move[1], move[0]) for move in moves]
    assert [edit.kind for edit in alignment.edits] == [OPERATIONS[operation] for operation in path]
    assert alignment.edit_count == oracle.edits(hypothesis, reference)

    now = list(hypothesis)
    for shift, move in zip(alignment.shifts, moves, strict=True):
        after = oracle.moved(now, *move)
        assert tuple(now[shift.begin : shift.begin + len(shift.words)]) == shift.words
        del now[shift.begin : shift.begin + len(shift.words)]
        now[shift.to : shift.to] = shift.words
        assert now == after
        assert shift.distance == oracle.edit_path(now, list(reference))[0]
    assert now == words
    assert [edit.hypothesis for edit in alignment.edits if edit.kind != "deletion"] == words
    assert [edit.reference for edit in alignment.edits if edit.kind != "insertion"] == list(reference)
    assert sorted(alignment.positions) == list(range(len(hypothesis)))
    assert [hypothesis[position] for position in alignment.positions] == words
    for edit in alignment.edits:
        assert (edit.hypothesis is None) == (edit.kind == "deletion")
        assert (edit.kind == "hit") == (edit.hypothesis == edit.reference)
    if all(token in range(10) for token in [*hypothesis, *reference]):
        shifts = [(shift.begin, len(shift.words), shift.to) for shift in alignment.shifts]
        operations = "".join(path).replace(" ", "=")
        assert TER().operations(list(hypothesis), list(reference), 10) == (shifts, operations)


words = st.lists(st.integers(0, 3), max_size=12)


@given(pair=st.one_of(st.tuples(words, words), permuted()))
@examples(250)
def test_alignments(pair):
    assert (oracle.edits(*pair), len(pair[1])) == translation_edit_rate(*pair)
    check_alignment(*pair)


@pytest.mark.parametrize("size", [51, *(pytest.param(size, marks=pytest.mark.slow) for size in (24, 25, 26, 27))])
def test_alignments_around_the_beam(size):
    generator = random.Random(size)
    reference = [f"w{generator.randrange(size)}" for _ in range(size)]
    check_alignment(reference[size // 2 :] + reference[: size // 2], reference)
    check_alignment(["x"] * (size // 2) + reference[: size // 2], reference)
    check_alignment(reference, reference[: size // 3])
    check_alignment(reference[: size // 3], reference)
    check_alignment(generator.choices(reference, k=1), reference * 3)


@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_short_pair_of_two_words(longest):
    every = [list(f"{number:0{size}b}") for size in range(1, longest + 1) for number in range(2**size)] + [[]]
    matrix = TER().pairwise(every, every, tokens=True)
    for (i, hypothesis), (j, reference) in itertools.product(enumerate(every), repeat=2):
        assert close(matrix[i, j], oracle.score(oracle.row(hypothesis, [reference])))


def test_alignment_of_text():
    alignment = TER(tokenizer="tercom-norm").alignment("Today, it rained", "it rained today.")
    assert [shift.words for shift in alignment.shifts] == [("it", "rained")]
    assert [edit.kind for edit in alignment.edits] == ["hit", "hit", "hit", "substitution"]
    assert TER().alignment("", "") == ((), (), ())


@pytest.mark.parametrize(("hypothesis", "reference"), [([-1], [0]), ([0], [-1]), ([2], [0]), ([0], [2]), ([1], [0, 2])])
def test_numbers_outside_the_vocabulary(hypothesis, reference):
    with pytest.raises(refscore.InputError, match="vocabulary"):
        TER().operations(hypothesis, reference, 2)


def test_long_segments_end():
    """With shuffled blocks of one and of two words, the search is always bounded."""
    generator = random.Random(1)
    words = [f"w{generator.randrange(400)}" for _ in range(1000)]
    blocks = [words[i : i + 7] for i in range(0, 1000, 7)]
    generator.shuffle(blocks)
    metric = TER()
    assert 0 < metric.segment(list(itertools.chain(*blocks)), [words]).value <= 1
    assert metric.segment(["a"] * 3000, [["a"] * 2990]).edits == 10
    assert metric.segment(["a", "b"] * 1000, [["b", "a", "a", "b"] * 500]).edits <= 2000
    many = [f"w{i}" for i in range(60_000)]
    assert metric.segment(many[1:], [many]).edits == 1
    assert metric.segment(["x", *many[1:]], [many]).edits == 1
    references = [[f"{i} {j}" for j in range(20)] for i in range(5000)]
    assert metric.segment(references[-1], references).edits == 0


# sacrebleu's tokens and signatures

FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
OPTIONS = [dict(zip(FLAGS, flags, strict=True)) for flags in itertools.product([False, True], repeat=4)]


@pytest.mark.parametrize("end", [0x3400, pytest.param(0x11000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["tercom", *(f"tercom-{rest}" for rest in ("norm", "nopunct", "norm-nopunct"))])
def test_every_character(name, end):
    """Alone, and between letters and digits."""
    flags = {"normalized": "norm" in name, "no_punct": "nopunct" in name, "case_sensitive": True}
    for asian in (False, True) if name != "tercom" else (False,):
        original = TercomTokenizer(**flags, asian_support=asian)
        for begin in range(0, end, 97):
            text = "".join(f"{char} a{char}b 1{char}2 " for char in map(chr, range(begin, begin + 97)))
            assert refscore.tokenize(text, name + "-asian" * asian) == original(text.rstrip()).split()


def test_signatures():
    for options, short in itertools.product(OPTIONS, (False, True)):
        original = sacrebleu.TER(**options)
        original.corpus_score(["a b", "c"], [["a", "b"], ["a", None]])
        text, metric = original.get_signature().format(short=short), TER(**ter_settings(**options))
        for written in (text, f"TER|{text} = 50.0", text.replace("tercom", "tercom|bs:1000|l:en-de")):
            assert refscore.from_signature(written) == metric
    # sacrebleu abbreviates both the test set and the tokenizer by `t`.
    text = "#:1|t:wmt17|l:en-de|c:lc|t:tercom|nr:yes|pn:yes|as:no|v:2.6.0"
    assert refscore.from_signature(text) == TER(tokenizer="tercom-norm")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("case:lc", "case:upper", "case"),
        ("tok:tercom", "tok:13a", "tok"),
        ("norm:no", "norm:maybe", "norm"),
        ("norm:no|", "", "norm"),
        ("asian:no", "asian:no|surprise:1", "surprise"),
        ("norm:no", "norm:no|nr:no", "twice"),
        ("norm:no", "norm:no|norm:no", "twice"),
    ],
)
def test_broken_signatures(old, new, named):
    text = "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0"
    with pytest.raises(refscore.errors.SignatureError, match=named):
        refscore.from_signature(text.replace(old, new))


# Settings and special values


def test_the_default_is_sacrebleus():
    assert TER() == TER.preset("sacrebleu")
    assert refscore.ter(["a b"], ["a c"], preset="sacrebleu", lowercase=False).metric == TER(lowercase=False)
    assert not TER.higher_is_better


def test_references_are_tokenized_twice_or_once():
    twice, once = TER(tokenizer="tercom-norm"), TER(tokenizer="tercom-norm", references_twice=False)
    assert twice.segment("a.,5", "a.,5").value == 0.5
    assert once.segment("a.,5", "a.,5").value == 0
    prepared = twice.prepare(["a.,5 b", "c"])
    assert twice.corpus(["a.,5", "c"], prepared).edits == 3
    for other in (TER(), once, refscore.BLEU(tokenizer="tercom-norm")):
        with pytest.raises(refscore.InputError, match="text settings"):
            other.corpus(["a.,5", "c"], prepared)
    assert TER().corpus(["a", "c"], TER(references_twice=False).prepare(["a.,5 b", "c"])).edits == 2


@pytest.mark.parametrize(
    ("hypothesis", "references", "row", "value"),
    [
        ("", "", [0, 0], 0.0),
        ("a b", "", [2, 0], 1.0),
        ("a b", ["", ""], [2, 0], 1.0),
        ("", "a b", [2, 2], 1.0),
        ("", ["a b", ""], [0, 1], 0.0),
        ("a b", ["", "a b c d"], [2, 2], 1.0),
        ("a b c d e f", "x", [6, 1], 6.0),
    ],
)
def test_empty_texts(hypothesis, references, row, value):
    score = TER().segment(hypothesis, references)
    assert (score.row.tolist(), score.value) == (row, value)


def test_a_corpus_is_a_ratio_of_sums():
    score = refscore.ter(["a b", "c"], ["a x y z", ["d", "e f"]])
    assert (score.edits, score.ref_len, score.value) == (4, 5.5, 4 / 5.5)
    assert score.details() == {"edits": 4, "ref_len": 5.5}
    assert str(score) == "TER = 72.73 (edits = 4 reference length = 5.5)"
    assert type(score.edits) is int
