"""Agreement with people: which metric orders systems and segments as human judges do?"""

from refscore.meta.folder import JudgedTestSet
from refscore.meta.judgments import Judgments, MetricScores, judge_evaluation
from refscore.meta.ranking import MetricRanking, RankedMetric, Ranking, agreement, rank_metrics
from refscore.meta.statistics import STATISTICS, Statistic
from refscore.meta.tasks import TASKS, AveragedMetric, Task, average

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
