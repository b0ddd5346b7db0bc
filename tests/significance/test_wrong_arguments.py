"""Input that cannot be compared: errors with location and reason, before any work."""

import math
from dataclasses import replace

import numpy as np
import pytest

import refscore
from refscore.errors import Location
from refscore.significance import approximate_randomization, bootstrap, paired_bootstrap

METRIC = refscore.TER()
ROWS = np.array([[1.0, 4.0], [0.0, 5.0], [2.0, 6.0]])
PAIR = {"a": ROWS, "b": ROWS}
NAN = np.array([[1.0, 4.0], [np.nan, 5.0], [2.0, 6.0]])

TESTS = {"bootstrap": paired_bootstrap, "randomization": approximate_randomization}
every_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)

# Each with the location of the error.
SYSTEMS = {
    "no mapping": ([ROWS, ROWS], "systems"),
    "a baseline alone": ({"a": ROWS}, "systems"),
    "nothing": ({}, "systems"),
    "a number for a name": ({"a": ROWS, 1: ROWS}, "systems"),
    "an empty system": ({"a": ROWS, "b": ROWS[:0]}, "systems['b']"),
    "no runs": ({"a": ROWS, "b": []}, "systems['b']"),
    "other columns": ({"a": ROWS, "b": ROWS[:, :1]}, "systems['b']"),
    "a summed row": ({"a": ROWS.sum(0), "b": ROWS}, "systems['a']"),
    "text": ({"a": ["a cat", "a dog"], "b": ROWS}, "systems['a']"),
    "lengths": ({"a": ROWS, "b": ROWS[:2]}, "systems['b']"),
    "lengths of runs": ({"a": ROWS, "b": [ROWS, ROWS[:2]]}, "systems['b'][1]"),
    "not a number": ({"a": ROWS, "b": NAN}, "systems['b'][1]"),
    "less than 0": ({"a": -ROWS, "b": ROWS}, "systems['a'][0]"),
    "infinity": ({"a": ROWS, "b": [ROWS, ROWS + np.inf]}, "systems['b'][1][0]"),
    "one segment": ({"a": ROWS[:1], "b": ROWS[:1]}, "None"),
}


@every_test
@pytest.mark.parametrize(("systems", "location"), SYSTEMS.values(), ids=SYSTEMS)
def test_systems(test, systems, location):
    with pytest.raises(refscore.InputError) as caught:
        test(METRIC, systems)
    assert str(caught.value.location) == location


UNITS = {
    "a string": "abc",
    "a number": 3,
    "too few": ["a", "b"],
    "one unit": ["a", "a", "a"],
    "lists": [["a"], ["b"], ["c"]],
    "a set": {"a", "b", "c"},
}
MISSING = {
    "NaN": ["a", "b", math.nan],
    "NaN of NumPy": ["a", "b", np.float64("nan")],
    "NaN in an array": np.array([1.0, 2.0, np.nan]),
    "NaN in an array of objects": np.array(["a", "b", math.nan], dtype=object),
    "a masked label": np.ma.array([1, 2, 3], mask=[0, 0, 1]),
    "None": ["a", "b", None],
    "NaN in a tuple": [("a", 1), ("a", 2), ("a", math.nan)],
    "NaN in a structured array": np.array([(1, 1), (1, 2), (1, math.nan)], dtype=[("a", int), ("b", float)]),
    "no time": np.array(["2026-01-01", "2026-01-02", "NaT"], dtype="datetime64[s]"),
}


def check_units(test, units, segment):
    with pytest.raises(refscore.InputError) as caught:
        test(METRIC, PAIR, units=units)
    assert caught.value.location == Location("units", segment=segment)


@every_test
@pytest.mark.parametrize("kind", [*UNITS, *MISSING])
def test_units(test, kind):
    check_units(test, {**UNITS, **MISSING}[kind], 2 if kind in MISSING else None)


def test_units_that_are_missing_in_columns():
    import pandas
    import pyarrow

    strings = pyarrow.array(["a", "b", None])
    missing = [pandas.Series(["a", "b", None]), pandas.Series([1, 2, None], dtype="Int64"), strings]
    for column in [*missing, pyarrow.chunked_array([strings])]:
        check_units(paired_bootstrap, column, 2)


SETTINGS = [
    ({"seed": -1}, "seed"),
    ({"seed": None}, "seed"),
    ({"resamples": -1}, "resamples"),
    ({"confidence": 95}, "confidence.* 0.95, not 95"),
    ({"confidence": "95 %"}, "confidence"),
    ({"threads": 0}, "threads"),
    ({"confidence": 0.9, "formulas": "sacrebleu"}, "need confidence=0.95"),
    ({"units": [1, 2, 3], "formulas": "sacrebleu"}, "units"),
    ({"seed": 0, "formulas": "sacrebleu"}, "seed 0"),
]


@every_test
@pytest.mark.parametrize(("settings", "message"), SETTINGS)
def test_settings(test, settings, message):
    with pytest.raises(refscore.SettingError, match=message):
        test(METRIC, PAIR, **settings)


def test_draws():
    for test, draws in [
        (paired_bootstrap, {"resamples": 0}),
        (approximate_randomization, {"trials": 0}),
        (approximate_randomization, {"trials": 1.5}),
        (approximate_randomization, {"trials": 10**9}),
    ]:
        with pytest.raises(refscore.SettingError, match=next(iter(draws))):
            test(METRIC, PAIR, **draws)


@every_test
def test_runs_of_the_paper(test):
    with pytest.raises(refscore.SettingError, match="run"):
        test(METRIC, {"a": ROWS, "b": [ROWS, ROWS]}, formulas="sacrebleu")


@every_test
def test_metrics(test):
    for wrong in ("tar", refscore.TER, None):
        with pytest.raises(refscore.SettingError, match="unknown metric"):
            test(wrong, PAIR)
    for metrics, systems in [({"t": METRIC}, PAIR), ({"t": METRIC}, {"u": PAIR}), ({"t": METRIC}, [PAIR])]:
        with pytest.raises(refscore.InputError, match="systems"):
            test(metrics, systems)
    with pytest.raises(refscore.SettingError, match="metrics is empty"):
        test({}, {})
    two = {"s": METRIC, "t": METRIC}
    for systems, side in [
        ({"s": PAIR, "t": {"a": ROWS, "b": ROWS[:2]}}, "systems['t']['b']"),
        ({"s": PAIR, "t": {"a": ROWS, "c": ROWS}}, "systems['t']"),
        ({"s": PAIR, "t": {name: rows[:2] for name, rows in PAIR.items()}}, "systems['t']"),
    ]:
        with pytest.raises(refscore.InputError) as caught:
            test(two, systems)
        assert caught.value.location == Location(side)


@every_test
def test_metrics_by_name(test):
    systems = {"a": ROWS, "b": ROWS + np.array([1.0, 0.0])}
    comparison = test(METRIC, systems)
    assert test("TER", systems) == comparison
    assert test(["ter"], {"ter": systems}) == {"ter": replace(comparison, label="ter")}
    assert test({"t": "ter"}, {"t": systems}) == {"t": replace(comparison, label="t")}


def test_bootstrap():
    for wrong, segment in ((ROWS[:0], None), (ROWS[:, :1], None), (NAN, 1)):
        with pytest.raises(refscore.InputError) as caught:
            bootstrap(METRIC, wrong)
        assert caught.value.location == Location("rows", segment=segment)
    for settings in ({"seed": True}, {"confidence": 0.9, "formulas": "sacrebleu"}):
        with pytest.raises(refscore.SettingError, match=next(iter(settings))):
            bootstrap(METRIC, ROWS, **settings)
    assert bootstrap("ter", ROWS) == bootstrap(METRIC, ROWS)


def test_values_of_wrong_rows():
    for wrong in (ROWS[:, :1], ROWS[0], [["a", "b"]]):
        with pytest.raises(refscore.InputError, match=r"2 numbers .*TER"):
            METRIC.values(wrong)
    assert METRIC.values(ROWS).tolist() == [METRIC.score(row).value for row in ROWS]


def test_lists_are_rows_too():
    as_lists = {name: rows.tolist() for name, rows in PAIR.items()}
    assert paired_bootstrap(METRIC, as_lists)["b"].p == 1
