"""Error rates of meetings equal those of trying everything."""

import random
from functools import partial

import numpy as np
import pytest

from refscore import _native, meetings
from refscore.meetings import MEETING_METRICS
from refscore.meetings.sessions import Numbers, SessionSide
from refscore.meetings.utterances import parse_side
from tests.meetings.generated import METRICS, session, settings
from tests.reference import meetings as slow

pytestmark = pytest.mark.filterwarnings("ignore::refscore.meetings.MeetingWarning")


def words_of(metric, side, given, by):
    """The words of a side by speaker, stream or utterance, in order, with their times."""
    numbers = Numbers()
    indexes = [*range(len(given))]
    parts = SessionSide(parse_side(side, given), indexes).parts(
        metric, side, numbers, lambda utterance: utterance.words.split(), by=by
    )
    texts = {number: word for word, number in numbers.items()}
    return [
        [
            (texts[word], *(times if times else (None, None)))
            for word, times in zip(
                part.words,
                zip(part.begins, part.ends, strict=True) if part.begins else [None] * len(part.words),
                strict=True,
            )
        ]
        for part in parts.values()
    ]


@pytest.mark.parametrize("name", METRICS)
def test_generated(name):
    for seed in range(200, 260):
        reference, hypothesis = session(seed, most=5)
        ours = settings(seed, name)[0]
        metric = MEETING_METRICS[name](**ours)
        found = meetings.score(reference, hypothesis, metric, max_missing=1)["x"]
        by = ("speaker", "speaker") if metric.permutes else ("utterance", "stream")
        sides = [
            words_of(metric, side, given, key)
            for side, given, key in zip(("reference", "hypothesis"), (reference, hypothesis), by, strict=True)
        ]
        if metric.permutes:
            expected = slow.fewest_by_speakers(*sides)
        else:
            sides[0] = [utterance for utterance in sides[0] if utterance]
            expected = slow.fewest_by_utterances(sides[0], sides[1] or [[]])
        assert found.errors == expected, seed
        assert sum(len(part) for part in sides[0]) == found.length


def as_native(words):
    """One part of words with times."""
    numbers = np.array([word for word, _, _ in words], dtype=np.uint32)
    begins, ends = (np.array([word[k] for word in words], dtype=np.float64) for k in (1, 2))
    return _native.MeetingWords(numbers, np.array([len(words)]), begins, ends)


@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize("is_timed", [True, False])
def test_alignments(is_timed, is_sorted):
    generator = random.Random(f"{is_timed}{is_sorted}")

    def words(length):
        times = [generator.choice([0, 2, 5, -1, generator.random() * 20]) for _ in range(length)]
        if is_sorted:
            times = sorted(map(abs, times))
        sizes = [generator.choice([0, 1, 3]) for _ in range(length)]
        return [
            (generator.randint(1, 3), time, time + size) if is_timed else (generator.randint(1, 3), None, None)
            for time, size in zip(times, sizes, strict=True)
        ]

    for _ in range(100):
        reference, hypothesis = (words(generator.choice([0, 1, 2, 5, 9, 70])) for _ in range(2))
        timeless = [[(word, 0, 1) for word, _, _ in side] for side in (reference, hypothesis)]
        sides = [as_native(side) for side in ((reference, hypothesis) if is_timed else timeless)]
        [(_, counts)] = _native.assign_speakers(*sides, is_timed)
        assert [*counts] == slow.edits(reference, hypothesis)


@pytest.mark.parametrize("words", [63, 64, 65, 130, 300])
def test_long_utterances(words):
    """More words than bits of a machine word, and a memory that is too small for all tables."""
    generator = random.Random(words)
    text = [generator.choice("abcdefgh") for _ in range(words)]
    reference = [meetings.Utterance("x", "A", " ".join(text)), meetings.Utterance("x", "A", "a b a")]
    changed = [generator.choice("abcdefgh") if generator.random() < 0.3 else word for word in text]
    streams = [["a", "b", *changed], ["c", "a"]]
    hypothesis = [meetings.Utterance("x", k, " ".join(stream)) for k, stream in enumerate(streams)]
    utterances = [[(word, None, None) for word in utterance.words.split()] for utterance in reference]
    expected = slow.fewest_by_utterances(utterances, [[(word, None, None) for word in each] for each in streams])
    assert meetings.score(reference, hypothesis, "orcwer").errors == expected
    small = (words + 3) * 3 * 4 * 7
    assert meetings.score(reference, hypothesis, "orcwer", memory=small).errors == expected


def test_tables_in_parts():
    """With little memory, tables are computed again, with the same result."""
    for seed in range(20):
        generator = random.Random(seed)
        reference = [
            meetings.Utterance("x", "A", " ".join(generator.choices("ab", k=generator.randint(1, 4))), k, k + 1)
            for k in range(17)
        ]
        hypothesis = [
            meetings.Utterance("x", generator.randrange(3), " ".join(generator.choices("ab", k=2)), k, k + 2)
            for k in range(17)
        ]
        for name in ("orcwer", "tcorcwer"):
            run = partial(meetings.score, metric=name)
            whole = run(reference, hypothesis)["x"]
            memory = 1 << 12
            while memory < 1 << 24:
                try:
                    part = run(reference, hypothesis, memory=memory)["x"]
                    break
                except meetings.scoring.InputError:
                    memory = memory * 5 // 4
            assert part == whole


def test_orders_of_utterances():
    for seed in range(60):
        generator = random.Random(seed)

        def words(most, generator=generator):
            return generator.choices("abc", k=generator.randint(0, most))

        speakers = [[words(3) for _ in range(generator.randint(1, 3))] for _ in range(2)]
        streams = [words(6) for _ in range(generator.randint(1, 2))]
        reference = [meetings.Utterance("x", r, " ".join(said)) for r in range(2) for said in speakers[r]]
        hypothesis = [meetings.Utterance("x", h, " ".join(stream)) for h, stream in enumerate(streams)]
        timeless = [[[(word, None, None) for word in said] for said in part] for part in (*speakers, streams)]
        expected = slow.fewest_by_orders(timeless[:2], timeless[2])
        assert meetings.score(reference, hypothesis, "mimower").errors == expected, seed
        with pytest.raises(meetings.scoring.InputError, match="needs more than 0 MiB for MIMO-WER"):
            meetings.score([*reference, meetings.Utterance("x", 0, "a")], hypothesis, "mimower", memory=1)


@pytest.mark.parametrize("timed", ["", "tc"])
def test_greedy_assignments_are_no_better_than_the_best(timed):
    for seed in range(100):
        reference, hypothesis = session(seed, most=6)
        run = partial(meetings.score, reference, hypothesis, max_missing=1)
        best, greedy = run(metric=f"{timed}orcwer"), run(metric=f"greedy_{timed}orcwer")
        assert greedy.errors >= best.errors and greedy.length == best.length
        forgiving = run(metric="ditcpwer" if timed else "dicpwer")
        assert forgiving.length == best.length
        assert forgiving.total.insertions - forgiving.total.deletions == best.total.insertions - best.total.deletions
