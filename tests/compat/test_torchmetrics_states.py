"""What torchmetrics does with metrics: batches, forward, copies, collections, types, several processes."""

import copy
import json
import pickle
import subprocess
import sys

import pytest
import torch
import torchmetrics

pytestmark = pytest.mark.filterwarnings("ignore")

import torchmetrics.text as theirs  # noqa: E402

import refscore  # noqa: E402
import refscore.compat.torchmetrics as ours  # noqa: E402
from tests.compat import distributed_torchmetrics as distributed  # noqa: E402

PREDS, TARGET, OPTIONS, CASES = distributed.PREDS, distributed.TARGET, distributed.OPTIONS, distributed.CASES
SAME_STATES = {
    "BLEUScore": ("preds_len", "target_len", "numerator", "denominator"),
    "TranslationEditRate": ("total_num_edits", "total_tgt_len"),
    "WordErrorRate": ("errors", "total"),
}


def batches(name):
    for begin in range(0, len(PREDS), 3):
        yield distributed.sides(name, range(begin, min(begin + 3, len(PREDS))))


def same(actual, expected):
    actual, expected = distributed.listed(actual), distributed.listed(expected)
    if isinstance(expected, dict) and list(actual) != list(expected):
        return False
    return flat(actual) == pytest.approx(flat(expected), rel=2e-6, abs=1e-7, nan_ok=True)


def flat(value):
    """Return all numbers in it, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    return [number for item in value for number in flat(item)] if isinstance(value, list) else [value]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_batches(name, options):
    """Check the results of forward for each batch, and of compute at the end."""
    mine, original = getattr(ours, name)(**options), getattr(theirs, name)(**options)
    for preds, target in batches(name):
        assert same(mine(preds, target), original(preds, target))
    assert same(mine.compute(), original.compute())
    assert mine.update_count == original.update_count == 3
    assert mine.update_called
    assert same(mine._forward_cache, original._forward_cache)
    updated = getattr(ours, name)(**options)
    for preds, target in batches(name):
        updated.update(preds, target)
    assert distributed.listed(updated.compute()) == distributed.listed(mine.compute())
    mine.reset()
    preds, target = next(batches(name))
    assert same(mine(preds=preds, target=target), getattr(theirs, name)(**options)(preds, target))

    if not options.get("return_sentence_level_score") and options.get("reduction") != "none":  # torchmetrics fails
        assert same(getattr(ours, name)(**options).compute(), getattr(theirs, name)(**options).compute())


@pytest.mark.parametrize("name", list(OPTIONS))
def test_states(name):
    metric, original = (getattr(library, name)(**OPTIONS[name][0]) for library in (ours, theirs))
    own = {"segments"} if name == "ROUGEScore" else set()
    assert set(metric.metric_state) == set(original.metric_state) | own
    counts = name not in ("TranslationEditRate", "ROUGEScore")
    for state in metric._defaults:
        value = getattr(metric, state)
        if isinstance(value, list):
            assert metric._reductions[state] is torchmetrics.utilities.dim_zero_cat
            continue
        is_count = (counts and state != "f1_score") or state == "segments"
        assert value.dtype == (torch.int64 if is_count else torch.float64)
        assert metric._reductions[state] is torchmetrics.utilities.dim_zero_sum
    preds, target = next(batches(name))
    metric.update(preds, target)
    original.update(preds, target)
    for state in SAME_STATES.get(name, ()):
        assert same(getattr(metric, state), getattr(original, state))


@pytest.mark.parametrize(("name", "options"), CASES)
def test_copies_and_merged_states(name, options):
    parts, whole = [getattr(ours, name)(**options) for _ in range(2)], getattr(ours, name)(**options)
    for i, (preds, target) in enumerate(batches(name)):
        parts[i % 2].update(preds, target)
        whole.update(preds, target)
    parts[0].merge_state(parts[1])
    merged, expected = parts[0].compute(), whole.compute()
    if options.get("return_sentence_level_score"):
        merged, expected = merged[0], expected[0]  # the order of segments differs
    if options.get("reduction") == "none":
        merged, expected = merged.sort().values, expected.sort().values
    assert same(merged, expected)
    expected = distributed.listed(whole.compute())
    for other in (copy.deepcopy(whole), pickle.loads(pickle.dumps(whole)), whole.clone()):
        assert distributed.listed(other.compute()) == expected
        other.update(preds, target)
    assert distributed.listed(whole.compute()) == expected
    hash(whole)


class Holder(torch.nn.Module):
    """A module that contains a metric, as in training code."""

    def __init__(self, metric):
        super().__init__()
        self.metric = metric

    def forward(self, values):
        return values + 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), [*CASES, ("RIBESScore", {}), ("RowsScore", {"metric": refscore.GLEU()})])
def test_scripted(name, options):
    metric = getattr(ours, name)(**options)
    torch.jit.script(metric)
    for held in (metric, torchmetrics.MetricCollection([metric])):
        assert torch.jit.script(Holder(held))(torch.tensor(1)) == 2


def test_collections():
    collection, original = (
        torchmetrics.MetricCollection([library.BLEUScore(n_gram=2), library.CHRFScore(), library.TranslationEditRate()])
        for library in (ours, theirs)
    )
    for preds, target in batches("BLEUScore"):
        assert same(collection(preds, target), original(preds, target))
    assert same(collection.compute(), original.compute())


def test_types():
    metric = ours.BLEUScore(n_gram=2)
    assert metric.set_dtype(torch.float64) is metric
    result = metric(PREDS, TARGET)
    assert result.dtype == torch.float64
    assert metric.numerator.dtype == torch.int64
    assert ours.BLEUScore(n_gram=2)(PREDS, TARGET).dtype == torch.float32
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        assert ours.functional.bleu_score(PREDS, TARGET, 2).dtype == torch.float64
        assert ours.functional.bleu_score(PREDS, TARGET, 2).item() == result.item()
    finally:
        torch.set_default_dtype(before)


def test_subclasses_that_change_the_text():
    class Lowercased(ours.BLEUScore):
        def update(self, preds, target):
            super().update([text.lower() for text in preds], [[text.lower() for text in group] for group in target])

    metric = Lowercased(n_gram=2)
    assert metric(["A B C"], [["a b c"]]) == 1.0
    assert metric.compute() == 1.0


def test_counts_beyond_float32():
    """2**24 + 1 is not a float32, so torchmetrics' counts would stop increasing there."""
    metric = ours.WordErrorRate()
    metric.total += 2**24
    metric.update("a", "a")
    assert metric.total.item() == 2**24 + 1


@pytest.mark.slow
@pytest.mark.parametrize("shares", [[[0, 1, 2, 3], [4, 5, 6]], [[0, 1, 2, 3, 4, 5, 6], []]])
def test_two_processes(tmp_path, shares):
    """Equal in both processes and in a single one: to the last bit if states are counts."""
    command = [sys.executable, distributed.__file__, str(tmp_path), json.dumps(shares)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert result.returncode == 0, result.stderr
    first, second = [json.loads((tmp_path / f"{rank}.json").read_text(encoding="utf-8")) for rank in range(2)]
    alone = distributed.results([i for share in shares for i in share])
    assert first == second
    assert list(first) == list(alone)
    for name, expected in alone.items():
        if name.split()[0] in ("ROUGEScore", "RIBESScore", "TranslationEditRate"):
            assert same(first[name]["result"], expected["result"]), name
            states = [flat(found["states"]) for found in (first[name], expected)]
            assert states[0] == pytest.approx(states[1], rel=1e-12), name
        else:
            assert flat(first[name]) == flat(expected), name
