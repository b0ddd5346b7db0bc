"""Another implementation of latency: the definitions. tests/golden has numbers of SimulEval and OmniSTEval."""

import json

from hypothesis import strategies as st

from refscore.metrics import Latency
from tests import reference
from tests.corpora import Inputs
from tests.differential import Expected, Original, drawn
from tests.reference import latency as oracle
from tests.strategies import corpora


def line(times, spent, source, words):
    times = sorted(times)
    return json.dumps(
        {
            "delays": times,
            "elapsed": [time + spent * index for index, time in enumerate(times, 1)],
            "source_length": source,
            "reference": " ".join("w" * words),
        }
    )


LINES = st.builds(
    line, st.lists(st.integers(1, 1500), max_size=8), st.integers(0, 50), st.integers(1, 1600), st.integers(0, 8)
)
INSTANCES = Inputs(
    name="instances",
    drawn=corpora(st.tuples(LINES, st.just([""]))),
    named={"instances": ([line([300, 300, 700], 10, 1000, 2), line([], 0, 5, 1), line([9], 1, 5, 0)], [[""]] * 3)},
)


def definition(hypotheses, references, *, measure="laal", clock="delays"):
    values = [oracle.latency(measure, clock, json.loads(text)) for text in hypotheses]
    rows = [[0, 0, 1] if value is None else [value, 1, 0] for value in values]
    counted = [value for value in values if value is not None]
    return Expected(
        segments=[value or 0 for value in values],
        corpus=sum(counted) / len(counted) if counted else 0,
        rows=rows,
    )


ORIGINALS = [
    Original(
        name="definition",
        metric=Latency,
        scores=definition,
        inputs=(INSTANCES,),
        table=[
            {"measure": name, "clock": clock}
            for name in ("al", "laal", "ap", "dal", "atd")
            for clock in ("delays", "elapsed")
        ],
        options=drawn(
            measure=st.sampled_from(["al", "laal", "ap", "dal", "atd"]), clock=st.sampled_from(["delays", "elapsed"])
        ),
        long=False,
        close=lambda value, other: reference.close(value, other) or abs(value - other) < 1e-9,
    )
]
