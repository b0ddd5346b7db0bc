"""Type checkers know the types of public functions."""

import re
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("program.py")


@pytest.mark.slow
def test_public_types(tmp_path):
    api = pytest.importorskip("mypy.api")
    output = api.run(["--strict", "--cache-dir", str(tmp_path), str(PROGRAM)])[0]
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    first = lines.index("# Each line below has an error.") + 2
    wrong = {int(number) for number in re.findall(r"program\.py:(\d+): error", output)}
    assert wrong == {*range(first, len(lines) + 1)}, output
