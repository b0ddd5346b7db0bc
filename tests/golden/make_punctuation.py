"""Record the punctuation error rate of NeMo, as tests/golden/punctuation.json.

    python -m tests.golden.make_punctuation FILE

FILE is nemo/collections/common/metrics/punct_er.py of github.com/NVIDIA/NeMo (8cfedd72), which needs only tqdm besides
NeMo's logging.
"""

import json
import logging
import sys
import types
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tests.metrics.test_written_form import speech

MARKS = [".", ",", "?", "!"]


def main(file):
    for name in ("nemo", "nemo.utils", "tqdm"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.modules["nemo.utils"].logging = logging
    sys.modules["tqdm"].tqdm = lambda items, **_: items
    spec = spec_from_file_location("punct_er", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    hypotheses, references = speech(12, 300)
    rater = module.OccurancePunctuationErrorRate(MARKS)
    rows = []
    for own, reference in zip(hypotheses, references, strict=True):
        amounts, _ = rater.compute_operation_amounts(reference, own)
        names = ("Correct", "Substitutions", "Deletions", "Insertions")
        rows.append([sum(amounts[mark][name] for mark in MARKS) for name in names])
    record = {
        "command": "python -m tests.golden.make_punctuation",
        "hypotheses": hypotheses,
        "references": references,
        "rows": rows,
        "punct_er": module.punctuation_error_rate(references, hypotheses, MARKS),
    }
    path = Path(__file__).with_name("punctuation.json")
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
