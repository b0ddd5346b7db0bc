"""refscore in the place of torchmetrics: where its names are, and code that does not change."""

import importlib
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import refscore
from refscore import compat

pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")
pytestmark = pytest.mark.filterwarnings("ignore")

import refscore.compat.torchmetrics as ours  # noqa: E402
from refscore.compat.torchmetrics.replacing import replacements  # noqa: E402

SCRIPT = Path(__file__).parents[2] / "examples" / "torchmetrics_script.py"


@pytest.fixture(autouse=True)
def _undone():
    yield
    compat.uninstall("torchmetrics")


def run(*arguments):
    result = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=300)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_script_prints_the_same():
    through = (
        f"from refscore import compat; compat.install('torchmetrics'); import runpy; runpy.run_path({str(SCRIPT)!r})"
    )
    original = run(str(SCRIPT))
    assert "BLEU" in original and "TER" in original
    assert run("-c", through) == original


def test_every_name_everywhere():
    before = {
        (module, name): getattr(importlib.import_module(module), name, None)
        for module, names in replacements(None).items()
        for name in names
    }
    compat.install("torchmetrics")
    for (module, name), original in before.items():
        if original is not None and module not in ("torchmetrics", "torchmetrics.functional"):
            source = ours if hasattr(ours, name) else ours.functional
            assert getattr(importlib.import_module(module), name) is getattr(source, name)
    assert torchmetrics.text.BLEUScore is torchmetrics.text.bleu.BLEUScore is ours.BLEUScore
    assert issubclass(torchmetrics.BLEUScore, ours.BLEUScore)
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
    with pytest.raises(refscore.SettingError, match=r"leave version='1\.2' out"):
        compat.install("torchmetrics", version="1.2")


@pytest.mark.parametrize("missing", ["torch", "torchmetrics"])
def test_a_missing_package_names_the_extra(missing):
    code = f"""
        import sys
        sys.modules[{missing!r}] = None
        import refscore
        for action in (lambda: refscore.compat.torchmetrics, lambda: refscore.compat.install("torchmetrics")):
            try:
                action()
            except refscore.NotInstalledError as error:
                print(error.name, error)
    """
    lines = run("-c", textwrap.dedent(code)).splitlines()
    assert len(lines) == 2
    assert all(line.startswith(f"{missing} ") and "pip install 'refscore[torch]'" in line for line in lines)


def test_torch_is_not_imported_by_refscore():
    code = "import sys, refscore, refscore.compat; print([n for n in ('torch', 'torchmetrics') if n in sys.modules])"
    assert run("-c", code).strip() == "[]"
