"""Words in texts and correct n-grams of systems, compared with simple counting."""

import functools
import operator
import random
import re
from collections import Counter

import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.report.segment_browser import word_edits
from refscore.report.word_statistics import FREQUENCIES, ORDERS, ShownWords, analyze, number_words, word_offsets
from refscore.tokenizers import tokenize

SPACES = " \t\n\r\x0b\x0c"


def read_back(text, places):
    """Return the words of a text as the page reads them: by UTF-16 units."""
    if isinstance(places, list):
        return places
    units = text.encode("utf-16-le", "surrogatepass")
    length = len(units) // 2
    inner = {int(place) for place in places.split()}
    words, word = [], b""
    for place in range(length):
        unit = units[2 * place : 2 * place + 2]
        space = unit in [space.encode("utf-16-le") for space in SPACES]
        if word and (space or place in inner):
            words.append(word)
            word = b""
        if not space:
            word += unit
    return [found.decode("utf-16-le", "surrogatepass") for found in [*words, *([word] if word else [])]]


@pytest.mark.parametrize("tokenizer", ["13a", "none", "intl", "zh", "char", "graphemes", "char-spaces"])
def test_words_are_read_back(tokenizer):
    texts = [
        "",
        "He said: no.",
        " a  b ",
        "我喜欢 tea。",
        "😀a, b😀.",
        "&quot;x&quot; &amp;",
        "nbsp\xa0here",
        "tab\there\n",
    ]
    for text in [*texts, "x" * 300]:
        words = tokenize(text, tokenizer)
        assert read_back(text, word_offsets(text, words)) == words


@given(st.text(max_size=30))
def test_words_of_any_text_are_read_back(text):
    if any("\ud800" <= char <= "\udfff" for char in text):
        return  # adjacent halves would be read as one character
    for tokenizer in ("13a", "none", "char"):
        words = tokenize(text, tokenizer)
        assert read_back(text, word_offsets(text, words)) == words


def texts(seed, segments=30, systems=3, references=2):
    rng = random.Random(seed)

    def text():
        return [rng.choice("abcdefgh") for _ in range(rng.randrange(0, 9))]

    shown = ShownWords(
        [[text() for _ in range(rng.randrange(1, references + 1))] for _ in range(segments)],
        [[text() for _ in range(systems)] for _ in range(segments)],
        False,
    )
    # Systems that copy get some n-grams right.
    for entry, outputs in zip(shown.references, shown.outputs, strict=True):
        for system in range(systems):
            if rng.random() < 0.3 * system:
                outputs[system] = list(entry[0])
    return shown


def grams(words, order):
    return Counter(tuple(words[k : k + order]) for k in range(len(words) - order + 1))


def most_grams(references, order):
    return functools.reduce(operator.or_, (grams(words, order) for words in references))


def right(shown, system, order):
    """Count one by one how often a system has each n-gram right."""
    found = Counter()
    for entry, outputs in zip(shown.references, shown.outputs, strict=True):
        found += grams(outputs[system], order) & most_grams(entry, order)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_contrasts(seed):
    shown = texts(seed)
    _, contrasts = analyze(number_words(shown), 3)
    counts = {(system, order): right(shown, system, order) for system in range(3) for order in range(1, ORDERS + 1)}
    assert set(contrasts) == {(0, 1), (0, 2), (1, 2)}
    listed = 0
    for (a, b), contrast in contrasts.items():
        for side, sign in ((contrast.first, 1), (contrast.second, -1)):
            weights = [abs(gram.first - gram.second) / (gram.first + gram.second) ** 0.5 for gram in side]
            assert weights == sorted(weights, reverse=True)
            for gram in side:
                order = len(gram.words)
                assert (gram.first, gram.second) == (counts[a, order][gram.words], counts[b, order][gram.words])
                assert sign * (gram.first - gram.second) >= 2
                listed += 1
    assert listed


@pytest.mark.parametrize("seed", range(3))
def test_frequencies(seed):
    shown = texts(seed)
    found, _ = analyze(number_words(shown), 3)
    total = Counter(word for entry in shown.references for words in entry for word in words)
    wanted = sum((most_grams(entry, 1) for entry in shown.references), Counter())
    following = dict(zip(FREQUENCIES, [*FREQUENCIES[1:], float("inf")], strict=True))
    for index, (low, _) in enumerate(found.buckets):
        words = [word for word in total if low <= total[word] < following[low]]
        assert found.words[index] == len(words)
        for system in range(3):
            matched = sum(right(shown, system, 1)[(word,)] for word in words)
            produced = sum(outputs[system].count(word) for outputs in shown.outputs for word in words)
            expected = sum(wanted[(word,)] for word in words)
            assert found.f1[system][index] == pytest.approx(200 * matched / (produced + expected))


def test_no_words_at_all():
    found, contrasts = analyze(number_words(ShownWords([[[]]], [[[], []]], False)), 2)
    assert found.buckets == ()
    assert contrasts[0, 1].first == contrasts[0, 1].second == ()


def test_case_is_left_out_where_the_metric_does_so():
    shown = ShownWords([[["The", "cat"]]] * 2, [[["the", "CAT"], ["x"]]] * 2, True)
    _, contrasts = analyze(number_words(shown), 2)
    assert contrasts[0, 1].first[0].words == ("the", "cat")


@pytest.mark.parametrize("seed", range(3))
def test_edits_are_those_of_the_nearest_reference(seed):
    shown = texts(seed)
    metric = refscore.TER(lowercase=False)
    letters = {"hit": "=", "substitution": "s", "deletion": "i", "insertion": "d"}
    found = iter(word_edits(shown.references, shown.outputs))
    for entry, outputs in zip(shown.references, shown.outputs, strict=True):
        for words in outputs:
            reference, runs, moves = next(found).split(";")
            alignments = [metric.alignment(words, other) for other in entry]
            counts = [len(one.shifts) + sum(edit.kind != "hit" for edit in one.edits) for one in alignments]
            nearest = alignments[int(reference)]
            assert counts[int(reference)] == min(counts)
            spelled = "".join(letters[edit.kind] for edit in nearest.edits)
            assert "".join(kind * int(times) for times, kind in re.findall(r"(\d+)(\D)", runs)) == spelled
            assert moves == ",".join(f"{move.begin},{len(move.words)},{move.to}" for move in nearest.shifts)


def test_numbered_words_are_checked():
    with pytest.raises(refscore.InputError):
        refscore.TER().operations([0, 2], [1], 2)
