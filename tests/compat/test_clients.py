"""The script that runs published clients: its tables are consistent, and it detects different values."""

import math
import sys
from types import SimpleNamespace

import pytest

from bench.clients import __main__ as script, calls
from refscore.compat.overrides import LIBRARIES


def test_clients_calls_and_pins_belong_together():
    assert list(script.CLIENTS) == list(calls.CLIENTS)
    assert {library for libraries in script.CLIENTS.values() for library in libraries} <= set(LIBRARIES)
    for client in script.CLIENTS:
        pins = (script._FOLDER / "requirements" / f"{client}.txt").read_text().split()
        assert all(pin.count("==") == 1 for pin in pins)
        assert client in pins[0].replace("-", "_")
        assert script.version(client) == pins[0].partition("==")[2]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"a": [1.0, 2.0]}, {"a": [1.0, 2.0]}, 0.0),
        ([1.0, 4.0], [1.0, 3.0], 0.25),
        ([1.0], [1.0, 1.0], math.inf),
        ({"a": 1}, {"b": 1}, math.inf),
        (None, 0.0, math.inf),
    ],
)
def test_differences(one, other, expected):
    assert script.difference(one, other) == expected


def test_what_cannot_be_run_says_why(monkeypatch, tmp_path):
    options = SimpleNamespace(segments=3, rounds=1)
    monkeypatch.setattr(script, "install", lambda client, folder: sys.executable)
    (row,) = script.rows("simuleval", tmp_path, options)
    assert row.values == "not run: ModuleNotFoundError: No module named 'simuleval'"
