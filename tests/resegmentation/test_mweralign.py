"""The cuts never cost more than those of mweralign, and with one reference they cost the same."""

import random
import re

import mweralign
import pytest

from refscore.resegmentation import resegment
from tests.reference.resegment import cut_costs


def peer_segments(hypothesis, references):
    """Return the segments of mweralign. It separates the references of a segment by ###."""
    lines = [" ### ".join(entry) for entry in references]
    return [line.split() for line in mweralign.align_texts("\n".join(lines), hypothesis).split("\n")]


def noisy(draw, words, vocabulary, rate):
    for word in words:
        if draw.random() < rate:
            yield from draw.choices(vocabulary, k=draw.randint(0, 2))
        else:
            yield word.upper() if draw.random() < 0.1 else word


@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize("rate", [0.0, 0.2, 0.6, 1.0])
def test_costs(capfd, references, rate):
    cheaper = 0
    for seed in range(12):
        draw = random.Random(seed)
        vocabulary = [f"w{number}" for number in range(draw.choice([3, 20, 200]))] + [".", ",", "?"]
        sentences = [draw.choices(vocabulary, k=draw.randint(1, 15)) for _ in range(draw.randint(1, 15))]
        entries = [
            [" ".join(noisy(draw, sentence, vocabulary, 0.3)) or "x" for _ in range(references - 1)]
            + [" ".join(sentence)]
            for sentence in sentences
        ]
        hypothesis = " ".join(word for sentence in sentences for word in noisy(draw, sentence, vocabulary, rate)) or "x"
        theirs = peer_segments(hypothesis, entries)
        assert [word for words in theirs for word in words] == hypothesis.split()
        ends = [sum(map(len, theirs[: index + 1])) for index in range(len(theirs))]
        tokens = [[reference.lower().split() for reference in entry] for entry in entries]
        their_cost = sum(cut_costs(hypothesis.lower().split(), tokens, ends))
        cut = resegment(hypothesis, entries)
        assert cut.cost <= their_cost
        cheaper += cut.cost < their_cost
        reported = float(re.findall(r"mWER\): (\S+)", capfd.readouterr().err)[-1])
        if references == 1:
            words = sum(len(entry[0]) for entry in tokens)
            assert reported == pytest.approx(100 * their_cost / words, rel=1e-4) or cut.cost < their_cost
    # mweralign counts the ends of segments, and padding to the longest reference, before the first hypothesis word.
    assert cheaper <= 3


def test_its_conventions(capfd):
    """Case is ignored in ASCII, and a word that no reference has belongs to the segment before it."""
    assert peer_segments("A B C", [["a b"], ["c"]]) == [["A", "B"], ["C"]]
    assert peer_segments("a b x c d", [["a b"], ["c d"]]) == [["a", "b", "x"], ["c", "d"]]
    assert resegment("a b x c d", ["a b", "c d"]).segments == ["a b x", "c d"]
    assert peer_segments("a b c d", [["a b"], [""], ["c d"]]) == [["a", "b"], [], ["c", "d"]]
    capfd.readouterr()
    peer_segments("\u00c9 b c d", [["\u00e9 b"], ["c d"]])
    assert "mWER): 25" in capfd.readouterr().err
    assert resegment("\u00c9 b c d", ["\u00e9 b", "c d"]).cost == 0
