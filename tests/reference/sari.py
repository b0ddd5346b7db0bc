"""SARI by the definitions of four programs, each in its own words, with Counters of n-grams."""

from collections import Counter
from fractions import Fraction

ORDERS = range(1, 5)


def ngrams(tokens, order):
    tokens = tuple(tokens)
    return Counter(tokens[i : i + order] for i in range(len(tokens) - order + 1))


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision or recall else Fraction(0)


def share(part, whole, undefined):
    return Fraction(part) / whole if whole else Fraction(undefined)


def times(counter, factor):
    return Counter({ngram: factor * count for ngram, count in counter.items()})


def added(source, hypothesis, targets):
    """Return the n-grams added correctly, by the hypothesis, and by the references. Each counts once."""
    by_hypothesis, by_references = set(hypothesis) - set(source), set(targets) - set(source)
    return len(by_hypothesis & by_references), len(by_hypothesis), len(by_references)


# EASSE: sums of counts over the corpus; source and hypothesis count once per reference.


def easse_row(source, hypothesis, references):
    """Return for each order: correct, selected and relevant n-grams of keep, delete and add."""
    row = []
    for order in ORDERS:
        src, hyp = (times(ngrams(text, order), len(references)) for text in (source, hypothesis))
        refs = sum((ngrams(reference, order) for reference in references), Counter())
        pairs = (src & hyp, src & refs), (src - hyp, src - refs)
        for ours, theirs in pairs:
            row += [(ours & theirs).total(), ours.total(), theirs.total()]
        row += added(src, hyp, refs)
    return row


def easse_value(row, *, deletion="f1", paper=False):
    means = []
    for operation in range(3):
        cells = [row[9 * order + 3 * operation :][:3] for order in range(4)]
        precisions = [share(correct, selected, 0) for correct, selected, _ in cells]
        recalls = [share(correct, relevant, 0) for correct, _, relevant in cells]
        if operation == 1 and deletion == "precision":
            means.append(sum(precisions) / 4)
        elif paper:
            means.append(f1(sum(precisions) / 4, sum(recalls) / 4))
        else:
            means.append(sum(map(f1, precisions, recalls)) / 4)
    return float(sum(means) / 3)


# The script of the paper's authors, and evaluate, which changed 0/0 and the recall of kept n-grams.


def ratio_operations(source, hypothesis, references, *, undefined, keep_recall):
    """Return the scores of keep, delete and add of a segment."""
    # "".split(" ") has one token.
    source, hypothesis, *references = (list(text) or [("",)] for text in (source, hypothesis, *references))
    scores = []
    for order in ORDERS:
        src, hyp = (times(ngrams(text, order), len(references)) for text in (source, hypothesis))
        refs = sum((ngrams(reference, order) for reference in references), Counter())
        kept, wanted = src & hyp, src & refs
        good = kept & refs
        precision = share(sum(Fraction(good[ngram], kept[ngram]) for ngram in good), len(kept), undefined)
        if keep_recall == "counts":
            recall = share(good.total(), wanted.total(), undefined)
        else:
            recall = share(sum(Fraction(good[ngram], wanted[ngram]) for ngram in good), len(wanted), undefined)
        deleted = src - hyp
        rightly = deleted - refs
        deletion = share(sum(Fraction(rightly[ngram], deleted[ngram]) for ngram in rightly), len(deleted), undefined)
        correct, selected, relevant = added(src, hyp, refs)
        addition = f1(share(correct, selected, undefined), share(correct, relevant, undefined))
        scores.append((f1(precision, recall), deletion, addition))
    return [float(sum(column) / 4) for column in zip(*scores, strict=True)]


# tensor2tensor: sets of n-grams; each counts by the share of references that have it.


def set_operations(source, hypothesis, references):
    """Return the scores of keep, delete and add of a segment."""
    scores = []
    for order in ORDERS:
        src, hyp = set(ngrams(source, order)), set(ngrams(hypothesis, order))
        sets = [ngram_set for reference in references if (ngram_set := set(ngrams(reference, order)))]
        weight = {ngram: Fraction(sum(ngram in each for each in sets), len(sets)) for each in sets for ngram in each}
        kept = sum(weight.get(ngram, 0) for ngram in src & hyp)
        wanted = sum(weight.get(ngram, 0) for ngram in src)
        keep = f1(share(kept, len(src & hyp), 1), share(kept, wanted, 1))
        deletion = share(sum(1 - weight.get(ngram, 0) for ngram in src - hyp), len(src - hyp), 1)
        correct, selected, relevant = added(src, hyp, weight)
        addition = f1(share(correct, selected, 1), share(correct, relevant, 1))
        scores.append((keep, deletion, addition))
    return [float(sum(column) / 4) for column in zip(*scores, strict=True)]
