"""A program with the types that public functions must have. mypy checks it, and nothing runs it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import refscore
from refscore import mbr
from refscore.comparison import SystemComparison
from refscore.conventions import Conventions, compare_conventions
from refscore.meta import Judgments, MetricRanking, rank_metrics
from refscore.metrics import BLEUScore, GivenScore, Metric, RowMetric, Score, WERScore
from refscore.report import Report, Reporting, build_report
from refscore.significance import Comparison, Interval, Tests, bootstrap, paired_bootstrap

texts = ["a b", "c"]
ids = np.array([[1, 2], [3, 0]])
systems = {"old": texts, "new": texts}

assert_type(refscore.bleu(texts, texts, threads=2, preset="nltk"), BLEUScore)
assert_type(refscore.wer([["a"], ["b"]], [[["a"]], [["b"]]]), WERScore)
assert_type(refscore.BLEU(max_order=2).corpus(ids, ids), BLEUScore)
assert_type(refscore.BLEU().segments(texts, texts), NDArray[np.float64])
assert_type(refscore.CHRF().pairwise(texts, texts), NDArray[np.float64])
assert_type(refscore.Given("comet").corpus([0.5, None]), GivenScore)
assert_type(refscore.from_signature("ter"), RowMetric[Any])

evaluation = refscore.evaluate(systems, texts, ["bleu"], units=[1, 2], groups={"domain": ["x", "y"]})
assert_type(evaluation, refscore.Evaluation)
assert_type(evaluation["old"], dict[str, Score])
assert_type(evaluation.interval("bleu", "old", Tests(seed=1)), Interval)
assert_type(evaluation.compare(tests=Tests(test="bootstrap")), SystemComparison)
assert_type(evaluation.agreement({"old": [1, None], "new": [2.5, 3]}), Judgments)
assert_type(evaluation.report(reporting=Reporting(holm=True)), Report)
assert_type(refscore.compare({"old": [texts, texts], "new": {"one": texts}}, texts, by=["x", "y"]), SystemComparison)

rows = refscore.TER().stats(texts, texts)
assert_type(bootstrap("ter", rows, resamples=10), Interval)
assert_type(paired_bootstrap("ter", {"a": rows, "b": rows}), Comparison)
assert_type(paired_bootstrap(["ter"], {"ter": {"a": rows, "b": rows}}), dict[str, Comparison])
assert_type(rank_metrics(Judgments.from_scores([[1, None], [2, 3]], {"m": [[1.0, 2.0], [3.0, 4.0]]})), MetricRanking)
assert_type(build_report(systems, texts, human=[[1, 2], [3, 4]]), Report)
assert_type(compare_conventions(texts, texts, "ter"), Conventions)
assert_type(mbr.choose(texts), mbr.RankedCandidates)
metric: Metric[BLEUScore] = refscore.BLEU.with_settings({"preset": "nltk"})

# Each line below has an error.
refscore.bleu(texts, texts, 2)
refscore.bleu(5, texts)
refscore.chrf(texts, texts, preset="ntlk")
refscore.evaluate(systems, texts, units=5)
refscore.evaluate(systems, texts, groups=["x", "y"])
refscore.compare(5, texts)
refscore.compare(systems, texts, tests=5)
evaluation.intervals(Tests(seed="x"))
bootstrap("ter", rows, units=3)
build_report(systems, texts, resamples=5)
Judgments.from_scores(5j, metrics=["a"])
