"""Re-segmentation by definition: a table over all cuts, with the edit distance of each piece."""

from functools import cache


def edit_distance(hypothesis, reference):
    row = [*range(len(hypothesis) + 1)]
    for token in reference:
        diagonal, row[0] = row[0], row[0] + 1
        for j, other in enumerate(hypothesis, 1):
            pair = diagonal + (token != other)
            diagonal = row[j]
            row[j] = min(pair, row[j] + 1, row[j - 1] + 1)
    return row[-1]


def piece_cost(piece, references):
    return min(edit_distance(piece, reference) for reference in references)


def cut_costs(hypothesis, references, ends):
    """Return the cost of each segment. `references` has the token sequences of each segment."""
    return [
        piece_cost(hypothesis[begin:end], entry)
        for begin, end, entry in zip([0, *ends], ends, references, strict=False)
    ]


def best_cuts(hypothesis, references, allowed=None, ties="latest"):
    """Return the ends of all segments: of the cuts with the least cost, the latest (from the last) or the earliest.

    `allowed` are the positions where a cut may be; by default all of them.
    """
    size, count = len(hypothesis), len(references)
    allowed = {*range(size + 1)} if allowed is None else {*allowed, 0, size}

    @cache
    def cost(begin, end, segment):
        return piece_cost(hypothesis[begin:end], references[segment])

    @cache
    def until(segment, end):
        """Return the least cost of the segments before `segment` on the tokens before `end`."""
        if segment == 0:
            return 0 if end == 0 else float("inf")
        return min(until(segment - 1, a) + cost(a, end, segment - 1) for a in range(end + 1) if a in allowed)

    @cache
    def since(segment, begin):
        if segment == count:
            return 0 if begin == size else float("inf")
        return min(cost(begin, b, segment) + since(segment + 1, b) for b in range(begin, size + 1) if b in allowed)

    if not count:
        return []
    ends = [size] * count
    if ties == "latest":
        for s in range(count - 1, 0, -1):
            wanted = until(s + 1, ends[s])
            ends[s - 1] = max(
                a for a in range(ends[s] + 1) if a in allowed and until(s, a) + cost(a, ends[s], s) == wanted
            )
    else:
        for s in range(count - 1):
            begin = ends[s - 1] if s else 0
            ends[s] = min(
                b
                for b in range(begin, size + 1)
                if b in allowed and cost(begin, b, s) + since(s + 1, b) == since(s, begin)
            )
    return ends
