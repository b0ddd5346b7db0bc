"""Agreement between the metrics of a report and people: its data, its part of the page, and its chart values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.comparison import PairsOfSystems
from refscore.errors import InputError, Location
from refscore.meta import Judgments, MetricRanking, MetricScores, agreement, agreement_by_difference, rank_metrics
from refscore.metrics import Values
from refscore.progress import Progress
from refscore.readers.reader import counted
from refscore.report.chart_data import format_score
from refscore.report.scores import MetricResult, scroll_table
from refscore.report.segment_browser import sample_segments
from refscore.tables.html import escape_text
from refscore.text_display import visible

MOST_POINTS = 2000
TRIALS = 1000
# Tau of fewer ratings is mostly noise.
LEAST_IN_BIN = 10
# Two systems are one pair, on which every accuracy is 0 or 1 and every correlation -1 or 1.
LEAST_SYSTEMS = 3
# Five systems are ten pairs, the fewest in a row of agreement by difference.
LEAST_FOR_DIFFERENCES = 5
# Means that differ by less than this share of the standard deviation are equal up to rounding.
_ROUNDING = 1e-9
# The disagreements that are visible at once. The others are behind "Show".
_SHOWN_PAIRS = 20
_GROUPINGS = {"none": "segments", "item": "segments, by item"}


@dataclass(frozen=True)
class Scatter:
    """Human scores and metric scores of the same outputs, as points of charts."""

    systems: tuple[int, ...]  # the index of each point's system
    segments: tuple[int, ...]  # the index of each point's segment
    human: tuple[float, ...]
    metrics: tuple[tuple[float, ...], ...]  # the printed scores of each metric, one per point
    human_means: tuple[float | None, ...]  # by system; None without ratings
    metric_means: tuple[tuple[float | None, ...], ...]  # by metric and system, over the same outputs


@dataclass(frozen=True)
class HumanBin:
    """The agreement of each metric among outputs with similar human scores."""

    low: float
    high: float
    ratings: int
    values: tuple[float | None, ...]  # Kendall's tau-b of each metric; None if it is undefined


@dataclass(frozen=True)
class Disagreement:
    """Two systems that a metric and people order differently."""

    metric: int  # the index of the metric
    better: int  # the index of the system that people prefer
    worse: int  # the index of the system that the metric prefers
    human: float  # the human difference between `better` and `worse`, which is positive
    difference: float  # the metric's difference between them, unscaled as in `Score.value`
    size: float  # the sum of both differences, each divided by the standard deviation of its segment scores


@dataclass(frozen=True)
class Agreement:
    """How well the metrics of a report agree with people.

    Attributes:
        systems: The names of the systems.
        metrics: The titles of the metrics.
        segments: The number of segments.
        ratings: The number of human scores that are used.
        unscored: The number of human scores that are left out, because a metric has no score for the output.
        same_segments: Whether people rated the same segments of all systems.
        rankings: The metrics by agreement, for each statistic. The page has the order of the first one.
        scatter: Points of human scores and metric scores.
        bins: The agreement within the quarters of human scores.
        disagreements: Pairs of systems that a metric and people order differently, the largest disagreement first.
        differences: How often people agree with each metric on which of two systems is better, by the size of the
            difference. Empty for fewer than five systems with human scores.

    Example:
        >>> from refscore.report import build_report
        >>> references = ["the cat sat on the mat", "it rained all day", "nobody came"]
        >>> systems = {"old": ["a cat on a mat", "it rains", "no one came"], "new": references}
        >>> report = build_report(systems, references, metrics=["chrf"], human={"old": [3, 2, 4], "new": [5, 5, 5]})
        >>> report.agreement.ratings, report.agreement.disagreements
        (6, ())
        >>> [f"{ranking.statistic.name} {ranking.metrics[0].value:.2f}" for ranking in report.agreement.rankings]
        ['acc-eq 1.00', 'pearson 0.84']
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    segments: int
    ratings: int
    unscored: int
    same_segments: bool
    rankings: tuple[MetricRanking, ...]
    scatter: Scatter
    bins: tuple[HumanBin, ...]
    disagreements: tuple[Disagreement, ...]
    differences: tuple[tuple[PairsOfSystems, ...], ...]

    def __repr__(self) -> str:
        return f"<agreement of {', '.join(self.metrics)} with people: {counted(self.ratings, 'human score')}>"


def check_human(human: Any, systems: Sequence[str], segments: int) -> Judgments:
    """Return human scores as judgments of these systems, without metrics."""
    named = human.systems if isinstance(human, Judgments) else human if isinstance(human, Mapping) else systems
    absent = [name for name in systems if name not in named]
    if absent:
        raise InputError(Location("human"), f"has no system {absent[0]!r}", f"it has {', '.join(map(str, named))}")
    if isinstance(human, Judgments):
        judgments = human.select(systems)
    elif isinstance(human, Mapping):
        judgments = Judgments.from_scores({name: human[name] for name in systems})
    else:
        judgments = replace(Judgments.from_scores(human), systems=tuple(systems))
        if len(judgments.human) != len(systems):
            problem = f"has {len(judgments.human)} rows for {len(systems)} systems"
            raise InputError(Location("human"), problem, "pass one row of scores per system")
    if judgments.human.shape[1] != segments:
        problem = f"has {judgments.human.shape[1]:,} scores per system for {segments:,} segments"
        raise InputError(Location("human"), problem, "pass one score per segment, None if it is missing")
    return judgments


def judgments_of(
    results: Sequence[MetricResult], values: Mapping[str, Sequence[Values]], human: Judgments
) -> Judgments:
    """Return human scores together with the scores of the report's metrics.

    A human score is left out if a metric has no score for the output, so all metrics are compared on the same outputs.
    `values` has the segment scores of each metric and system, by title.
    """
    segments = {result.title: np.array(values[result.title], dtype=np.float64) for result in results}
    whole = {result.title: np.array([score.value for score in result.scores]) for result in results}
    is_scored = np.logical_and.reduce([np.isfinite(matrix) for matrix in segments.values()])
    has_score = np.logical_and.reduce([np.isfinite(vector) for vector in whole.values()])
    judgments = Judgments(
        human.systems,
        np.where(is_scored, human.human, np.nan),
        np.where(has_score, human.human_systems, np.nan),
        annotators={name: np.where(is_scored, scores, np.nan) for name, scores in human.annotators.items()},
    )
    if judgments.ratings < 2:
        problem = f"has {counted(judgments.ratings, 'score')} of outputs that all metrics score"
        raise InputError(Location("human"), problem, "give at least two")
    metrics = {}
    for result in results:
        sign = 1.0 if result.metric.higher_is_better else -1.0
        # Statistics skip outputs without a human score, so any number may replace a missing score.
        matrix = np.where(is_scored, sign * segments[result.title], 0.0)
        metrics[result.title] = MetricScores(matrix, np.where(has_score, sign * whole[result.title], 0.0))
    return replace(judgments, metrics=metrics)


def measure_agreement(
    results: Sequence[MetricResult],
    values: Mapping[str, Sequence[Values]],
    human: Judgments,
    *,
    alpha: float,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Agreement:
    """Return how well the metrics of a report agree with people. `judgments_of` returns the `values`."""
    judgments = judgments_of(results, values, human)
    rated = np.isfinite(judgments.human)
    return Agreement(
        systems=judgments.systems,
        metrics=tuple(judgments.metrics),
        segments=judgments.human.shape[1],
        ratings=judgments.ratings,
        unscored=human.ratings - judgments.ratings,
        same_segments=bool((rated == rated[0]).all()),
        rankings=_rank(judgments, alpha=alpha, seed=seed, threads=threads, progress=progress),
        scatter=_scatter(judgments, results, seed),
        bins=_bins(judgments, threads),
        disagreements=_disagreements(judgments, results),
        differences=_differences(judgments, results),
    )


def _rank(judgments: Judgments, **options: Any) -> tuple[MetricRanking, ...]:
    rated = np.isfinite(judgments.human)
    rankings = []
    if (rated.sum(axis=0) > 1).any():
        rankings.append(rank_metrics(judgments, "acc-eq", by="item", trials=TRIALS, **options))
    rankings.append(rank_metrics(judgments, "pearson", by="none", trials=TRIALS, **options))
    if np.isfinite(judgments.human_systems).sum() >= LEAST_SYSTEMS:
        for statistic in ("pairwise-accuracy", "pearson"):
            rankings.append(rank_metrics(judgments, statistic, level="system", trials=TRIALS, **options))
    return tuple(rankings)


def _scatter(judgments: Judgments, results: Sequence[MetricResult], seed: int) -> Scatter:
    # More than `MOST_POINTS` are sampled, the same for all metrics.
    rated: NDArray[np.bool_] = np.isfinite(judgments.human)
    systems, segments = np.nonzero(rated)
    drawn = np.asarray(sample_segments(len(systems), MOST_POINTS, seed), dtype=np.int64)
    systems, segments = systems[drawn], segments[drawn]
    printed = [_printed(judgments, result) for result in results]
    return Scatter(
        tuple(systems.tolist()),
        tuple(segments.tolist()),
        tuple(judgments.human[systems, segments].tolist()),
        tuple(tuple(scores[systems, segments].tolist()) for scores in printed),
        _means(judgments.human, rated),
        tuple(_means(scores, rated) for scores in printed),
    )


def _printed(judgments: Judgments, result: MetricResult) -> NDArray[np.float64]:
    """Return segment scores as they are printed. Judgments have the opposite sign if lower scores are better."""
    matrix = judgments.metrics[result.title].segments
    assert matrix is not None
    sign = 1 if result.metric.higher_is_better else -1
    return sign * result.metric.printed_scale * matrix


def _means(scores: NDArray[np.float64], rated: NDArray[np.bool_]) -> tuple[float | None, ...]:
    return tuple(
        math.fsum(line[places]) / int(places.sum()) if places.any() else None
        for line, places in zip(scores, rated, strict=True)
    )


def _bins(judgments: Judgments, threads: int | None) -> tuple[HumanBin, ...]:
    """Return the agreement within the quarters of human scores. Equal human scores share a bin.

    The statistic is tau-b: it is 0 by chance in every bin, because it corrects for ties. The accuracy of pairs depends
    on the share of ties between human scores, which differs between bins.
    """
    human = judgments.human
    scores = human[np.isfinite(human)]
    # Each quartile is one of the scores, so "at most the quartile" keeps equal scores together.
    quartiles = np.quantile(scores, (0.25, 0.5, 0.75), method="inverted_cdf")
    codes = np.where(np.isfinite(human), np.searchsorted(quartiles, human), -1)
    bins = []
    for code in range(len(quartiles) + 1):
        inside = codes == code
        ratings = int(inside.sum())
        if ratings < LEAST_IN_BIN:
            continue
        values = agreement(
            replace(judgments, human=np.where(inside, human, np.nan)), "tau-b", by="none", threads=threads
        )
        shown = tuple(value if np.isfinite(value) else None for value in values.values())
        bins.append(HumanBin(float(human[inside].min()), float(human[inside].max()), ratings, shown))
    return tuple(bins)


def _disagreements(judgments: Judgments, results: Sequence[MetricResult]) -> tuple[Disagreement, ...]:
    rated = np.isfinite(judgments.human)
    people = judgments.human_systems
    spread = float(judgments.human[rated].std())
    pairs = []
    for index, result in enumerate(results):
        scores = judgments.metrics[result.title]
        assert scores.segments is not None
        metric_spread = float(scores.segments[rated].std())
        sign = 1 if result.metric.higher_is_better else -1
        for one, other in combinations(range(len(people)), 2):
            human, metric = people[one] - people[other], scores.systems[one] - scores.systems[other]
            if not human * metric < 0:  # also without a human score, which is NaN
                continue
            parts = _ratio(abs(human), spread), _ratio(abs(metric), metric_spread)
            if min(parts) < _ROUNDING:
                continue
            better, worse = (one, other) if human > 0 else (other, one)
            size = sum(parts)
            pairs.append(Disagreement(index, better, worse, float(abs(human)), -sign * float(abs(metric)), size))
    # Equal sizes in the order of metrics and systems, so the page is reproducible.
    return tuple(sorted(pairs, key=lambda pair: (-pair.size, pair.metric, pair.better, pair.worse)))


def _differences(judgments: Judgments, results: Sequence[MetricResult]) -> tuple[tuple[PairsOfSystems, ...], ...]:
    if np.isfinite(judgments.human_systems).sum() < LEAST_FOR_DIFFERENCES:
        return ()
    printed = {
        result.title: MetricScores(None, result.metric.printed_scale * judgments.metrics[result.title].systems)
        for result in results
    }
    return tuple(agreement_by_difference(replace(judgments, metrics=printed)).metrics.values())


def _ratio(difference: float, spread: float) -> float:
    """Return a difference in standard deviations. Without a spread, it stays as it is."""
    return float(difference / spread) if spread > 0 else float(difference)


def human_digits(agreement: Agreement) -> int:
    """Return the number of decimals of human scores: 2, or more if all human scores are close together."""
    scores = agreement.scatter.human
    spread = max(scores) - min(scores)
    return min(6, max(2, 2 - math.floor(math.log10(spread)))) if spread > 0 else 2


def render_agreement(agreement: Agreement, results: Sequence[MetricResult]) -> str:
    """Return the part of the page about agreement with people."""
    return "\n".join(
        [
            '<section id="agreement" aria-labelledby="agreement-title">',
            '<h2 id="agreement-title">Agreement with people</h2>',
            f'<p class="lead">{_facts(agreement)}</p>',
            _ranking_table(agreement),
            '<div id="agreement-copies"></div>',
            f'<p class="lead">{_ranking_note(agreement)}</p>',
            '<div class="charts" id="agreement-charts"></div>',
            *([] if agreement.bins else [f'<p class="lead">{_NO_BINS}</p>']),
            *([] if agreement.differences else [f'<p class="lead">{_NO_DIFFERENCES}</p>']),
            '<h3 id="disagreements">Pairs of systems that a metric and people order differently</h3>',
            _disagreement_tables(agreement, results),
            "</section>",
        ]
    )


_NO_DIFFERENCES = f"What a difference means needs {LEAST_FOR_DIFFERENCES} systems with human scores."
_NO_BINS = f"No quarter of the human scores has {LEAST_IN_BIN} ratings, so there is no agreement by human score."


def _facts(agreement: Agreement) -> str:
    outputs = len(agreement.systems) * agreement.segments
    rated = f"all {outputs:,}" if agreement.ratings == outputs else f"{agreement.ratings:,} of the {outputs:,}"
    sentences = [f"The page uses human scores of {rated} outputs."]
    if agreement.unscored:
        sentences.append(
            f"It leaves out {counted(agreement.unscored, 'human score')} of outputs that a metric does not score."
        )
    if not agreement.same_segments:
        sentences.append(
            "People rated different segments of different systems, so the mean human scores of two systems may differ "
            "because of their segments."
        )
    return " ".join(sentences)


def _ranking_table(agreement: Agreement) -> str:
    heads = "".join(
        f'<th scope="col" class="number">{escape_text(ranking.statistic.title)}'
        f'<span class="interval">{_grouping(ranking)}</span></th>'
        for ranking in agreement.rankings
    )
    rows = "".join(
        f'<tr><th scope="row">{escape_text(metric.name)}</th>'
        f"{''.join(_ranking_cell(ranking, metric.name) for ranking in agreement.rankings)}</tr>"
        for metric in agreement.rankings[0]
    )
    # How well people agree with each other: a metric can hardly agree better.
    annotators = dict.fromkeys(ceiling.name for ranking in agreement.rankings for ceiling in ranking.ceilings)
    rows += "".join(
        f'<tr class="annotator"><th scope="row">{escape_text(name)}<span class="interval">annotator</span></th>'
        f"{''.join(_ceiling_cell(ranking, name) for ranking in agreement.rankings)}</tr>"
        for name in annotators
    )
    caption = "Metrics by agreement with people, the best first"
    heads = f'<th scope="col">Metric</th>{heads}'
    return scroll_table(caption, heads, f"<tbody>{rows}</tbody>", 'class="scores" id="agreement-table"')


def _grouping(ranking: MetricRanking) -> str:
    return "systems" if ranking.level == "system" else _GROUPINGS[ranking.by]


def _ranking_cell(ranking: MetricRanking, name: str) -> str:
    metric = ranking[name]
    if math.isnan(metric.value):
        return '<td class="number"><span class="value">–</span></td>'
    cluster = "" if metric.cluster is None else f'<span class="interval">cluster {metric.cluster}</span>'
    best = " best" if metric.cluster == 1 else ""
    value = f"{metric.value:.4f}".replace("-", "−")
    return f'<td class="number{best}"><span class="value">{value}</span>{cluster}</td>'


def _ceiling_cell(ranking: MetricRanking, name: str) -> str:
    ceiling = next((ceiling for ceiling in ranking.ceilings if ceiling.name == name), None)
    if ceiling is None or math.isnan(ceiling.value):
        return '<td class="number"><span class="value">–</span></td>'
    value = f"{ceiling.value:.4f}".replace("-", "−")
    outputs = f'<span class="interval">{counted(ceiling.ratings, "output")}</span>'
    return f'<td class="number"><span class="value">{value}</span>{outputs}</td>'


def _ranking_note(agreement: Agreement) -> str:
    names = {ranking.statistic.name for ranking in agreement.rankings}
    sentences = []
    if "acc-eq" in names:
        sentences.append(
            "acc*_eq: the share of pairs of systems that people and the metric order or tie alike, averaged over "
            "segments. The threshold for ties of the metric is the one with the highest share."
        )
    sentences.append("Pearson’s r: the linear correlation of all scores.")
    if "pairwise-accuracy" in names:
        sentences.append("Pairwise accuracy: the share of pairs of systems that people and the metric order alike.")
    else:
        sentences.append(f"Agreement on systems needs {LEAST_SYSTEMS} systems with human scores.")
    tested = agreement.rankings[0]
    if tested.trials:
        sentences.append(
            "★ marks cluster 1. A cluster ends before the first metric that agrees significantly worse than one of its "
            f"metrics (p ≤ {tested.alpha:g}, {tested.trials:,} random swaps of scores)."
        )
    if tested.ceilings:
        sentences.append(
            "Annotators are compared with the human scores on the outputs that both scored. A metric can hardly agree "
            "better."
        )
    return " ".join(sentences)


def _disagreement_tables(agreement: Agreement, results: Sequence[MetricResult]) -> str:
    pairs = agreement.disagreements
    if not pairs:
        return f'<p class="lead">{_why_none(agreement)}</p>'
    digits = human_digits(agreement)
    table = _pairs_table(agreement, results, pairs[:_SHOWN_PAIRS], digits, "Disagreements, the largest first")
    rest = pairs[_SHOWN_PAIRS:]
    if rest:
        more = _pairs_table(agreement, results, rest, digits, "More disagreements")
        table += f"\n<details><summary>Show {len(rest):,} smaller disagreements</summary>\n{more}\n</details>"
    note = (
        "Human scores are means over rated segments. Metrics have their scores of the whole test set. The differences "
        "are those of the first system minus the second one. The size is the sum of both differences, each divided by "
        "the standard deviation of its segment scores. Differences are not tested."
    )
    return f'{table}\n<div id="disagreement-copies"></div>\n<p class="lead">{note}</p>'


def _why_none(agreement: Agreement) -> str:
    rated = sum(mean is not None for mean in agreement.scatter.human_means)
    if rated < 2:
        return "There are not two systems with human scores, so there are no pairs."
    return "There are none: no metric prefers a system to one that people prefer."


def _pairs_table(
    agreement: Agreement, results: Sequence[MetricResult], pairs: Sequence[Disagreement], digits: int, caption: str
) -> str:
    names = "".join(f'<th scope="col">{title}</th>' for title in ("People prefer", "The metric prefers", "Metric"))
    numbers = ("Human difference", "Metric difference", "Size")
    heads = names + "".join(f'<th scope="col" class="number">{title}</th>' for title in numbers)
    rows = "".join(
        f"<tr><td>{escape_text(agreement.systems[pair.better])}</td><td>{escape_text(agreement.systems[pair.worse])}</td>"
        f"<td>{escape_text(agreement.metrics[pair.metric])}</td>"
        f'<td class="number">+{pair.human:.{digits}f}</td>'
        f'<td class="number">{format_score(results[pair.metric].metric, pair.difference, "+")}</td>'
        f'<td class="number">{pair.size:.2f}</td></tr>'
        for pair in pairs
    )
    return scroll_table(caption, heads, f"<tbody>{rows}</tbody>", 'class="disagreements"')


def agreement_settings(agreement: Agreement) -> list[tuple[str, str]]:
    """Return the name and signature of each ranking."""
    return [
        (f"Agreement: {ranking.statistic.title}, {_grouping(ranking)}", ranking.signature)
        for ranking in agreement.rankings
    ]


def agreement_data(agreement: Agreement, results: Sequence[MetricResult]) -> dict[str, Any]:
    """Return the agreement as JSON values. Systems and metrics are indexes; scores are those that are printed."""
    places = {name: index for index, name in enumerate(agreement.metrics)}
    return {
        "ratings": agreement.ratings,
        "unscored": agreement.unscored,
        "digits": human_digits(agreement),
        "rankings": [
            {
                "statistic": ranking.statistic.name,
                "level": ranking.level,
                "title": ranking.statistic.title,
                "grouping": _grouping(ranking),
                "signature": visible(ranking.signature),
                "metrics": [
                    {
                        "metric": places[metric.name],
                        "value": None if math.isnan(metric.value) else metric.value,
                        "cluster": metric.cluster,
                        "threshold": metric.threshold,
                    }
                    for metric in ranking
                ],
                "annotators": [
                    {"name": visible(ceiling.name), "value": None if math.isnan(ceiling.value) else ceiling.value}
                    for ceiling in ranking.ceilings
                ],
            }
            for ranking in agreement.rankings
        ],
        "scatter": asdict(agreement.scatter),
        "bins": [asdict(each) for each in agreement.bins],
        "disagreements": [
            {**asdict(pair), "difference": results[pair.metric].metric.printed_scale * pair.difference}
            for pair in agreement.disagreements
        ],
        "differences": [[row.to_dict() for row in rows] for rows in agreement.differences],
    }
