"""A script written for NLTK, without any reference to refscore.

Run it as it is, or on refscore:

    python -c "from refscore.compat import install; install('nltk'); exec(open('examples/nltk_script.py').read())"
"""

import warnings

from nltk.translate import bleu, chrf, gleu, meteor, nist, ribes
from nltk.translate.bleu_score import Fraction, SmoothingFunction, corpus_bleu, modified_precision, sentence_bleu
from nltk.translate.chrf_score import corpus_chrf
from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.meteor_score import align_words, single_meteor_score
from nltk.translate.nist_score import corpus_nist, sentence_nist
from nltk.translate.ribes_score import corpus_ribes, kendall_tau, word_rank_alignment

warnings.simplefilter("ignore")  # about scores close to 0


def words(text):
    """Split text at spaces."""
    return text.split()


class Lemma:
    """One word of a group."""

    def __init__(self, word):
        self.word = word

    def name(self):
        """Return the word."""
        return self.word


class Thesaurus:
    """A replacement for WordNet, which must be downloaded: three groups of words."""

    groups = (("boy", "lad"), ("book", "volum", "volume"), ("quick", "fast"))

    def synsets(self, word):
        """Return the groups that contain the word."""
        return [Synset(group) for group in self.groups if word in group]


class Synset:
    """One group of words."""

    def __init__(self, group):
        self.group = group

    def lemmas(self):
        """Return the words."""
        return [Lemma(word) for word in self.group]


def halved(p_n, references, hypothesis, hyp_len, **others):
    """Smooth: an order without matches counts half as much as the order below."""
    smoothed = []
    for p in p_n:
        below = smoothed[-1] if smoothed else 1
        smoothed.append(p if p.numerator else Fraction(1, 2 * p.denominator, _normalize=False) * below)
    return smoothed


hypotheses = [words("the book was read by the boy"), words("Bob hit John yesterday"), words("a quick brown fox jumps")]
references = [
    [words("the lad read the book"), words("the volume was read by the boys")],
    [words("John hit Bob yesterday")],
    [words("the fast brown fox jumped"), words("a quick fox jumps high")],
]

print("BLEU of the corpus", round(corpus_bleu(references, hypotheses), 10))
for method in range(8):
    smooth = getattr(SmoothingFunction(epsilon=0.2), f"method{method}")
    try:
        print(f"method {method}", round(corpus_bleu(references[:2], hypotheses[:2], smoothing_function=smooth), 10))
    except AssertionError:
        print(f"method {method} does not apply")
print("our own", round(sentence_bleu(references[1], hypotheses[1], (0.4, 0.3, 0.2, 0.1), halved), 10))
print("two weights", [round(value, 10) for value in corpus_bleu(references, hypotheses, [(1.0,), (0.5, 0.5)])])
print("precision", modified_precision(references[2], hypotheses[2], 2))
print("GLEU", round(corpus_gleu(references, hypotheses), 10), round(corpus_gleu(references, hypotheses, 2, 3), 10))
print("NIST", round(corpus_nist(references, hypotheses), 10), round(corpus_nist(references, hypotheses, n=2), 10))
first = [group[0] for group in references]
print("chrF", round(corpus_chrf(first, hypotheses), 10), round(corpus_chrf(first, hypotheses, 2, 4, beta=1), 10))
print("RIBES", round(corpus_ribes(references, hypotheses), 10))
worder = word_rank_alignment(references[0][1], hypotheses[0])
print("order", worder, round(kendall_tau(worder), 10))
for hypothesis, group in zip(hypotheses, references, strict=True):
    scores = [bleu(group, hypothesis), gleu(group, hypothesis), ribes(group, hypothesis)]
    scores += [chrf(group[0], hypothesis), nist(group, hypothesis, 3), meteor(group, hypothesis, wordnet=Thesaurus())]
    print(" ".join(f"{score:.8f}" for score in scores))
print("METEOR", round(single_meteor_score(references[0][0], hypotheses[0], wordnet=Thesaurus(), alpha=0.5), 10))
print("aligned", align_words(hypotheses[0], references[0][1], wordnet=Thesaurus()))
try:
    sentence_nist([words("too short")], words("too short"))
except ZeroDivisionError:
    print("too short for NIST")
