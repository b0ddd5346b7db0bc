"""Generated sessions: few words that repeat, speakers without words, overlaps, points in time, unequal numbers."""

import random
from decimal import Decimal

TIMINGS = (
    *("character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment"),
)
METRICS = ("cpwer", "orcwer", "tcpwer", "tcorcwer")
GREEDY = ("greedy_orcwer", "dicpwer", "greedy_tcorcwer", "ditcpwer")
ALL_METRICS = (*METRICS, *GREEDY, "mimower")
TIMED = ("tcpwer", "tcorcwer", "greedy_tcorcwer", "ditcpwer")
VOCABULARIES = (["a"], ["a", "b"], ["a", "bb", "ccc", "dddd", "e"], ["猫", "é", "e\u0301", "🙂", "a\0b"])


def session(seed, *, most=7, session_id="x"):
    """Reference and hypothesis of a session, as dictionaries."""
    generator = random.Random(seed)
    vocabulary = generator.choice(VOCABULARIES)

    def side(least):
        speakers = generator.randint(1, 4)
        return [utterance(speakers) for _ in range(generator.randint(least, most))]

    def utterance(speakers):
        start = generator.choice([0, 1, 2, generator.randint(0, 40), round(generator.random() * 40, 3)])
        length = generator.choice([0, 1, round(generator.random() * 5, 2), round(generator.random() * 20, 3)])
        words = generator.choices(vocabulary, k=generator.choice([0, 1, 1, 2, 3, 5, 8]))
        return {
            "session_id": session_id,
            "speaker": f"s{generator.randrange(speakers)}",
            "start_time": start,
            "end_time": round(start + length, 3),
            "words": " ".join(words),
        }

    return side(1), side(0)


def as_decimals(utterances):
    """The utterances with times as in a file: decimal numbers."""
    times = ("start_time", "end_time")
    return [{**utterance, **{name: Decimal(str(utterance[name])) for name in times}} for utterance in utterances]


def settings(seed, metric):
    """Settings of a metric as refscore and as meeteval name them. In meeteval, the order "none" is False."""
    if metric not in TIMED:
        return {}, {}
    generator = random.Random(seed)
    collar = generator.choice([0, 1, 2, 5])
    timings = [generator.choice(TIMINGS) for _ in range(2)]
    sorts = [generator.choice(["segment", "segment", "word", "none"]) for _ in range(2)]
    if metric == "tcorcwer":
        sorts[0] = "segment"
    if metric in GREEDY:
        sorts = ["segment" if sort == "word" else sort for sort in sorts]
    ours = dict(zip(("reference_timing", "hypothesis_timing"), timings, strict=True))
    theirs = dict(zip(("ref_pseudo_word_timing", "hyp_pseudo_word_timing"), timings, strict=True))
    names = ("reference_sort", "hypothesis_sort")
    return (
        {"collar": collar, **ours, **dict(zip(names, sorts, strict=True))},
        {"collar": collar, **theirs, **{n: False if s == "none" else s for n, s in zip(names, sorts, strict=True)}},
    )


def has_empty_stream(hypothesis):
    """Whether a speaker of the hypothesis has no words, for which meeteval's ORC-WER is not the lowest."""
    return any(not " ".join(texts).split() for texts in by_speaker(hypothesis).values())


def by_speaker(utterances):
    speakers = {}
    for utterance in utterances:
        speakers.setdefault(utterance["speaker"], []).append(utterance["words"])
    return speakers
