"""Edit similarity by the definition, with the complete table of edits."""


def distance(one, other):
    row = [*range(len(other) + 1)]
    for i, left in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


def row(hypothesis, references, *, threshold=0.0, at_threshold="zero", both_empty="one"):
    """Return the row of the most similar reference, the first of equals."""
    best = None
    for reference in references:
        edits, longer = distance(list(hypothesis), list(reference)), max(len(hypothesis), len(reference))
        share = edits / longer if longer else 0.0
        if best is None or share < best[0]:
            best = share, edits, longer
    share, edits, longer = best
    if both_empty == "skip" and not longer:
        return [0.0, 0.0, 0.0, 0.0]
    counts = not threshold or (1 - share >= threshold if at_threshold == "count" else share < 1 - threshold)
    return [1 - share if counts else 0.0, float(edits), float(longer), 1.0]


def value(row, *, average="segments"):
    similarity, edits, longer, segments = row
    if average == "segments":
        return similarity / segments if segments else 1.0
    return 1 - edits / longer if longer else 1.0
