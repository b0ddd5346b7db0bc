"""Rows in Arrow files: damaged files are rejected, and other programs can read valid ones."""

import random
from hashlib import sha256

import numpy as np
import pyarrow
import pytest
from refscore.accumulation.arrow_rows import read_rows, row_writer
from tests.accumulation.corpora import corpus

import refscore
from refscore import InputError
from refscore.errors import Location
from tests.frames.common_frames import exact_sum
from tests.frames.outside_metric import Surplus

METRICS = {"ter": refscore.TER(), "wer": refscore.WER(), "surplus": Surplus()}
BATCHES = [corpus(3, seed=1), corpus(2, seed=2)]


@pytest.fixture
def file(tmp_path):
    """Write a file of two batches."""
    refscore.metrics.register(Surplus)
    path = tmp_path / "rows.arrow"
    with row_writer(path, METRICS, {"system": "ü"}) as write:
        for hypotheses, references in BATCHES:
            write({label: metric.stats(hypotheses, references) for label, metric in METRICS.items()}, (1, 1))
    return path


def check_refused(path, data):
    path.write_bytes(data)
    with pytest.raises(InputError) as raised:
        read_rows(path)
    assert raised.value.location == Location(file=str(path))


def seal(data):
    """Return the bytes with a valid checksum."""
    begin = data.rindex(b"REFSTATS")
    digest = sha256(data[:begin] + data[begin + 40 :]).digest()
    return data[: begin + 8] + digest + data[begin + 40 :]


def test_the_file_is_as_documented(file):
    data = file.read_bytes()
    begin = len(data) - 10 - int.from_bytes(data[-10:-6], "little") - 40
    assert data[begin : begin + 8] == b"REFSTATS"
    assert data[begin + 8 : begin + 40] == sha256(data[:begin] + data[begin + 40 :]).digest()
    rows = {label: np.concatenate([metric.stats(*batch) for batch in BATCHES]) for label, metric in METRICS.items()}
    names = [f"wer.{column}" for column in METRICS["wer"].columns]
    table = pyarrow.ipc.open_file(file).read_all()
    assert [table[name].to_pylist() for name in names] == rows["wer"].T.tolist()
    for label, score in read_rows(file).scores().items():
        assert score.row.tolist() == exact_sum(rows[label])


@pytest.mark.parametrize("step", [97, pytest.param(5, marks=pytest.mark.slow)])
def test_every_byte_counts(file, step):
    good = file.read_bytes()
    expected = read_rows(file).scores()
    generator = random.Random(1)
    for place in range(0, len(good), step):
        for value in {good[place] ^ 1, good[place] ^ 128, generator.randrange(256)} - {good[place]}:
            check_refused(file, good[:place] + bytes([value]) + good[place + 1 :])
    for size in range(0, len(good), 7 * step):
        check_refused(file, good[:size])
    for more in (b"\0", b"ARROW1", good[-10:], good):
        check_refused(file, good + more)
    file.write_bytes(good)
    assert read_rows(file).scores() == expected


@pytest.mark.parametrize("files", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_damage_with_the_right_checksum_is_never_a_traceback(file, files):
    """A hostile file may contain anything, but must only raise InputError."""
    good = file.read_bytes()
    generator = random.Random(2)
    for _ in range(files):
        bad = bytearray(good)
        for _ in range(generator.choice([1, 1, 2, 5])):
            bad[generator.randrange(len(bad) - 10)] = generator.choice([0, 1, 127, 255, generator.randrange(256)])
        if bytes(bad).count(b"REFSTATS") != 1:
            continue
        file.write_bytes(seal(bytes(bad)))
        try:
            read_rows(file)
        except InputError as error:
            assert error.location == Location(file=str(file))  # noqa: PT017 - most of them are read


def test_polars_reads_it(file):
    import polars

    rows = np.concatenate([METRICS["wer"].stats(*batch) for batch in BATCHES])
    names = [f"wer.{column}" for column in METRICS["wer"].columns]
    assert polars.read_ipc(file).select(names).to_numpy().tolist() == rows.tolist()
