"""Agreement with people: which metric orders systems and segments as human judges do?"""

from refscore.meta.averages import Average, AveragedMetric, average
from refscore.meta.differences import agreement_by_difference
from refscore.meta.folder import JudgedTestSet
from refscore.meta.judged_lines import JudgedLines
from refscore.meta.judgments import Judgments, MetricScores, judge_evaluation
from refscore.meta.leaderboards import (
    LEADERBOARDS,
    TASKS,
    JudgedPair,
    Leaderboard,
    Task,
    read_leaderboard,
)
from refscore.meta.ranking import Ceiling, MetricRanking, RankedMetric, Ranking, agreement, rank_metrics
from refscore.meta.selection import Selection, select_diverse_segments, select_segments
from refscore.meta.spans import ErrorSpan, MarkedText, SpanF1, SpanScore, read_spans
from refscore.meta.statistics import STATISTICS, Statistic

__all__ = [
    "LEADERBOARDS",
    "STATISTICS",
    "TASKS",
    "Average",
    "AveragedMetric",
    "Ceiling",
    "ErrorSpan",
    "JudgedLines",
    "JudgedPair",
    "JudgedTestSet",
    "Judgments",
    "Leaderboard",
    "MarkedText",
    "MetricRanking",
    "MetricScores",
    "RankedMetric",
    "Ranking",
    "Selection",
    "SpanF1",
    "SpanScore",
    "Statistic",
    "Task",
    "agreement",
    "agreement_by_difference",
    "average",
    "judge_evaluation",
    "rank_metrics",
    "read_leaderboard",
    "read_spans",
    "select_diverse_segments",
    "select_segments",
]
