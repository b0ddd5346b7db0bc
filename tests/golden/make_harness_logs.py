"""Run evaluation harnesses on small models and tasks, and store their logs in tests/golden/harness_logs.

    pip install lm_eval==0.4.13 inspect_ai==0.3.285 lighteval==0.13.0 crfm-helm==0.5.16
    python -m tests.golden.make_harness_logs

lm_eval and inspect_ai run whole evaluations, of a model that answers at random and of one with fixed answers. lighteval
and HELM need a model from a hub, so their own loggers and classes write the scores of fixed answers. Only lines about
the machine are left out. tests/readers/test_harness_logs.py compares the logs with the results in them.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

FOLDER = Path(__file__).with_name("harness_logs")
ANSWERS = [
    ("When does the ferry leave?", "at seven", "at seven", "It leaves at seven."),
    ("How long did it rain?", "three days", "three weeks", "three days"),
    ("What sank?", "the boat", "the boat", "the boat"),
    ("What is on the hill?", "a church", "a barn", "a barn"),
    ("Who barked?", "a dog", "a cat", "a dog"),
    ("Where is the key?", "under the mat", "under the mat", "under a mat"),
]
TASK = """\
task: choices
dataset_path: json
dataset_kwargs:
  data_files: {test: choices.jsonl}
test_split: test
output_type: multiple_choice
doc_to_text: "{{question}}"
doc_to_target: "{{label}}"
doc_to_choice: "{{options}}"
metric_list:
  - metric: acc
  - metric: acc_norm
"""
ANSWER_TASK = """\
task: answers
dataset_path: json
dataset_kwargs:
  data_files: {test: choices.jsonl}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{options[0]}}"
metric_list:
  - metric: exact_match
  - metric: bleu
  - metric: ter
filter_list:
  - name: whole
    filter: [{function: take_first}]
  - name: lower
    filter: [{function: lowercase}, {function: take_first}]
"""


def lm_eval(folder):
    """Run lm_eval's dummy model on two tasks, with two seeds; the second run leaves out a sample."""
    Path(folder, "choices.yaml").write_text(TASK)
    Path(folder, "answers.yaml").write_text(ANSWER_TASK)
    lines = [
        json.dumps({"question": question, "options": [right, "never", "nobody"], "label": number % 3})
        for number, (question, right, _, _) in enumerate(ANSWERS * 4)
    ]
    Path(folder, "choices.jsonl").write_text("\n".join(lines))
    for name, options in {"old": ["--seed", "1"], "new": ["--seed", "2", "--limit", "23"]}.items():
        command = [sys.executable, "-m", "lm_eval", "--model", "dummy", "--include_path", ".", *options]
        command += ["--tasks", "choices,answers", "--log_samples", "--output_path", f"out-{name}"]
        subprocess.run(command, cwd=folder, check=True, env={**os.environ, "HF_HUB_OFFLINE": "1"})
        for file in Path(folder, f"out-{name}").rglob("*.json*"):
            text = file.read_text()
            if file.name.startswith("results_"):
                kept = {key: json.loads(text)[key] for key in ("results", "higher_is_better", "lm_eval_version")}
                text = json.dumps(kept, indent=1)
            target = FOLDER / "lm_eval" / name / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)


def inspect(folder):
    """Run inspect_ai with fixed answers. The second system has two epochs, and answers in one like the first."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import f1, includes

    def model(place):
        asked = set()

        def answer(messages, *_):
            (answers,) = (each for each in ANSWERS if each[0] == messages[-1].text)
            result = ModelOutput.from_content("mockllm/model", answers[2 if answers in asked else place])
            result.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            asked.add(answers)
            return result

        return get_model("mockllm/model", custom_outputs=answer, memoize=False)

    samples = [Sample(id=f"q{n}", input=question, target=right) for n, (question, right, _, _) in enumerate(ANSWERS)]
    task = Task(dataset=samples, scorer=[includes(), f1()], name="quiz")
    for name, place, epochs in (("old", 2, 1), ("new", 3, 2)):
        where = {"log_dir": f"{folder}/{name}", "log_format": "json", "display": "none"}
        eval(task, model=model(place), max_connections=1, max_samples=1, epochs=epochs, **where)
        (file,) = Path(folder, name).glob("*.json")
        log = json.loads(file.read_text())
        for sample in log["samples"]:
            sample.pop("events", None)  # 6,000 characters per sample, with times
        FOLDER.joinpath(f"inspect_{name}.json").write_text(json.dumps(log, indent=1))


def lighteval(folder):
    """Save details by lighteval's tracker, with its exact match and F1 of fixed answers."""
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.metrics.metrics_sample import ExactMatches, F1_score
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    for name, place in (("old", 2), ("new", 3)):
        tracker = EvaluationTracker(output_dir=f"{folder}/{name}", save_details=True)
        tracker.general_config_logger.model_name = "fixed"
        details = []
        for number, answers in enumerate(ANSWERS):
            doc = Doc(query=answers[0], choices=[answers[1]], gold_index=0, id=str(number), task_name="quiz")
            response = ModelResponse(text=[answers[place]])
            metric = {"em": ExactMatches().compute(doc, response), "f1": F1_score().compute(doc, response)}
            details.append(tracker.details_logger.Detail(doc, response, metric))
        tracker.details_logger.details["quiz"] = details
        from datasets import Dataset

        Dataset.from_list([asdict(detail) for detail in details]).to_parquet(FOLDER / f"lighteval_{name}.parquet")


def helm(folder):
    """Write statistics of samples with HELM's classes, in two trials, some with a perturbation."""
    from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
    from helm.benchmark.metrics.metric import PerInstanceStats
    from helm.benchmark.metrics.metric_name import MetricName
    from helm.benchmark.metrics.statistic import Stat
    from helm.common.general import asdict_without_nones

    for name, place in (("old", 2), ("new", 3)):
        items = []
        for trial in range(2):
            for number, answers in enumerate(ANSWERS):
                for typos in (None, PerturbationDescription(name="typos", robustness=True))[: 1 + (number < 2)]:
                    right = answers[place] == answers[1]
                    stats = [
                        Stat(MetricName("exact_match", split="test", perturbation=typos)).add(right and not typos),
                        Stat(MetricName("num_output_tokens", split="test", perturbation=typos)).add(trial + 3),
                    ]
                    items.append(PerInstanceStats(f"id{number}", typos, trial, stats))
        path = FOLDER / f"helm_{name}" / "per_instance_stats.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([asdict_without_nones(item) for item in items], indent=1))


def main():
    FOLDER.mkdir(exist_ok=True)
    for run in (lm_eval, inspect, lighteval, helm):
        with tempfile.TemporaryDirectory() as folder:
            run(folder)
    names = ("lm_eval", "inspect_ai", "lighteval", "crfm-helm")
    content = {"tool": {name: _version(name) for name in names}, "command": "python -m tests.golden.make_harness_logs"}
    FOLDER.joinpath("versions.json").write_text(json.dumps(content, indent=1) + "\n")


def _version(name):
    return importlib.metadata.version(name)


if __name__ == "__main__":
    main()
