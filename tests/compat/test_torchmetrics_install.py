"""refscore instead of torchmetrics: where its names are, and unchanged code."""

import importlib
import pickle
import subprocess
import sys

import pytest
import torch  # noqa: F401
import torchmetrics

import refscore
from refscore import compat

pytestmark = pytest.mark.filterwarnings("ignore")

import refscore.compat.torchmetrics as ours  # noqa: E402
from refscore.compat.overrides import LIBRARIES  # noqa: E402
from tests.compat.programs import check_script  # noqa: E402


@pytest.fixture(autouse=True)
def _undone():
    yield
    compat.uninstall("torchmetrics")


def run(*arguments):
    result = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=300)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_script_prints_the_same(capsys):
    check_script("torchmetrics", capsys)


def test_every_name_everywhere():
    before = {
        (module, name): getattr(importlib.import_module(module), name, None)
        for module in LIBRARIES["torchmetrics"].overrides
        for name in (*ours.text.__all__, *ours.functional.__all__)
    }
    compat.install("torchmetrics")
    for (module, name), original in before.items():
        if original is not None:
            source = ours if hasattr(ours, name) else ours.functional
            assert getattr(importlib.import_module(module), name) is getattr(source, name)
    assert torchmetrics.text.BLEUScore is torchmetrics.text.bleu.BLEUScore is ours.BLEUScore
    assert torchmetrics.BLEUScore is ours.BLEUScore
    assert pickle.loads(pickle.dumps(torchmetrics.BLEUScore())).n_gram == 4
    assert torchmetrics.functional.bleu_score("a b", ["a b"], n_gram=2) == 1
    compat.install("torchmetrics")
    compat.uninstall("torchmetrics")
    for (module, name), original in before.items():
        assert getattr(importlib.import_module(module), name, None) is original


def test_names_of_torchmetrics_alone_stay():
    before = torchmetrics.text.Perplexity, torchmetrics.Metric
    compat.install("torchmetrics")
    assert (torchmetrics.text.Perplexity, torchmetrics.Metric) == before


def test_versions_are_not_told_apart():
    with pytest.raises(refscore.SettingError, match=r"leave out version='1\.2'"):
        compat.install("torchmetrics", version="1.2")


@pytest.mark.slow
def test_inherited_and_imported_itself():
    """refscore's module imports torchmetrics, whose import would install refscore's module before it is loaded."""
    code = (
        "from refscore.compat.torchmetrics import BLEUScore; import torchmetrics as t; print(t.BLEUScore is BLEUScore)"
    )
    assert run("-m", "refscore.compat", "torchmetrics", "-c", code) == "True\n"
