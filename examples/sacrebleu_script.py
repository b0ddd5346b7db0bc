"""Code written for sacrebleu: one system, several systems, single sentences, a paired test."""

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

references = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first.", "Nobody else was hurt."],
    ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog.", "No one else was hurt."],
]
before = ["A dog bit a man.", "It wasn't surprising.", "The man had just bitten him.", "Nobody hurt."]
after = ["The dog bit the man.", "It was not surprising.", "The man had bitten him first.", "Nobody else was hurt."]

print(sacrebleu.corpus_bleu(before, references))
print(sacrebleu.corpus_chrf(before, references, word_order=2).format(width=1))

for metric in (BLEU(references=references), CHRF(references=references), TER(references=references)):
    for system in (before, after):
        print(metric.corpus_score(system, None).format(signature=metric.get_signature().format(short=True)))

bleu = BLEU()
print(bleu.corpus_score(before, references, n_bootstrap=1000).format(width=1, signature=str(bleu.get_signature())))

for hypothesis, *texts in zip(before, *references, strict=True):
    score = sacrebleu.sentence_bleu(hypothesis, texts)
    print(f"{score.score:6.2f} {score.counts} {score.totals} {score.bp:.3f} {score.prec_str}  {hypothesis}")

test = PairedTest([("before", before), ("after", after)], {"BLEU": BLEU()}, references, test_type="bs", n_samples=1000)
signatures, results = test()
for name, result in zip(results["System"], results["BLEU"], strict=True):
    p = "" if result.p_value is None else f" p = {result.p_value:.3f}"
    print(f"{name:6} {result.score:.2f} {result.mean:.2f} ± {result.ci:.2f}{p}")
print(signatures["BLEU"])
