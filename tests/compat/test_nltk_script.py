"""Code written for NLTK runs unchanged and prints the same with refscore, even if NLTK is not installed."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "examples" / "nltk_script.py"
INSTALL = "from refscore import compat; compat.install('nltk')"
RUN = f"import runpy; runpy.run_path({str(SCRIPT)!r})"


def output(code):
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("before", ["", "import sys; sys.modules['nltk'] = None; "], ids=["installed", "missing"])
def test_the_same_is_printed(before):
    expected = output(RUN)
    assert "too short for NIST" in expected
    check = "; from nltk.translate import gleu; assert gleu.__module__.startswith('refscore')"
    assert output(f"{before}{INSTALL}; {RUN}{check}") == expected
