"""Edit distance by its complete table, and the alignment that is read from it backwards."""


def distances(reference, hypothesis):
    """Return table[i][j], the fewest edits from the first i reference tokens to the first j hypothesis tokens."""
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i in range(len(reference) + 1):
        for j in range(len(hypothesis) + 1):
            ways = [0] if i == j == 0 else []
            if i:
                ways.append(table[i - 1][j] + 1)
            if j:
                ways.append(table[i][j - 1] + 1)
            if i and j:
                ways.append(table[i - 1][j - 1] + (reference[i - 1] != hypothesis[j - 1]))
            table[i][j] = min(ways)
    return table


def common(left, right):
    size = 0
    while size < min(len(left), len(right)) and left[size] == right[size]:
        size += 1
    return size


def align(reference, hypothesis):
    """Return the kinds of edits in order, with rapidfuzz's choice among equals (for tables that it does not split).

    Equal tokens at the beginning are hits, then those at the end. In between, from the end: a deletion if it is
    optimal; else an insertion if the cell to the left is better than the diagonal one; else a pair.
    """
    start = common(reference, hypothesis)
    reference, hypothesis = reference[start:], hypothesis[start:]
    end = common(reference[::-1], hypothesis[::-1])
    reference, hypothesis = reference[: len(reference) - end], hypothesis[: len(hypothesis) - end]
    table = distances(reference, hypothesis)
    i, j = len(reference), len(hypothesis)
    edits = []
    while i or j:
        if i and (j == 0 or table[i][j] == table[i - 1][j] + 1):
            edits.append("deletion")
            i -= 1
        elif i == 0 or table[i][j - 1] < table[i - 1][j - 1]:
            edits.append("insertion")
            j -= 1
        else:
            i, j = i - 1, j - 1
            edits.append("hit" if reference[i] == hypothesis[j] else "substitution")
    return ["hit"] * start + edits[::-1] + ["hit"] * end


def row(hypothesis, references):
    """Return hits, substitutions, deletions, insertions of the reference with the lowest rate, the first of equals."""
    best = None
    for reference in references:
        edits = align(reference, hypothesis)
        counts = [edits.count(kind) for kind in ("hit", "substitution", "deletion", "insertion")]
        rate = sum(counts[1:]) / max(1, len(reference))
        if best is None or rate < best[0]:
            best = rate, counts
    return best[1]
