"""Record the scores of answers by three programs, as tests/golden/accuracy.json.

    python -m tests.golden.make_accuracy VQA LMMS_EVAL

The arguments are vqaEval.py of github.com/GT-Vision-Lab/VQA (a013f00), for Python 2, whose print statements are
removed, and the folder lmms_eval of lmms-eval 0.7.3.
"""

import importlib.util
import json
import random
import re
import sys
from pathlib import Path
from unittest.mock import MagicMock

PARTS = [
    *("a", "an", "the", "The", "two", "none", "Ten", "dont", "yall'd've", "twas", "couldnt've", "somebody'd", "Paris"),
    *(
        "it's",
        "1",
        "2",
        "0.5",
        "12",
        "1,000",
        "1,,000",
        "1.5",
        ".5",
        "5.",
        "1e3",
        "nan",
        "inf",
        "-",
        "%",
        "$",
        ".",
        ",",
    ),
    *("?", "!", "'s", "/", "(", ")", ";", "  ", "\n", "\t", "A", "b", "5%", "12 %", "\u3000", "é", "...", "[x]", "a_b"),
]


def corpus():
    """Return answers and ten references of each."""
    generator = random.Random(3)

    def text():
        return generator.choice(["", " "]).join(generator.choices(PARTS, k=generator.choice([0, 1, 1, 2, 3, 6])))

    answers, references = [], []
    for i in range(240):
        few = [text() for _ in range(generator.choice([1, 2, 4]))]
        references.append([generator.choice(few) for _ in range(10)])
        answers.append(generator.choice([text(), *few, few[0].upper(), f"{few[0]} "]))
        if i % 5 == 0:
            number = generator.choice(["40", "0.12", "12%", "-3", "0"])
            references[-1] = [number] * 10
            answers[-1] = generator.choice(["41", "42", "42.1", "0.126", "12.6%", "12 %", "-2.9", "0.0", "0", number])
    return answers, references


def load(name, path, text=None):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    if text is None:
        spec.loader.exec_module(module)
    else:
        exec(compile(text, str(path), "exec"), vars(module))
    return module


def official(module, answers, references):
    """Return the accuracy of each answer by vqaEval.py, before it is rounded."""

    class Answers:
        def __init__(self, qa):
            self.qa = qa

        def getQuesIds(self):  # the name in the program
            return [*self.qa]

    given = {
        i: {
            "question_type": "",
            "answer_type": "",
            "answers": [{"answer": text, "answer_id": k} for k, text in enumerate(refs)],
        }
        for i, refs in enumerate(references)
    }
    evaluation = module.VQAEval(Answers(given), Answers({i: {"answer": text} for i, text in enumerate(answers)}), n=15)
    evaluation.evaluate()
    return [evaluation.evalQA[i] / 100 for i in range(len(answers))]


def textvqa(processor, answer, references):
    """Return the accuracy by TextVQA's formula: each annotator is left out."""
    answer, references = processor(answer), [*map(processor, references)]
    shares = []
    for left_out in range(len(references)):
        votes = [reference == answer for i, reference in enumerate(references) if i != left_out]
        shares.append(min(1, sum(votes) / 3))
    return sum(shares) / len(shares)


def main(vqa_file, lmms_eval):
    answers, references = corpus()
    text = re.sub(r"^\s*print .*$", "", Path(vqa_file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    vqa = load("vqa", vqa_file, text)
    vqa.sys = MagicMock()
    lmms_eval = Path(lmms_eval)
    processor = load("processor", lmms_eval / "tasks" / "_task_utils" / "vqa_eval_metric.py").EvalAIAnswerProcessor()
    relaxed = load("chartqa", lmms_eval / "tasks" / "chartqa" / "utils.py").relaxed_correctness
    record = {
        "command": "python -m tests.golden.make_accuracy",
        "answers": answers,
        "references": references,
        "vqa": official(vqa, answers, references),
        "textvqa": [textvqa(processor, *pair) for pair in zip(answers, references, strict=True)],
        "chartqa": [
            float(any(relaxed(answer, reference) for reference in refs))
            for answer, refs in zip(answers, references, strict=True)
        ],
    }
    path = Path(__file__).parent / "accuracy.json"
    path.write_text(json.dumps(record, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
