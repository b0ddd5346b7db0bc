"""Code written for torchmetrics, without any reference to refscore. Needs `pip install torchmetrics`.

python examples/torchmetrics_script.py
python -c "from refscore import compat; compat.install('torchmetrics'); import runpy; \
runpy.run_path('examples/torchmetrics_script.py')"
"""

from torchmetrics import MetricCollection
from torchmetrics.functional.text import bleu_score, word_error_rate
from torchmetrics.text import BLEUScore, CHRFScore, ROUGEScore, SacreBLEUScore, TranslationEditRate

batches = [
    (
        ["the cat is on the mat", "it rained all day long"],
        [["there is a cat on the mat", "a cat is on the mat"], ["it was raining all day long"]],
    ),
    (["seven ferries leave at noon."], [["at noon, seven ferries leave.", "seven ferries depart at noon."]]),
]

metrics = MetricCollection(
    {
        "BLEU": BLEUScore(n_gram=2),
        "sacreBLEU": SacreBLEUScore(n_gram=2),
        "chrF++": CHRFScore(),
        "TER": TranslationEditRate(),
    }
)
rouge = ROUGEScore(rouge_keys=("rouge1", "rougeL"), use_stemmer=True)
for number, (predictions, targets) in enumerate(batches, 1):
    step = metrics(predictions, targets)
    rouge.update(predictions, targets)
    print(f"batch {number}:", ", ".join(f"{name} {value.item():.4f}" for name, value in step.items()))

print("all:", ", ".join(f"{name} {value.item():.4f}" for name, value in metrics.compute().items()))
print("ROUGE:", {name: round(value.item(), 4) for name, value in rouge.compute().items()})
print("BLEU of one:", bleu_score("the cat is on the mat", [["a cat is on the mat"]]))
print("WER:", word_error_rate(["a cat sat down"], ["the cat sat"]))
