"""Agreement with people: which metric orders systems and segments as human judges do?"""

from refscore.meta.folder import JudgedTestSet
from refscore.meta.judgments import Judgments, MetricScores, judge_evaluation
from refscore.meta.ranking import (
    TASKS,
    AveragedMetric,
    MetricRanking,
    RankedMetric,
    Ranking,
    Task,
    agreement,
    average,
    rank_metrics,
)
from refscore.meta.statistics import STATISTICS, Statistic

__all__ = [
    "STATISTICS",
    "TASKS",
    "AveragedMetric",
    "JudgedTestSet",
    "Judgments",
    "MetricRanking",
    "MetricScores",
    "RankedMetric",
    "Ranking",
    "Statistic",
    "Task",
    "agreement",
    "average",
    "judge_evaluation",
    "rank_metrics",
]
