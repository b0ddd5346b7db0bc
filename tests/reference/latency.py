"""Latencies of an instance by their definitions, with lists of all tokens."""


def lagging(times, source, target):
    if times[0] > source:
        return times[0]
    lags = []
    for index, time in enumerate(times):
        lags.append(time - index * source / target)
        if time >= source:
            break
    return sum(lags) / len(lags)


def differentiable(times, source):
    step = source / len(times)
    moved = [times[0]]
    for time in times[1:]:
        moved.append(max(time, moved[-1] + step))
    return sum(time - index * step for index, time in enumerate(moved)) / len(times)


def token_delay(delays, elapsed):
    """Return ATD of speech to text."""
    ends, chunks, known = [0], [], []
    for delay in delays:
        if delay in known:
            continue
        left = delay - (known[-1] if known else 0)
        known.append(delay)
        sizes = []
        while left >= 300:
            sizes.append(300)
            left -= 300
        sizes += [left] * (left > 0)
        for size in sizes:
            ends.append(ends[-1] + size)
        chunks.append(len(sizes))
    spent, last, lags = 0, 0, []
    for index, (delay, time) in enumerate(zip(delays, elapsed, strict=True)):
        last = max(delay, last) + (time - delay) - spent
        spent = time - delay
        chunk = known.index(delay)
        written = sum(other < delay for other in delays)
        token = index + 1 - max(0, written - sum(chunks[:chunk]))
        lags.append(last - ends[min(token, sum(chunks[: chunk + 1]))])
    return sum(lags) / len(lags)


def latency(measure, clock, line):
    """Return the latency of an instance with sorted delays, or None."""
    delays = line["delays"]
    times = line["elapsed"] if clock == "elapsed" else delays
    if not times:
        return None
    source, target = line["source_length"], len(line["reference"].split(" "))
    if measure in ("al", "laal"):
        return lagging(times, source, target if measure == "al" else max(target, len(times)))
    if measure == "ap":
        return sum(times) / source / target
    return differentiable(times, source) if measure == "dal" else token_delay(delays, times)
