"""Error rates of diarization, by trying all mappings of speakers, second by second. All times are whole seconds."""

import itertools


def seconds(side, speaker, time):
    """How many turns of a speaker include the second that begins at a time."""
    return sum(turn.start_time <= time < turn.end_time for turn in side if turn.speaker == speaker)


def mappings(reference, hypothesis):
    """All mappings from reference to hypothesis speakers, with None for no speaker."""
    padded = [*hypothesis, *[None] * len(reference)]
    return {tuple(chosen) for chosen in itertools.permutations(padded, len(reference))}


def scored_seconds(reference, regions, collar, skip_overlap):
    names = {turn.speaker for turn in reference}
    bounds = [time for turn in reference for time in (turn.start_time, turn.end_time)]
    for begin, end in regions:
        for time in range(begin, end):
            near = any(bound - collar <= time < bound + collar for bound in bounds)
            if not near and not (skip_overlap and sum(seconds(reference, name, time) > 0 for name in names) > 1):
                yield time


def table(side, names, times):
    return {name: [seconds(side, name, time) > 0 for time in times] for name in names}


def shared(spoken, heard):
    return sum(a and b for a, b in zip(spoken, heard, strict=True))


def der(reference, hypothesis, regions, *, collar=0, skip_overlap=False):
    """The missed, false and confused seconds and the scored ones, of the mapping with the fewest confused ones."""
    times = [*scored_seconds(reference, regions, collar, skip_overlap)]
    names = [sorted({turn.speaker for turn in side}) for side in (reference, hypothesis)]
    spoken, heard = (table(side, own, times) for side, own in zip((reference, hypothesis), names, strict=True))
    counts = [(sum(spoken[n][k] for n in spoken), sum(heard[n][k] for n in heard)) for k in range(len(times))]
    most = max(
        sum(shared(spoken[r], heard[h]) for r, h in zip(names[0], mapping, strict=True) if h is not None)
        for mapping in mappings(*names)
    )
    return [
        sum(max(r - h, 0) for r, h in counts),
        sum(max(h - r, 0) for r, h in counts),
        sum(min(r, h) for r, h in counts) - most,
        sum(r for r, _ in counts),
    ]


def jer(reference, hypothesis, regions):
    """The lowest sum of Jaccard errors, and the number of speakers."""
    times = [*scored_seconds(reference, regions, 0, False)]
    names = [sorted({turn.speaker for turn in side}) for side in (reference, hypothesis)]
    spoken, heard = (table(side, own, times) for side, own in zip((reference, hypothesis), names, strict=True))
    scored = [name for name in names[0] if any(spoken[name])]

    def error(r, h):
        if h is None:
            return 1
        either = sum(a or b for a, b in zip(spoken[r], heard[h], strict=True))
        return 1 - shared(spoken[r], heard[h]) / either if either else 1

    return min(
        sum(error(r, h) for r, h in zip(scored, mapping, strict=True)) for mapping in mappings(scored, names[1])
    ), len(scored)
