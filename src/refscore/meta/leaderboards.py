"""Published leaderboards: their tasks, and the human scores, references and systems that they use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from refscore.errors import look_up
from refscore.meta.folder import JudgedTestSet, language_pairs
from refscore.meta.judgments import Judgments
from refscore.meta.statistics import Grouping, Level
from refscore.metrics import MetricChoices


@dataclass(frozen=True)
class Task:
    """One statistic in an average.

    Attributes:
        statistic: The statistic.
        level: "segment" or "system".
        by: How segments are grouped. None for the statistic's usual grouping.
        together: Whether all language pairs are one task. Otherwise each is a task with this weight.
        weight: The weight in the average, once for each language pair.
        subsets: Whether each subset of a language pair's judgments is one more task. They share the weight.
    """

    statistic: str
    level: Level
    by: Grouping | None = None
    together: bool = False
    weight: float = 1.0
    subsets: bool = False


@dataclass(frozen=True)
class JudgedPair:
    """One language pair of a leaderboard.

    Attributes:
        human: The name of the human scores.
        reference: The name of the reference.
        with_human: Whether other human translations count as systems.
        without: The systems that are left out, such as outliers.
    """

    human: str
    reference: str = "refA"
    with_human: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Leaderboard:
    """A published leaderboard.

    Attributes:
        tasks: What is averaged.
        pairs: Its language pairs.
        metrics: Its metrics: one submission of each participant, and baselines. Folders have more.
        by_rank: Whether ranks in tasks (significance clusters) are averaged instead of values.

    Example:
        >>> from refscore.meta import LEADERBOARDS
        >>> LEADERBOARDS["wmt23"].pairs["he-en"]
        JudgedPair(human='mqm', reference='refB', with_human=True, without=())
    """

    tasks: tuple[Task, ...]
    pairs: Mapping[str, JudgedPair]
    metrics: frozenset[str] = field(repr=False)
    by_rank: bool = False


_MQM = JudgedPair("mqm")
_ESA = JudgedPair("esa")
_FIRST_ESA = JudgedPair("esa-human1")  # of two annotators

_WMT22_METRICS = """
    BERTScore BLEU BLEURT-20 COMET-20 COMET-22 COMET-QE COMETKiwi HWTSC-Teacher-Sim
    HuaweiTSC_EE_BERTScore_0.3_With_Human MATESE MATESE-QE MEE4 MS-COMET-22 MS-COMET-QE-22 REUSE SEScore UniTE UniTE-src
    YiSi-1 chrF f200spBLEU metricx_xxl_MQM_2020
"""
_WMT23_METRICS = """
    BERTscore BLEU BLEURT-20 COMET Calibri-COMET22 Calibri-COMET22-QE CometKiwi GEMBA-MQM KG-BERTScore MEE4
    MS-COMET-QE-22 MaTESe MetricX-23 MetricX-23-QE Random-sysname XCOMET-Ensemble XCOMET-QE-Ensemble XLsim YiSi-1 chrF
    cometoid22-wmt22 docWMT22CometDA docWMT22CometKiwiDA eBLEU embed_llama f200spBLEU mbr-metricx-qe
    mre-score-labse-regular prismRef prismSrc sescoreX tokengram_F
"""
_WMT24_METRICS = """
    BERTScore BLCOM_1 BLEU BLEURT-20 COMET-22 CometKiwi MEE4 MetricX-24-Hybrid MetricX-24-Hybrid-QE PrismRefMedium
    PrismRefSmall XCOMET XCOMET-QE XLsimMqm YiSi-1 bright-qe chrF chrfS damonmonli gemba_esa
    metametrics_mt_mqm_hybrid_kendall metametrics_mt_mqm_qe_kendall.seg.s sentinel-cand-mqm sentinel-ref-mqm
    sentinel-src-mqm spBLEU
"""
_WMT24_ESA_PAIRS = "cs-uk en-cs en-hi en-is en-ja en-ru en-uk en-zh"
_WMT25_METRICS = """
    EnsembleSlick GEMBA-v2 MetricX-25 Polycand-2 Q_Relative-MQM SEGALE-QE TASER-No-Ref UvA-MT comet-multi hw-tsc mr7_2_1
    rankedCOMET
"""
_WMT25_ESA_PAIRS = """
    cs-de_DE cs-uk_UA en-ar_EG en-bho_IN en-cs_CZ en-et_EE en-is_IS en-it_IT en-ja_JP en-mas_KE en-ru_RU en-sr_Cyrl_RS
    en-uk_UA en-zh_CN
"""
_SOFT_AND_CALIBRATED = (Task("spa", "system"), Task("acc-eq", "segment", "item"))

# The settings are facts from mt_metrics_eval.meta_info and mt_metrics_eval.tasks.
LEADERBOARDS: Mapping[str, Leaderboard] = {
    # Freitag et al. (2022), "Results of WMT22 Metrics Shared Task", and mt-metrics-eval's wmt22_metrics.ipynb: language
    # pairs, domains, levels, human translations, groupings and correlations share the weight, in this order.
    "wmt22": Leaderboard(
        (
            Task("pairwise-accuracy", "system", together=True, weight=1 / 3),
            *(Task(name, "system", weight=1 / 4, subsets=True) for name in ("pearson", "tau-b")),
            *(
                Task(name, "segment", by, weight=1 / 12, subsets=True)
                for by in ("none", "system", "item")
                for name in ("pearson", "tau-b")
            ),
        ),
        {"en-de": replace(_MQM, without=("M2M100_1.2B-B4",)), "en-ru": _MQM, "zh-en": _MQM},
        frozenset(_WMT22_METRICS.split()),
        by_rank=True,
    ),
    # Freitag et al. (2023), "Results of WMT23 Metrics Shared Task".
    "wmt23": Leaderboard(
        (
            Task("pairwise-accuracy", "system", together=True),
            Task("pearson", "system"),
            Task("pearson", "segment", "none"),
            Task("acc-eq", "segment", "item"),
        ),
        {
            "en-de": replace(_MQM, without=("synthetic_ref",)),
            "he-en": replace(_MQM, reference="refB", with_human=True),
            "zh-en": replace(_MQM, without=("synthetic_ref",)),
        },
        frozenset(_WMT23_METRICS.split()),
    ),
    # Freitag et al. (2024), "Are LLMs Breaking MT Metrics?".
    "wmt24": Leaderboard(
        _SOFT_AND_CALIBRATED,
        {
            "en-de": replace(_MQM, reference="refB", with_human=True, without=("MSLC",)),
            "en-es": replace(_MQM, without=("MSLC",)),
            "ja-zh": replace(_MQM, without=("MSLC",)),
        },
        frozenset(_WMT24_METRICS.split()),
    ),
    "wmt24-esa": Leaderboard(
        _SOFT_AND_CALIBRATED,
        dict.fromkeys(_WMT24_ESA_PAIRS.split(), _ESA),
        frozenset(_WMT24_METRICS.split()),
    ),
    # Lavie et al. (2025), "Findings of the WMT25 Shared Task on Automated Translation Evaluation Systems".
    "wmt25": Leaderboard(
        _SOFT_AND_CALIBRATED,
        {**dict.fromkeys(("en-ko_KR", "ja-zh_CN"), _MQM), **dict.fromkeys(_WMT25_ESA_PAIRS.split(), _FIRST_ESA)},
        frozenset(_WMT25_METRICS.split()),
    ),
}
"""Published leaderboards by name."""

TASKS: Mapping[str, tuple[Task, ...]] = {name: board.tasks for name, board in LEADERBOARDS.items()}
"""The tasks of published leaderboards by name."""


def read_leaderboard(
    folder: str | Path,
    name: str = "wmt24",
    *,
    pairs: Iterable[str] | None = None,
    human: Mapping[str, str] | None = None,
    references: Mapping[str, str] | None = None,
    without: Iterable[str] = (),
    metrics: MetricChoices | None = None,
    all_metrics: bool = False,
    threads: int | None = None,
) -> dict[str, Judgments]:
    """Return the judgments of a leaderboard's language pairs, with the human scores, references and systems it uses.

    A folder without these language pairs, human scores, references or metrics is read as far as they are not ambiguous.

    Args:
        folder: A folder in mt-metrics-eval's layout.
        name: The leaderboard, a name in `LEADERBOARDS`.
        pairs: The language pairs. By default the leaderboard's, or all of the folder if it has none of them.
        human: The human scores of language pairs that differ from the leaderboard's.
        references: The references of language pairs that differ from the leaderboard's.
        without: More systems to leave out.
        metrics: Metrics to compute from text, as for `JudgedTestSet.judgments`.
        all_metrics: Whether to read all metrics in the folder, instead of the leaderboard's.
        threads: The number of threads, by default all cores.
    """
    board = look_up("leaderboard", name, LEADERBOARDS)
    known = language_pairs(folder)
    chosen = list(pairs or [pair for pair in board.pairs if pair in known] or known)
    sets = [JudgedTestSet.open(folder, pair) for pair in chosen] or [JudgedTestSet.open(folder)]
    chosen_human, chosen_references = human or {}, references or {}
    judgments = {}
    for each in sets:
        used = board.pairs.get(each.pair, JudgedPair("", ""))
        is_listed = any(metric.rpartition("-")[0] in board.metrics for metric in each.metric_names)
        judgments[each.pair] = each.judgments(
            human=chosen_human.get(each.pair, used.human if used.human in each.human_names else None),
            reference=chosen_references.get(each.pair, used.reference if used.reference in each.references else None),
            with_human=used.with_human,
            without=[system for system in (*used.without, *without) if system in each.outputs],
            metrics=metrics,
            given=board.metrics if is_listed and not all_metrics else True,
            as_published=True,
            subsets=any(task.subsets for task in board.tasks),
            threads=threads,
        )
    return judgments
