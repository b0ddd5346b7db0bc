"""An evaluation of summaries, written for rouge-score, without any reference to refscore."""

import numpy as np
from rouge_score import rouge_scorer, scoring

targets = [
    "The council approved the new bridge.\nWork begins in spring.",
    "Heavy rain closed two schools on Monday.",
    "The museum will show maps of the old town.",
]
predictions = [
    "A new bridge was approved.\nThe work will begin in spring.",
    "Two schools closed because of the rain.",
    "Old maps are shown in the museum.",
]

scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=True)
aggregator = scoring.BootstrapAggregator()
for target, prediction in zip(targets, predictions):  # noqa: B905 - like typical scripts
    scores = scorer.score(target, prediction)
    aggregator.add_scores(scores)
    print(" ".join(f"{name} {score.fmeasure:.6f}" for name, score in scores.items()))

best = scorer.score_multi(targets, predictions[0])["rougeL"]
print(f"of several targets: P {best.precision:.6f} R {best.recall:.6f}")

np.random.seed(1)
for name, aggregate in aggregator.aggregate().items():
    print(f"{name} {aggregate.low.fmeasure:.6f} {aggregate.mid.fmeasure:.6f} {aggregate.high.fmeasure:.6f}")
