"""`refscore score --engine ray` prints the same as without an engine."""

import os
import subprocess
import sys

import pyarrow as pa
import pytest
import ray  # noqa: F401

from tests.frames.common_frames import columns

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ray_folder")]


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "refscore", "score", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
    )


def test_the_command_starts_ray_by_itself(tmp_path):
    import pyarrow.parquet

    file = tmp_path / "segments.parquet"
    pyarrow.parquet.write_table(pa.table(columns()), file, row_group_size=50)
    asked = [f"{file}:hyp", "-r", f"{file}:ref", "-m", "bleu,chrf,wer", "--format", "json"]
    made = run(*asked, "--engine", "ray")
    assert made.returncode == 0, made.stderr
    assert made.stdout == run(*asked, "--quiet").stdout
