"""Memory is bounded for any number of segments and systems."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

MEBIBYTES = 200

CODE = """
import numpy as np, refscore
from refscore.significance import approximate_randomization, paired_bootstrap

def memory(which):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(which)) / 1024

def tables(segments):
    generator = np.random.default_rng(1)
    return {{
        label: {{
            f"s{{k}}": generator.integers(0, 40, (segments, len(metric.columns))).astype(metric.row_type)
            for k in range({systems})
        }}
        for label, metric in metrics.items()
    }}

metrics = {{"BLEU": refscore.BLEU(), "chrF++": refscore.CHRF(word_order=2), "TER": refscore.TER()}}
{call}(metrics, tables(100), {count}=20)
rows = tables(100_000)
rows["TER"] = {{name: table + 0.25 for name, table in rows["TER"].items()}}
before = memory("VmRSS")
{call}(metrics, rows, {count}=100)
print(memory("VmHWM") - before)
"""


@pytest.mark.parametrize("systems", [2, 8])
@pytest.mark.parametrize(
    ("call", "count"), [("paired_bootstrap", "resamples"), ("approximate_randomization", "trials")]
)
def test_peak(call, count, systems):
    code = CODE.format(call=call, count=count, systems=systems)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert float(result.stdout) < MEBIBYTES
