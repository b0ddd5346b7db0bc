"""Code written for NLTK's BLEU and RIBES, run on refscore. Needs `pip install nltk`."""

from refscore import compat

compat.install("nltk")  # from now on, NLTK's functions are refscore's; compat.uninstall("nltk") reverts this

from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu  # noqa: E402
from nltk.translate.ribes_score import corpus_ribes  # noqa: E402

texts = ["the book was read by the boy", "Bob hit John yesterday"]
reference_texts = [["the boy read the book"], ["John hit Bob yesterday", "yesterday John was hit by Bob"]]
hypotheses = [text.split() for text in texts]
references = [[text.split() for text in group] for group in reference_texts]

print(f"BLEU  {corpus_bleu(references, hypotheses, smoothing_function=SmoothingFunction().method1):.4f}")
print(f"RIBES {corpus_ribes(references, hypotheses):.4f}")

# The same without NLTK, and with the counts of NLTK 3.9.1: only words that are adjacent in both sentences.
from refscore.compat import nltk as drop_in  # noqa: E402

print(f"RIBES {drop_in.corpus_ribes(references, hypotheses, version='3.9.1'):.4f} as in NLTK 3.9.1")
