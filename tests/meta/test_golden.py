"""Statistics equal those of google-research/mt-metrics-eval, recorded and live."""

import math
from itertools import chain

import pytest

from refscore.meta import Judgments, agreement, rank_metrics
from tests.golden import judged_scores

RECORD = judged_scores.read()
NAMES = [str(entry["settings"]) for entry in RECORD["sets"]]
every_set = pytest.mark.parametrize("entry", RECORD["sets"], ids=NAMES)


def check(entry, values):
    judgments = Judgments.from_scores(entry["human"], {"m": entry["metric"]})
    seen = 0
    for key, (value, groups) in values.items():
        if key == "Agreement":
            # The numbers of equal and of all pairs of systems.
            assert agreement(judgments, "pairwise-accuracy")["m"] == value / groups
            continue
        name, by, zeros = key.split("|")
        settings = {"by": judged_scores.GROUPINGS[by], "zero_if_undefined": zeros == "1"}
        found = agreement(judgments, judged_scores.STATISTICS[name], **settings)["m"]
        if groups == 0:
            # If no group has a value, mt-metrics-eval returns 0. refscore returns NaN.
            assert value == 0 and math.isnan(found), key
        else:
            assert found == pytest.approx(value, rel=1e-12, abs=1e-14), key
            seen += 1
    return seen


@every_set
def test_recorded_values(entry):
    assert RECORD["version"] == judged_scores.COMMIT
    assert judged_scores.generate(*entry["settings"]) == (entry["human"], entry["metric"])
    assert len(entry["values"]) == 6 * len(judged_scores.STATISTICS) + 1
    assert check(entry, entry["values"]) > 12


@every_set
def test_live_values(entry):
    reason = "needs the source of google-research/mt-metrics-eval (not the package of this name on PyPI) and SciPy"
    stats = pytest.importorskip("mt_metrics_eval.stats", reason=reason)
    check(entry, judged_scores.compute(entry["human"], entry["metric"]))
    # The threshold is the smallest one that maximizes the accuracy.
    people, scores = [*chain(*entry["human"])], [*chain(*entry["metric"])]
    for by, grouping in judged_scores.GROUPINGS.items():
        value, threshold, _ = stats.KendallWithTiesOpt(
            people, scores, num_sys=len(entry["human"]), average_by=by, sample_rate=1.0
        )
        ranking = rank_metrics(Judgments.from_scores(entry["human"], {"m": entry["metric"]}), "acc-eq", by=grouping)
        assert ranking["m"].value == pytest.approx(value, rel=1e-12)
        assert ranking["m"].threshold == threshold
