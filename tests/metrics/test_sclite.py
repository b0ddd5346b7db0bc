"""The counts of WER with sclite's costs and alternatives equal those of sclite, Debian's package sctk."""

import random

import pytest
from hypothesis import given, strategies as st

import refscore
from tests.examples import examples
from tests.reference import lattices
from tests.sclite import needs_sclite, segment_counts, write_trn

WORDS = ["the", "The", "cat", "CAT", "sat", "Émile", "émile", "don't", "a-b", "won't.", "über", "Über", "x", "y", "z"]
METRIC = refscore.WER.preset("sclite")


def segments(seed, count):
    generator = random.Random(seed)
    for _ in range(count):
        vocabulary = WORDS[: generator.choice([2, 3, 5, 15])]
        yield tuple(" ".join(generator.choices(vocabulary, k=generator.randint(1, 14))) for _ in range(2))


def written(generator, depth):
    """Return a reference with alternatives, optional words and "@"."""
    parts = []
    for _ in range(generator.randint(1, 4)):
        kind = generator.choice(["word", "word", "word", "optional", "group", "@"])
        if kind == "group" and depth:
            inner = [written(generator, depth - 1) for _ in range(generator.randint(2, 3))]
            parts.append(f"{{ {' / '.join(inner)} }}")
        elif kind == "@" and depth < 2:
            parts.append("@")
        else:
            word = generator.choice("abcd")
            parts.append(f"({word})" if kind == "optional" else word)
    return " ".join(parts)


def marked_segments(seed, count):
    generator = random.Random(seed)
    for _ in range(count):
        yield " ".join(generator.choices("abcdx", k=generator.randint(1, 9))), written(generator, 2)


@needs_sclite
@pytest.mark.parametrize(
    ("make", "seed", "count"),
    [
        (segments, 1, 400),
        (marked_segments, 1, 400),
        pytest.param(segments, 2, 20_000, marks=pytest.mark.slow),
        pytest.param(marked_segments, 2, 20_000, marks=pytest.mark.slow),
    ],
)
def test_equals_sclite(tmp_path, make, seed, count):
    pairs = [*make(seed, count)]
    names = [f"s_{i:06d}" for i in range(len(pairs))]
    write_trn(tmp_path / "hyp.trn", [own for own, _ in pairs], names)
    write_trn(tmp_path / "ref.trn", [text for _, text in pairs], names)
    counts = segment_counts(tmp_path, "-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id", "-D")
    ours = METRIC.stats([own for own, _ in pairs], [text for _, text in pairs]).tolist()
    assert len(counts) == len(pairs)
    for name, pair, row in zip(names, pairs, ours, strict=True):
        assert row == counts[name], pair


@given(seed=st.integers(0, 2**32))
@examples(100)
def test_alternatives_equal_their_definition(seed):
    ((hypothesis, reference),) = marked_segments(seed, 1)
    expected = lattices.sclite_row(hypothesis.split(), reference)
    assert METRIC.segment(hypothesis, reference).row.tolist() == expected
    assert METRIC.stats([hypothesis], METRIC.prepare([reference])).tolist() == [expected]
    for settings in ({"normalize": "NFC"}, {"tokenizer": str.split}):
        assert refscore.WER.preset("sclite", **settings).segment(hypothesis, reference).row.tolist() == expected
    aligned = METRIC.alignment(hypothesis, reference)
    kinds = [edit.kind for edit in aligned]
    assert [kinds.count(kind) for kind in ("hit", "substitution", "deletion", "insertion")] == expected
    assert [edit.hypothesis for edit in aligned if edit.hypothesis is not None] == hypothesis.split()


def test_a_missing_optional_word_is_correct():
    assert METRIC.segment("a c", "a (b) c").row.tolist() == [3, 0, 0, 0]
    assert METRIC.segment("a c", "a {b / ()} c").row.tolist() == [3, 0, 0, 0]
    assert METRIC.segment("a c", "a {b / @} c").row.tolist() == [2, 0, 0, 0]
    assert METRIC.segment(["a", "c"], [["a", "(b)", "c"]]).row.tolist() == [3, 0, 0, 0]
    assert METRIC.alignment("a c", "a (b) c")[1] == ("hit", "b", None)
    view = refscore.alignments.alignment_view(["a c"], ["a (b) c"], METRIC)
    assert view.to_text().splitlines()[2:4] == ["REF: a b c", "HYP: a * c"]


def test_alternatives_need_no_compounds():
    with pytest.raises(refscore.SettingError, match="compounds='merge' cannot be used with alternatives"):
        refscore.WER(costs="sclite", compounds="merge", alternatives="nist")
    with pytest.raises(refscore.InputError, match=r'has a "\{" without a "\}"'):
        METRIC.segment("a", "{a / b")
