"""Word errors with weights and compounds, by a complete table of cells."""

from difflib import SequenceMatcher


def counts(reference, hypothesis, *, weights=(1, 1), merges=False, order=("insertion", "deletion", "pair")):
    """Return hits, substitutions, deletions and insertions.

    `weights` are those of a substitution, and of a deletion or an insertion. Of steps with equal cost, a cell takes the
    first in `order`. With `merges`, words of one side whose joined text is a word of the other side are hits, if this
    costs less than all edits.
    """
    substitute, indel = weights
    table = [[None] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i in range(len(reference) + 1):
        for j in range(len(hypothesis) + 1):
            steps = {}
            if i == 0 or j == 0:
                table[i][j] = ((i + j) * indel, 0, i, j)
                continue
            cost, substitutions, deletions, insertions = table[i - 1][j - 1]
            differs = reference[i - 1] != hypothesis[j - 1]
            steps["pair"] = (cost + substitute * differs, substitutions + differs, deletions, insertions)
            cost, substitutions, deletions, insertions = table[i - 1][j]
            steps["deletion"] = (cost + indel, substitutions, deletions + 1, insertions)
            cost, substitutions, deletions, insertions = table[i][j - 1]
            steps["insertion"] = (cost + indel, substitutions, deletions, insertions + 1)
            candidates = [steps[name] for name in order]
            if merges:
                candidates += [
                    table[k][j - 1] for k in range(i - 1) if "".join(reference[k:i]) == hypothesis[j - 1]
                ] + [table[i - 1][k] for k in range(j - 1) if "".join(hypothesis[k:j]) == reference[i - 1]]
            table[i][j] = min(candidates, key=lambda cell: cell[0])  # the first of equals
    _, substitutions, deletions, insertions = table[-1][-1]
    return [len(reference) - substitutions - deletions, substitutions, deletions, insertions]


def joined(reference, hypothesis):
    """Join the words of each side in regions that differ only in spaces, as SequenceMatcher finds regions."""
    new = [], []
    for kind, i, i_end, j, j_end in SequenceMatcher(None, reference, hypothesis).get_opcodes():
        texts = "".join(reference[i:i_end]), "".join(hypothesis[j:j_end])
        joins = kind != "equal" and texts[0] == texts[1]
        new[0].extend([texts[0]] if joins else reference[i:i_end])
        new[1].extend([texts[1]] if joins else hypothesis[j:j_end])
    return new
