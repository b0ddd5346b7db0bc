"""Columns of Parquet files in batches: the same scores as from lists, with bounded memory."""

import subprocess
import sys

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import refscore
from refscore import Evaluation
from refscore.readers import parquet_batches
from tests.evaluation.corpora import corpus

HYPOTHESES, REFERENCES = corpus(500, seed=2)
OTHERS = corpus(500, seed=3)[1]


@pytest.fixture
def files(tmp_path):
    columns = {"mt": HYPOTHESES, "ref": REFERENCES, "other": [None if i % 3 else text for i, text in enumerate(OTHERS)]}
    columns["both"] = [[one, two] for one, two in zip(columns["ref"], columns["other"], strict=True)]
    table = pyarrow.table(columns)
    for name, begin, end in [("a", 0, 300), ("b", 300, 500)]:
        parquet.write_table(table[begin:end], tmp_path / f"{name}.parquet", row_group_size=70)
    return [tmp_path / "a.parquet", str(tmp_path / "b.parquet")]


def score(batches):
    evaluation = Evaluation("bleu", retain="rows")
    evaluation.consume(batches)
    return evaluation.score()


def test_batches_of_any_size(files):
    expected = refscore.bleu(HYPOTHESES, REFERENCES)
    for rows in (1, 64, 10_000):
        assert score(parquet_batches(files, "mt", "ref", rows=rows)) == expected
    assert score(parquet_batches(files[0], "mt", "ref")) == refscore.bleu(HYPOTHESES[:300], REFERENCES[:300])


def test_several_references(files):
    references = [[one] if i % 3 else [one, two] for i, (one, two) in enumerate(zip(REFERENCES, OTHERS, strict=True))]
    expected = refscore.bleu(HYPOTHESES, references)
    assert score(parquet_batches(files, "mt", ["ref", "other"])) == expected
    assert score(parquet_batches(files, "mt", "both")) == expected
    assert score(parquet_batches(files, "mt", "mt")).value == 1


@pytest.mark.parametrize("shares", [1, 2, 5, 20])
def test_shares_add_up(files, shares):
    whole = Evaluation("bleu")
    for which in range(shares):
        part = Evaluation("bleu")
        part.consume(parquet_batches(files, "mt", "ref", part=(which, shares)))
        whole.merge(part)
    assert whole.segments == 500
    assert whole.score() == refscore.bleu(HYPOTHESES, REFERENCES)


def test_mistakes(files, tmp_path):
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 but no more")
    for arguments, options, error, message in [
        ((files, "nt", "ref"), {}, refscore.InputError, "a.parquet .*'mt'"),
        ((files, "mt", "reff"), {}, refscore.InputError, "a.parquet .*'ref'"),
        ((tmp_path / "c", "mt", "ref"), {}, refscore.InputError, "c "),
        (([], "mt", "ref"), {}, refscore.SettingError, "empty"),
        ((files, "mt", []), {}, refscore.SettingError, "references"),
        ((files, "mt", "ref"), {"rows": 0}, refscore.SettingError, "rows"),
        ((files, "mt", "ref"), {"part": (2, 2)}, refscore.SettingError, "part"),
        ((tmp_path / "bad.parquet", "mt", "ref"), {}, refscore.InputError, "bad.parquet"),
    ]:
        with pytest.raises(error, match=message):
            list(parquet_batches(*arguments, **options))


PEAK = """
import sys, pyarrow.parquet, refscore
from refscore.readers import parquet_batches
def peak():
    return int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]) / 1024
small, large = sys.argv[1:]
def score(file):
    evaluation = refscore.Evaluation("bleu", retain=1000)
    evaluation.consume(parquet_batches(file, "mt", "ref"), threads=2)
    assert evaluation.score().value == 1
score(small)
before = peak()
score(large)
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.slow
def test_memory_is_that_of_a_batch(tmp_path):
    """Use a file of 150 MB in one row group: most of the increase is memory that allocators keep per thread."""
    texts = pyarrow.array([f"a text {i} of some length " * 10 for i in range(1000)])
    for name, count in [("small", 20_000), ("large", 300_000)]:
        drawn = texts.take(pyarrow.array(np.arange(count) % 1000))
        table = pyarrow.table({"mt": drawn, "ref": drawn})
        parquet.write_table(
            table, tmp_path / f"{name}.parquet", row_group_size=count, use_dictionary=False, compression="none"
        )
    arguments = [sys.executable, "-c", PEAK, tmp_path / "small.parquet", tmp_path / "large.parquet"]
    assert float(subprocess.run(arguments, capture_output=True, check=True, text=True, timeout=300).stdout) < 75
