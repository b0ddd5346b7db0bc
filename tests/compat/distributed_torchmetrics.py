"""Run two gloo processes, each with a share of the segments, using torchmetrics' synchronization. Run as a script.

Prints the results and states of every metric in both processes as JSON. The parent compares them with a single process.
"""

import json
import os
import sys
import warnings

import torch
import torch.distributed as dist
from torch import multiprocessing

import refscore.compat.torchmetrics as ours

warnings.simplefilter("ignore")  # from a process without segments so far

SEGMENTS = {
    "the cat is on the mat": ["there is a cat on the mat", "a cat is on the mat"],
    "it is raining": ["it rains"],
    "": ["nothing at all", "no words"],
    "he reads the book because he was interested in history": [
        "he was interested in world history because he read the book"
    ],
    "a b c d e f": ["a b c d x f", "f e d c b a", "a b"],
    "Bob hit John yesterday": ["John hit Bob yesterday"],
    "seven ferries leave at noon .": ["at noon seven ferries leave ."],
}
PREDS, TARGET = list(SEGMENTS), list(SEGMENTS.values())
SINGLE = ("CharErrorRate", "EditDistance", "MatchErrorRate", "WordErrorRate", "WordInfoLost", "WordInfoPreserved")
OPTIONS = {
    "BLEUScore": [{"n_gram": 2}, {"n_gram": 2, "smooth": True, "weights": [0.3, 0.7]}],
    "SacreBLEUScore": [{"n_gram": 2}, {"tokenize": "char", "lowercase": True}],
    "CHRFScore": [{}, {"return_sentence_level_score": True}],  # scores of sentences are lists instead of sums
    "TranslationEditRate": [{}, {"return_sentence_level_score": True}],
    "ROUGEScore": [{"rouge_keys": ("rouge1", "rougeL")}, {"rouge_keys": "rouge2", "accumulate": "avg"}],
    **{name: [{}] for name in SINGLE},
    "EditDistance": [{}, {"substitution_cost": 2, "reduction": "sum"}, {"reduction": "none"}],
    "ExtendedEditDistance": [{}, {"return_sentence_level_score": True}, {"language": "ja", "alpha": 1.0, "rho": 0.5}],
    "SQuAD": [{}],
}
CASES = [(name, options) for name, several in OPTIONS.items() for options in several]


def sides(name, indexes):
    """Return predictions and targets of segments in the form that a metric reads."""
    preds, target = [PREDS[i] for i in indexes], [TARGET[i] for i in indexes]
    if name in SINGLE:
        return preds, [group[0] for group in target]
    if name != "SQuAD":
        return preds, target
    answers = [{"text": group, "answer_start": [0] * len(group)} for group in target]
    return (
        [{"id": str(i), "prediction_text": text} for i, text in zip(indexes, preds, strict=True)],
        [{"id": str(i), "answers": each} for i, each in zip(indexes, answers, strict=True)],
    )


def batches(share):
    """Return the segments of a process in batches of two."""
    return [share[begin : begin + 2] for begin in range(0, len(share), 2)]


def results(share):
    """Return the result of each metric after its batches, and its states as lists."""
    found = {}
    for name, options in (*CASES, ("RIBESScore", {})):
        metric = getattr(ours, name)(**options)
        for batch in batches(share):
            metric.update(*sides(name, batch))
        result = metric.compute()
        metric.sync(should_sync=dist.is_initialized())
        states = {key: listed(value) for key, value in metric.metric_state.items()}
        found[f"{name} {options}"] = {"result": listed(result), "states": states}
    return found


def listed(value):
    """Convert tensors in any container to lists."""
    if isinstance(value, dict):
        return {key: listed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [listed(item) for item in value]
    return value.tolist() if isinstance(value, torch.Tensor) else value


def process(rank, folder, shares):
    """Run one of the processes."""
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=len(shares))
    with open(os.path.join(folder, f"{rank}.json"), "w", encoding="utf-8") as file:
        json.dump(results(shares[rank]), file)
    dist.destroy_process_group()


if __name__ == "__main__":
    torch.set_num_threads(1)
    given = json.loads(sys.argv[2])
    multiprocessing.spawn(process, args=(sys.argv[1], given), nprocs=len(given))
