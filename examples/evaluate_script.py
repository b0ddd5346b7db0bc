"""Code written for Hugging Face's evaluate, without any reference to refscore.

Normally it downloads its modules. With refscore it needs no network:

python -c "from refscore import compat; compat.install('evaluate'); import runpy; \
runpy.run_path('examples/evaluate_script.py')"
"""

import evaluate

predictions = ["the cat is on the mat", "it rained all day long"]
references = [
    ["there is a cat on the mat", "a cat is on the mat"],
    ["it was raining all day long", "it rained all day"],
]

for name in ("bleu", "sacrebleu", "chrf", "ter"):
    metric = evaluate.load(name)
    print(name, metric.compute(predictions=predictions, references=references))

rouge = evaluate.load("rouge", seed=12345)
for prediction, texts in zip(predictions, references, strict=True):
    rouge.add(prediction=prediction, reference=texts)
print("rouge", {name: round(float(value), 4) for name, value in rouge.compute().items()})

wer = evaluate.load("wer")
wer.add_batch(predictions=predictions, references=[texts[0] for texts in references])
print("wer", wer.compute())
