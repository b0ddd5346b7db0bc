"""Type checkers know the types of public functions."""

import re
from pathlib import Path

import pytest

from tests.typing.public_types import entries

FOLDER = Path(__file__).parent
# The share of entries with Any. Most of them are JSON, parameters of generic types, and arguments of trainers.
MOST_ANY = 0.08


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("program.py", []),
        # The project's configuration skips the libraries of frames.
        ("frames_program.py", ["--config-file=", "--disable-error-code=import-untyped", "--follow-imports=silent"]),
    ],
)
def test_public_types(tmp_path, name, options):
    api = pytest.importorskip("mypy.api")
    program = FOLDER / name
    output = api.run(["--strict", *options, "--cache-dir", str(tmp_path), str(program)])[0]
    lines = program.read_text(encoding="utf-8").splitlines()
    first = lines.index("# Each line below has an error.") + 2
    wrong = {int(number) for number in re.findall(rf"{program.stem}\.py:(\d+): error", output)}
    assert wrong == {*range(first, len(lines) + 1)}, output


def test_few_public_types_are_any():
    found = entries()
    assert len(found) > 2000
    assert sum(bool(re.search(r"\bAny\b", text)) for text in found.values()) < MOST_ANY * len(found)
