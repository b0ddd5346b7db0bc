"""RIBES' settings as objects, and the location of an empty reference."""

import numpy as np
import pytest

import refscore
from tests.reference import ribes as oracle

RIBES = refscore.RIBES


@pytest.mark.parametrize("name", oracle.PRESETS)
def test_presets(name):
    metric, setting = RIBES.preset(name), oracle.PRESETS[name]
    assert {field: getattr(metric, field) for field in vars(setting)} == vars(setting)
    assert (metric.tokenizer, metric.lowercase, metric.normalize) == ("none", oracle.LOWERCASE[name], "none")
    assert RIBES.preset(name, alpha=1, lowercase="ascii").lowercase == "ascii"
    assert RIBES.preset(name, correlation="rho") != metric
    assert set(RIBES.presets) == set(oracle.PRESETS)


def test_equality():
    assert RIBES() == RIBES.preset("official") == RIBES(alpha=0.25, beta=0.1)
    assert RIBES.preset("nltk") != RIBES.preset("nltk-3.9") == RIBES.preset("nltk", correlation="tau-runs")
    assert RIBES(alpha=1) == RIBES(alpha=1.0) == RIBES(alpha=np.float32(1))
    assert hash(RIBES(alpha=1)) == hash(RIBES(alpha=1.0))
    assert RIBES(alpha=1).signature == RIBES(alpha=1.0).signature
    assert RIBES() != refscore.BLEU()


def test_signatures():
    version = f"version:{refscore.__version__}"
    assert RIBES().signature == (
        "ribes|case:lc|norm:none|tok:none|alpha:0.25|beta:0.1|first:left|limit:none|corr:tau|single:reference|"
        f"empty:error|{version}"
    )
    assert RIBES.preset("nltk", alpha=1).signature == (
        "ribes|case:mixed|norm:none|tok:none|alpha:1.0|beta:0.1|first:right|limit:nltk|corr:tau-nltk|single:zero|"
        f"empty:zero|{version}"
    )
