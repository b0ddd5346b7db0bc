"""Choose the best of several sampled translations, for each line of a JSON Lines file."""

import json
from pathlib import Path

from refscore import mbr

path = Path(__file__).parent / "candidates.jsonl"
items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
groups = [[sample["text"] for sample in item["samples"]] for item in items]

# All groups at once. Each candidate is compared with all samples of its source, with equal weights.
for item, texts, choice in zip(items, groups, mbr.choose(groups, metric="chrf"), strict=True):
    print(f"{item['id']:8} {texts[choice.best]}")
    likeliest = max(range(len(texts)), key=lambda i: item["samples"][i]["logprob"])
    if choice.best != likeliest:
        print(f"         rather than the likeliest: {texts[likeliest]}")

# If the candidates come from a beam search instead of sampling, weight each by its probability.
logarithms = [[sample["logprob"] for sample in item["samples"]] for item in items]
weighted = mbr.choose(groups, metric="bleu", log_probabilities=logarithms)
print(
    "by BLEU, weighted:", ", ".join(f"{item['id']} {choice.best}" for item, choice in zip(items, weighted, strict=True))
)

# For thousands of candidates: score each only once, with the mean of all.
quick = mbr.choose(groups, metric="chrf", aggregate=True)
print("aggregated:       ", ", ".join(f"{item['id']} {choice.best}" for item, choice in zip(items, quick, strict=True)))
