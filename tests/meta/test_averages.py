"""Averages over tasks and their tests equal plain definitions, and mt-metrics-eval on folders in its layouts."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest

import refscore
from refscore.meta import LEADERBOARDS, Judgments, Task, agreement, average, rank_metrics, read_leaderboard
from refscore.meta.statistics import PERMUTATIONS
from refscore.significance import draws
from tests.meta.scores import flat, generate
from tests.meta.test_folder import fails, write_scores
from tests.meta.test_tests import flat_statistic
from tests.reference import meta as oracle

TASKS = [
    Task("pairwise-accuracy", "system", together=True, weight=2),
    Task("pearson", "segment", "none"),
    Task("acc-eq", "segment", "item"),
    Task("spa", "system"),
]


def drawn_swaps(seed, part, count, size):
    return (draws.swaps(seed, 0, count, size, stream=draws.METRICS + part)() == 1).tolist()


def leads_of_scores(statistic, people, first, second, swaps):
    """Return the lead of the second metric as observed and in each draw, for flat lists of scores."""
    first, second = oracle.standardized(first), oracle.standardized(second)
    leads = []
    for row in [[False] * len(people), *swaps]:
        mixed = [(b, a) if swap else (a, b) for a, b, swap in zip(first, second, row, strict=True)]
        one, other = map(list, zip(*mixed, strict=True))
        leads.append(statistic(people, other) - statistic(people, one))
    return leads


def expected_leads(pairs, worse, better, trials, seed):
    """Return the weighted leads of all tasks in TASKS, for the judgments of two language pairs."""
    total = np.zeros(trials + 1)
    part = 0
    human = [np.array(people).mean(axis=1).tolist() for people, _ in pairs]
    one, other = ([np.array(metrics[name]).mean(axis=1).tolist() for _, metrics in pairs] for name in (worse, better))
    sizes = [len(own) for own in human]
    value = flat_statistic("acc-23", sizes)
    swaps = drawn_swaps(seed, part, trials, sum(sizes))
    # Groups count by their pairs, which are equally many here.
    total += 4 * np.array(
        leads_of_scores(value, *([*itertools.chain(*scores)] for scores in (human, one, other)), swaps)
    )
    for task in TASKS[1:]:
        for people, metrics in pairs:
            part += 1
            first, second = metrics[worse], metrics[better]
            if task.statistic == "pearson":
                flats = [[*itertools.chain(*scores)] for scores in (people, first, second)]
                swaps = drawn_swaps(seed, part, trials, len(flats[0]))
                leads = np.array(leads_of_scores(oracle.pearson, *flats, swaps)) / 2
            elif task.statistic == "acc-eq":
                thresholds = [oracle.acc_eq(people, scores, "item")[1] for scores in (first, second)]
                groups, first = flat(people, first, "item")
                _, second = flat(people, second, "item")
                count = sum(len(group) * (len(group) - 1) // 2 for group in groups)
                swaps = drawn_swaps(seed, part, trials, count)
                leads = np.array([*map(float, oracle.swapped_comparisons(groups, first, second, thresholds, swaps))])
            else:
                systems, segments = len(people), len(people[0])
                signs = (1 - 2 * draws.swaps(seed, 0, PERMUTATIONS, segments)()).tolist()

                def soft(gold, scores, systems=systems, segments=segments, signs=signs):
                    tables = (np.array(each).reshape(systems, segments).tolist() for each in (gold, scores))
                    return oracle.soft_pairwise_accuracy(*tables, signs)

                flats = [[*itertools.chain(*scores)] for scores in (people, first, second)]
                leads = np.array(leads_of_scores(soft, *flats, drawn_swaps(seed, part, trials, len(flats[0]))))
            total += leads
    return total


def test_p_values():
    """Leads of all tasks are added by weight, with independent draws for each task and language pair."""
    pairs = [generate(seed, 3, 7, levels=6, metrics=3) for seed in (1, 2)]
    judgments = {name: Judgments.from_scores(*pair) for name, pair in zip(("cs-uk", "en-de"), pairs, strict=True)}
    trials, seed = 12, 5
    found = average(judgments, TASKS, trials=trials, seed=seed)
    for better, worse in itertools.combinations([metric.name for metric in found], 2):
        leads = expected_leads(pairs, worse, better, trials, seed)
        expected = (leads >= leads[0] - 1e-9).mean()
        assert found.p(better, worse) == pytest.approx(expected, abs=1e-12), (better, worse)
    assert [metric.cluster for metric in found] == sorted(metric.cluster for metric in found)


def test_comparisons_in_groups_of_different_sizes():
    human, metrics = generate(11, 5, 12, levels=4, gaps=0.3, metrics=2)
    judgments = Judgments.from_scores(human, metrics)
    found = average({"x": judgments}, [Task("acc-eq", "segment", "item")], trials=30, seed=3)
    (better, worse), by_item = [metric.name for metric in found], {}
    for name, scores in metrics.items():
        people, by_item[name] = flat(human, scores, "item")
    thresholds = [oracle.acc_eq(human, metrics[name], "item")[1] for name in (worse, better)]
    count = sum(len(group) * (len(group) - 1) // 2 for group in people)
    # Groups of one size are in the order of segments.
    leads = oracle.swapped_comparisons(
        people, by_item[worse], by_item[better], thresholds, drawn_swaps(3, 0, 30, count)
    )
    assert found.p(better, worse) == sum(lead >= leads[0] for lead in leads) / 31
    values = agreement(judgments, "acc-eq")
    assert float(leads[0]) == pytest.approx(values[better] - values[worse], abs=1e-15)


@pytest.mark.parametrize("tasks", ["wmt23", "wmt25"])
def test_invariance(tasks):
    """Scales, shifts and signs of metrics, and the order of systems, segments and language pairs, change nothing."""
    data = {pair: generate(seed, 5, 20, levels=8, metrics=4) for seed, pair in enumerate(("en-de", "he-en"))}
    expected = average({pair: Judgments.from_scores(*scores) for pair, scores in data.items()}, tasks, trials=50)
    generator = np.random.default_rng(1)

    def moved(change, **settings):
        judgments = {}
        for pair, (human, metrics) in reversed(data.items()):
            places = np.ix_(generator.permutation(5), generator.permutation(20))
            changed = {name: change(np.array(scores))[places] for name, scores in reversed(metrics.items())}
            judgments[pair] = Judgments.from_scores(np.array(human)[places], changed, **settings)
        return average(judgments, tasks, trials=50)

    plain = moved(lambda scores: scores)
    assert plain.p_values.tobytes() == expected.p_values.tobytes()
    assert [(each.name, each.value, each.cluster) for each in plain] == [
        (each.name, each.value, each.cluster) for each in expected
    ]
    for change in (lambda scores: 100 * scores, lambda scores: scores / 3 - 7):
        changed = moved(change)
        assert np.array_equal(changed.p_values, expected.p_values, equal_nan=True)
        assert [each.clusters for each in changed] == [dict(each.clusters) for each in plain]
    negated = moved(lambda scores: -scores, lower_is_better=[*data["en-de"][1]])
    assert np.array_equal(negated.p_values, expected.p_values, equal_nan=True)


def test_undefined_metrics_are_not_tested():
    human, metrics = generate(2, 4, 9, metrics=2)
    metrics["flat"] = [[1.0] * 9] * 4
    found = average({"x": Judgments.from_scores(human, metrics)}, "wmt23", trials=20)
    assert math.isnan(found["flat"].value) and found["flat"].cluster is None
    assert np.isnan(found.p("metric 0", "flat")) and found.trials == 20
    assert "– (–)" in str(found) and found.render("csv").splitlines()[-1].startswith("flat,nan,,")
    assert average({"x": Judgments.from_scores(human, metrics)}, "wmt23", trials=0).p_values is None


def test_one_task_is_a_ranking():
    """Without other tasks, the test is that of a ranking."""
    human, metrics = generate(4, 5, 12, levels=5, metrics=3)
    judgments = Judgments.from_scores(human, metrics)
    for task in (Task("pearson", "segment", "none"), Task("spa", "system"), Task("pearson", "system")):
        found = average({"x": judgments}, [task], trials=60)
        ranking = rank_metrics(judgments, task.statistic, level=task.level, by=task.by, trials=60)
        assert np.array_equal(found.p_values, ranking.p_values, equal_nan=True)
        assert [metric.cluster for metric in found] == [metric.cluster for metric in ranking]


@pytest.mark.parametrize("by", ["none", "item", "system"])
@pytest.mark.parametrize("levels", [None, 3])
def test_pairwise_differences(by, levels):
    human, metrics = generate(3, 4, 9, levels=levels, gaps=0.2, metrics=2)
    human[0] = [1.0] * 9  # a system with equal scores has no differences of its own
    judgments = Judgments.from_scores(human, metrics)
    found = agreement(judgments, "pdp", by=by)
    for name, scores in metrics.items():
        assert found[name] == pytest.approx(oracle.pairwise_pearson(human, scores, by), rel=1e-12)
    flats = {"flat": [[0.1] * 9] * 4}
    assert math.isnan(agreement(Judgments.from_scores(human, flats), "pdp", by=by)["flat"])
    huge = {name: (1e200 * np.array(scores)).tolist() for name, scores in metrics.items()}
    assert agreement(Judgments.from_scores(human, huge), "pdp", by=by) == pytest.approx(found, rel=1e-12)


def test_p_values_of_pairwise_differences():
    human, metrics = generate(5, 4, 8, levels=6, gaps=0.2, metrics=2)
    ranking = rank_metrics(Judgments.from_scores(human, metrics), "pdp", trials=40, seed=9)
    better, worse = (metric.name for metric in ranking)
    people, first = flat(human, metrics[worse], "item")
    _, second = flat(human, metrics[better], "item")
    sizes = np.cumsum([0, *map(len, people)])

    def value(gold, scores):
        groups = [(gold[a:b], scores[a:b]) for a, b in itertools.pairwise(sizes)]
        pairs = [
            (h1 - h2, m1 - m2)
            for group in groups
            for (h1, m1), (h2, m2) in itertools.permutations(zip(*group, strict=True), 2)
        ]
        return oracle.pearson(*map(list, zip(*pairs, strict=True)))

    flats = [[*itertools.chain(*scores)] for scores in (people, first, second)]
    expected = oracle.perm_both(value, *flats, drawn_swaps(9, 0, 40, len(flats[0])))
    assert ranking.p(better, worse) == pytest.approx(expected, abs=1e-14)


def write_test_set(folder, year, pairs, systems, segments, seed, *, metrics=5):
    """Write a folder in mt-metrics-eval's layout of a year; wmt25 has texts as JSON lines and two annotators."""
    generator = np.random.default_rng(seed)
    board = LEADERBOARDS[year]
    root = folder / year.removesuffix("-esa")
    for pair in pairs:
        used = board.pairs[pair]
        has_two = used.with_human or used.reference == "refB" or (year, pair) == ("wmt22", "en-de")
        references = ["refA", "refB"] if has_two else ["refA"]
        names = [f"sys{k}" for k in range(systems)] + references + list(used.without)
        for kind in ("sources", "documents", f"system-outputs/{pair}", "references"):
            (root / kind).mkdir(parents=True, exist_ok=True)
        texts = [f"text {u}" for u in range(segments)]
        domains = [("news", "chat")[u // 3 % 2] for u in range(segments)]
        (root / "documents" / f"{pair}.docs").write_text(
            "".join(f"{domain} d{u // 3}\n" for u, domain in enumerate(domains))
        )

        def write_texts(path, field, texts=texts):
            if year == "wmt25":
                path.with_suffix(".jsonl").write_text("".join(json.dumps({field: text}) + "\n" for text in texts))
            else:
                path.with_suffix(".txt").write_text("".join(f"{text}\n" for text in texts))

        write_texts(root / "sources" / f"{pair}.x", "source")
        for name in references:
            write_texts(root / "references" / f"{pair}.{name}.x", "target")
        for name in names:
            write_texts(root / "system-outputs" / pair / f"{name}.x", "hypothesis")
        truth = generator.normal(size=(len(names), segments)) + generator.normal(size=(len(names), 1))
        rated = generator.random(segments) < 0.8

        def human(noise, truth=truth, names=names, rated=rated):
            scores = np.round(truth + noise * generator.normal(size=truth.shape), 1)
            return {
                name: [float(s) if is_rated else None for s, is_rated in zip(row, rated, strict=True)]
                for name, row in zip(names, scores.tolist(), strict=True)
            }

        def write_wholes(stem, scores, domains=domains):
            """Write the scores of systems, and those of each domain, which differ from means to tell them apart."""
            means = {name: [np.mean([s for s in own if s is not None])] for name, own in scores.items()}
            write_scores(stem.with_name(f"{stem.name}.sys.score"), means)
            lines = []
            for k, domain in enumerate(("news", "chat")):
                for name, own in scores.items():
                    inside = [s for s, d in zip(own, domains, strict=True) if d == domain and s is not None]
                    lines.append(f"{domain}\t{name}\t{np.mean(inside) + k}")
            stem.with_name(f"{stem.name}.domain.score").write_text("".join(f"{line}\n" for line in lines))

        golds = [used.human, used.human.replace("1", "2")] if used.human.endswith("1") else [used.human]
        for gold in golds:
            scores = human(0.3)
            write_scores(root / "human-scores" / f"{pair}.{gold}.seg.score", scores)
            write_wholes(root / "human-scores" / f"{pair}.{gold}", scores)
        for k, metric in enumerate(sorted(board.metrics)[:metrics]):
            scores = truth + (0.2 + 0.7 * k) * generator.normal(size=truth.shape)
            own = dict(zip(names, np.round(scores, 2 + k % 2).tolist(), strict=True))
            stem = root / "metric-scores" / pair / f"{metric}-{used.reference}"
            write_scores(stem.with_name(f"{stem.name}.seg.score"), own)
            write_wholes(stem, own)
    return root


PAIRS = {
    "wmt23": ["en-de", "he-en", "zh-en"],
    "wmt24": ["en-de", "en-es", "ja-zh"],
    "wmt24-esa": ["cs-uk", "en-is"],
    "wmt25": ["cs-uk_UA", "en-ko_KR", "en-sr_Cyrl_RS"],
}


LEVELS = {"sys": "systems", "seg": "segments"}
NAMES = {
    "accuracy": "pairwise accuracy",
    "pearson": "Pearson's r",
    "KendallWithTiesOpt": "acc*_eq",
    "pce": "soft pairwise accuracy",
}


@pytest.mark.parametrize("year", PAIRS)
def test_mt_metrics_eval(year, tmp_path, monkeypatch):
    """All values of all tasks and their averages are equal, and p-values and clusters as close as draws allow."""
    reason = "needs the source of google-research/mt-metrics-eval (not the package of this name on PyPI) and SciPy"
    tasks = pytest.importorskip("mt_metrics_eval.tasks", reason=reason)
    from mt_metrics_eval import data, pce

    root = write_test_set(tmp_path, year, PAIRS[year], 6, 25, 7)
    name = root.name
    # The permutations of soft pairwise accuracy are random in both. Here they are the same.
    monkeypatch.setattr(pce.np.random, "default_rng", lambda seed: SameDraws())
    monkeypatch.setattr("refscore.meta.statistics._in_order_of_scores", lambda judgments: judgments)
    sets = {(name, pair): data.EvalSet(name, pair, True, path=str(tmp_path)) for pair in PAIRS[year]}
    for each in sets.values():
        each.SetPrimaryMetrics(set(LEADERBOARDS[year].metrics))
    np.random.seed(1)
    count = 120
    task_set, weights = getattr(tasks, name.upper())(PAIRS[year], k=count)
    for task in task_set:
        task.block_size = count  # no early stop
    results = task_set.Run(sets)
    means, p_values = results.AverageCorrMatrix(weights)
    judgments = read_leaderboard(root, year)
    found = average(judgments, year, trials=1000)
    assert [metric.name for metric in found] == [*means]
    for metric in found:
        mean = 0
        for result, weight in zip(results, weights, strict=True):
            statistic, level = NAMES[result.attr_vals["corr_fcn"]], LEVELS[result.attr_vals["level"]]
            pair = result.attr_vals["lang"]
            value = metric.parts[f"{statistic}, {level}" + ("" if "," in pair else f", {pair}")]
            # mt-metrics-eval adds scores in single precision, and counts equal sums by the order of systems.
            assert value == pytest.approx(result.Corr(metric.name), abs=5e-3 if statistic.startswith("soft") else 1e-9)
            lowest, highest = result.range
            mean += weight * (value - lowest) / (highest - lowest)
        assert metric.value == pytest.approx(mean, abs=1e-12)
        assert metric.value == pytest.approx(means[metric.name][0], abs=3e-3)
    for i, j in itertools.combinations(range(len(found)), 2):
        p = found.p_values[i, j]
        sigma = math.sqrt(max(p * (1 - p), 1 / count) / count)
        assert abs(p - p_values[i, j]) < 5 * sigma + 1e-3
        # A cluster can differ only if a p-value is near the limit.
    if all(abs(p_values[i, j] - 0.05) > 0.06 for i, j in itertools.combinations(range(len(found)), 2)):
        assert [metric.cluster for metric in found] == [rank for _, rank in means.values()]


def tasks_of_2022(tasks, pairs):
    """Return the tasks of mt-metrics-eval's notebook on WMT 2022, for two domains and one pair with two references."""
    found = tasks.TaskSet()
    found.Append(tasks.Task("wmt22", ",".join(pairs), human=False, corr_fcn="accuracy", k=0))
    for pair in pairs:
        for domain, human, (level, by), statistic in itertools.product(
            (None, "news", "chat"),
            (True, False) if pair == "en-de" else (False,),
            (("sys", "none"), ("seg", "none"), ("seg", "sys"), ("seg", "item")),
            ("pearson", "kendall"),
        ):
            found.Append(tasks.Task("wmt22", pair, domain, level, human, by, statistic, k=0))
    return found


def test_mt_metrics_eval_2022(tmp_path):
    """Ranks are averaged over domains, levels, groupings, and with and without human translations."""
    reason = "needs the source of google-research/mt-metrics-eval (not the package of this name on PyPI) and SciPy"
    tasks = pytest.importorskip("mt_metrics_eval.tasks", reason=reason)
    from mt_metrics_eval import data

    pairs = ["en-de", "en-ru", "zh-en"]
    root = write_test_set(tmp_path, "wmt22", pairs, 7, 30, 11)
    sets = {("wmt22", pair): data.EvalSet("wmt22", pair, True, path=str(tmp_path)) for pair in pairs}
    for each in sets.values():
        each.SetPrimaryMetrics(set(LEADERBOARDS["wmt22"].metrics))
    results = tasks_of_2022(tasks, pairs).Run(sets)
    weights = results.AssignWeights(["lang", "domain", "level", "human", "avg_by", "corr_fcn"])
    judgments = read_leaderboard(root, "wmt22")
    found, tested = (average(judgments, "wmt22", trials=trials) for trials in (0, 50))
    assert len(found[0].parts) == len(results) == 1 + 3 * 2 * 8 + 2 * 3 * 8
    names = {"kendall": "Kendall's τ-b", **NAMES}
    expected = dict.fromkeys((metric.name for metric in found), 0.0)
    for result, weight in zip(results, weights, strict=True):
        attributes = result.attr_vals
        level = LEVELS[attributes["level"]]
        grouping = {"none": "", "sys": " by system", "item": " by item"}[attributes["avg_by"]]
        parts = [names[attributes["corr_fcn"]], level + grouping]
        if "," not in attributes["lang"]:
            parts.append(attributes["lang"])
            parts += [attributes["domain"]] if attributes["domain"] != "None" else []
            parts += ["with human translations"] if attributes["human"] == "True" else []
        title = ", ".join(parts)
        for metric in found:
            assert metric.parts[title] == pytest.approx(result.Corr(metric.name), abs=1e-12), title
            # Without a test, mt-metrics-eval's ranks are places.
            assert metric.clusters[title] == result.Rank(metric.name)
            expected[metric.name] += weight * tested[metric.name].clusters[title]
    ranks = results.AverageRanks(weights)
    for metric in found:
        assert metric.value == pytest.approx(ranks[metric.name], abs=1e-12)
        assert tested[metric.name].value == pytest.approx(expected[metric.name], abs=1e-12)
    for each in (found, tested):
        assert [metric.value for metric in each] == sorted(metric.value for metric in each)
    assert tested.trials == 50 and tested.p_values is None and tested[0].cluster is None


def test_mean_ranks():
    """Without subsets, tasks count by their weights, and mean ranks by language pair and level are weighted too."""
    data = {pair: generate(seed, 5, 16, levels=6, metrics=4) for seed, pair in enumerate(("en-de", "en-ru", "zh-en"))}
    judgments = {pair: Judgments.from_scores(*scores) for pair, scores in data.items()}
    found = average(judgments, "wmt22", trials=0)
    places = {}
    for pair, each in [("", [*judgments.values()]), *judgments.items()]:
        for statistic, level, by in (
            [("pairwise-accuracy", "system", None)]
            if not pair
            else [(name, "system", None) for name in ("pearson", "tau-b")]
            + [(name, "segment", by) for name in ("pearson", "tau-b") for by in ("none", "system", "item")]
        ):
            values = agreement(each, statistic, level=level, by=by)
            in_order = sorted(values, key=lambda name: (-values[name], name))
            places[pair, level, statistic, by] = {name: place for place, name in enumerate(in_order, 1)}
    for metric in found:
        by_pair = {}
        for pair in judgments:
            systems, segments = (
                [own[metric.name] for (part, level, *_), own in places.items() if (part, level) == (pair, chosen)]
                for chosen in ("system", "segment")
            )
            assert (len(systems), len(segments)) == (2, 6)
            by_pair[pair] = (np.mean(systems) + np.mean(segments)) / 2
        accuracy = places["", "system", "pairwise-accuracy", None][metric.name]
        assert metric.value == pytest.approx(np.mean([accuracy, *by_pair.values()]), abs=1e-12)
        for pair, mean in by_pair.items():
            assert metric.mean_ranks[pair] == pytest.approx(mean, abs=1e-12)
    assert [*found[0].mean_ranks] == ["systems", "en-de", "en-ru", "zh-en", "segments"]
    assert found.to_dict()["metrics"][0]["mean_ranks"] == dict(found[0].mean_ranks)
    lines = str(found).splitlines()
    assert lines[0].split() == ["metric", "mean", "rank", "systems", "en-de", "en-ru", "zh-en", "segments"]
    subset = {pair: replace(each, subsets={"part": each}) for pair, each in judgments.items()}
    same = average(subset, "wmt22", trials=0)
    assert [(each.name, each.value) for each in same] == [(each.name, each.value) for each in found]


def test_domains(tmp_path):
    """System scores in a domain are the ones of the folder, and computed ones those of its texts."""
    root = write_test_set(tmp_path, "wmt22", ["en-de"], 4, 12, 5, metrics=2)
    (root / "system-outputs" / "en-de" / "sys1.txt").write_text("".join(f"text {u % 5}\n" for u in range(12)))
    judgments = read_leaderboard(root, "wmt22", metrics=["bleu"])["en-de"]
    names = ["chat", "news", "with human translations"]
    assert [*judgments.subsets] == [*names, *(f"{name}, with human translations" for name in names[:2])]
    assert judgments.systems == ("sys0", "sys1", "sys2", "sys3")
    assert judgments.subsets["chat, with human translations"].systems == (*judgments.systems, "refB")
    chat = judgments.subsets["chat"]
    places = [3, 4, 5, 9, 10, 11]
    assert np.array_equal(chat.human, judgments.human[:, places], equal_nan=True)
    metric = sorted(LEADERBOARDS["wmt22"].metrics)[0]
    assert chat.metrics[metric].systems == pytest.approx(chat.metrics[metric].segments.mean(axis=1) + 1, abs=1e-12)
    assert chat.human_systems == pytest.approx(np.nanmean(chat.human, axis=1) + 1, abs=1e-12)
    outputs, references = ([f"text {u % 5}" for u in places], [f"text {u}" for u in places])
    expected = refscore.bleu(outputs, references)
    assert chat.metrics["bleu"].systems[1] == expected.percent
    for path in (root / "human-scores").glob("*.domain.score"):
        path.unlink()
    chat = read_leaderboard(root, "wmt22")["en-de"].subsets["chat"]
    assert chat.human_systems == pytest.approx(np.nanmean(chat.human, axis=1), abs=1e-12)
    documents = root / "documents" / "en-de.docs"
    documents.write_text("chat d\n" * 11 + "\n")
    fails("line 12 of .*en-de.docs is blank", lambda: read_leaderboard(root, "wmt22"))
    documents.write_text("chat d\n" * 11 + "news e\n")
    few = read_leaderboard(root, "wmt22")
    fails("segments by system, en-de, news: no group has two human scores", lambda: average(few, "wmt22"))
    documents.write_text("chat d\n")
    fails("has 1 lines, but there are 12 human scores", lambda: read_leaderboard(root, "wmt22"))
    documents.unlink()
    assert [*read_leaderboard(root, "wmt22")["en-de"].subsets] == ["with human translations"]
    (root / "metric-scores" / "en-de" / f"{metric}-refA.domain.score").write_text("chat sys0 x\n")
    fails("line 1 of .* has a score that is not a number, 'x'", lambda: read_leaderboard(root, "wmt22"))


class SameDraws:
    """Returns the permutations of SoftPairs as NumPy's generator, for the columns of mt-metrics-eval."""

    def random(self, size, dtype):
        return (draws.swaps(12345, 0, *size)() == 0).astype(dtype)
