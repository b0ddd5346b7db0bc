"""Agreement with people in reports: numbers against their definitions in NumPy, and the part of the page."""

import base64
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, pairwise

import numpy as np
import pytest

import refscore
from refscore.errors import InputError
from refscore.meta import Judgments
from refscore.report import Reporting, build_report, render_page
from refscore.report.agreement import LEAST_IN_BIN, MOST_POINTS
from tests.python_metrics import Overlap, Surplus
from tests.report.example import REFERENCES, SYSTEMS
from tests.report.hostile import HOSTILE, NAME

NAMES = list(SYSTEMS)
METRICS = {"BLEU": refscore.BLEU(), "TER": refscore.TER()}


def ratings(seed=3, low=1, high=6):
    """Return human scores of all systems, with a few missing ones."""
    human = np.random.default_rng(seed).integers(low, high, (len(NAMES), len(REFERENCES))).astype(float)
    human[0, 4] = human[2, 4] = human[1, 9] = np.nan
    return human


QUICK = Reporting(resamples=10)


def reported(human, metrics=METRICS, systems=SYSTEMS, references=REFERENCES, **options):
    return build_report(systems, references, metrics=metrics, human=human, **{"reporting": QUICK, **options})


@pytest.fixture(scope="module")
def agreement():
    return reported(dict(zip(NAMES, ratings(), strict=True))).agreement


@pytest.fixture(scope="module")
def scores():
    """The segment scores of each metric, higher ones better: systems × segments."""
    sentence = refscore.BLEU.preset("sacrebleu-sentence")
    return {
        "BLEU": np.array([sentence.segments(SYSTEMS[name], REFERENCES) for name in NAMES]),
        "TER": -np.array([refscore.TER().segments(SYSTEMS[name], REFERENCES) for name in NAMES]),
    }


@pytest.fixture(autouse=True)
def _no_charts(monkeypatch):
    """Render pages without the charting library, which is optional and slow to load."""
    monkeypatch.setattr("refscore.report.page.require_vega", lambda: None)
    monkeypatch.setattr("refscore.report.page.vega_script", lambda: "")


def ranked(agreement, statistic, level):
    (ranking,) = [each for each in agreement.rankings if (each.statistic.name, each.level) == (statistic, level)]
    return ranking


def best_accuracy(human, metric):
    """Return acc*_eq by its definition: the best threshold of the metric's ties, for pairs of systems by segment."""
    pairs = [
        [(human[a, i] - human[b, i], metric[a, i] - metric[b, i]) for a, b in combinations(range(len(human)), 2)]
        for i in range(human.shape[1])
    ]
    pairs = [[pair for pair in group if not np.isnan(pair[0])] for group in pairs]
    pairs = [group for group in pairs if group]

    def accuracy(threshold):
        def agrees(people, own):
            return np.sign(people) == (0 if abs(own) <= threshold else np.sign(own))

        return np.mean([np.mean([agrees(*pair) for pair in group]) for group in pairs])

    return max(map(accuracy, {0.0, *(abs(own) for group in pairs for _, own in group)}))


def tau_b(x, y):
    """Return Kendall's tau-b by its definition over all pairs."""
    i, j = np.triu_indices(len(x), 1)
    one, other = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
    return (one * other).sum() / np.sqrt((one != 0).sum() * (other != 0).sum())


def test_rankings_of_segments(agreement, scores):
    human = ratings()
    rated = np.isfinite(human)
    for title, matrix in scores.items():
        expected = np.corrcoef(human[rated], matrix[rated])[0, 1]
        assert ranked(agreement, "pearson", "segment")[title].value == pytest.approx(expected)
        assert ranked(agreement, "acc-eq", "segment")[title].value == pytest.approx(best_accuracy(human, matrix))
    for ranking in agreement.rankings:
        assert ranking.trials == 1000
        assert ranking.metrics[0].cluster == 1
    assert (agreement.ratings, agreement.unscored, agreement.same_segments) == (3 * 36 - 3, 0, False)


def test_rankings_of_systems(agreement):
    means = np.nanmean(ratings(), axis=1)
    for title, metric in METRICS.items():
        sign = 1 if title == "BLEU" else -1
        whole = sign * np.array([metric.corpus(texts, REFERENCES).value for texts in SYSTEMS.values()])
        expected = np.corrcoef(means, whole)[0, 1]
        assert ranked(agreement, "pearson", "system")[title].value == pytest.approx(expected)
        alike = [np.sign(means[a] - means[b]) == np.sign(whole[a] - whole[b]) for a, b in combinations(range(3), 2)]
        assert ranked(agreement, "pairwise-accuracy", "system")[title].value == pytest.approx(np.mean(alike))


def test_two_systems_have_no_agreement_of_systems():
    two = {name: SYSTEMS[name] for name in NAMES[:2]}
    agreement = reported(ratings()[:2], systems=two).agreement
    assert [(each.statistic.name, each.level) for each in agreement.rankings] == [
        ("acc-eq", "segment"),
        ("pearson", "segment"),
    ]


def test_one_system_has_no_agreement_by_item():
    report = reported(ratings()[:1], systems={"alder": SYSTEMS["alder"]})
    assert [each.statistic.name for each in report.agreement.rankings] == ["pearson"]
    page = render_page(report)
    assert "There are not two systems with human scores" in page
    assert "acc*_eq:" not in page


def test_points_are_the_printed_scores(agreement, scores):
    scatter, human = agreement.scatter, ratings()
    places = [(s, i) for s in range(3) for i in range(36) if np.isfinite(human[s, i])]
    assert [*zip(scatter.systems, scatter.segments, strict=True)] == places
    assert list(scatter.human) == [human[place] for place in places]
    assert list(scatter.metrics[0]) == pytest.approx([100 * scores["BLEU"][place] for place in places])
    assert list(scatter.metrics[1]) == pytest.approx([-100 * scores["TER"][place] for place in places])
    assert list(scatter.human_means) == pytest.approx(np.nanmean(human, axis=1).tolist())
    same = np.where(np.isfinite(human), -100 * scores["TER"], np.nan)
    assert list(scatter.metric_means[1]) == pytest.approx(np.nanmean(same, axis=1).tolist())


def many(segments):
    """Return systems, references and human scores of many segments."""
    random = np.random.default_rng(8)
    words = np.array(["a", "b", "c", "d"])
    texts = [" ".join(line) for line in words[random.integers(0, 4, (3 * segments, 3))]]
    systems = {"one": texts[:segments], "two": texts[segments : 2 * segments]}
    return systems, texts[2 * segments :], random.integers(0, 100, (2, segments)).astype(float)


def test_at_most_2000_points_the_same_each_time():
    systems, references, human = many(1500)
    few = {"reporting": Reporting(resamples=10, max_segments=20)}
    one, other = (
        reported(human, metrics=["chrf"], systems=systems, references=references, **few).agreement for _ in range(2)
    )
    assert MOST_POINTS == 2000
    assert len(one.scatter.human) == 2000 < one.ratings
    assert one.scatter == other.scatter
    places = [*zip(one.scatter.systems, one.scatter.segments, strict=True)]
    assert len({*places}) == 2000
    assert 800 < sum(system == 0 for system, _ in places) < 1200
    assert list(one.scatter.human) == [human[place] for place in places]
    assert one.scatter.human_means == pytest.approx(human.mean(axis=1))  # of all ratings


def test_bins_are_quarters_without_split_ties(agreement, scores):
    human = ratings()
    flat = np.sort(human[np.isfinite(human)])
    # The first, second and third quartile are scores with at least that share of scores at or below them.
    quartiles = [flat[int(np.ceil(len(flat) * share)) - 1] for share in (0.25, 0.5, 0.75)]
    limits = [-np.inf, *quartiles, np.inf]
    expected = []
    for low, high in pairwise(limits):
        inside = (human > low) & (human <= high)
        if inside.sum() >= LEAST_IN_BIN:
            expected.append(inside)
    assert len(expected) == len(agreement.bins) > 2
    for inside, each in zip(expected, agreement.bins, strict=True):
        assert (each.low, each.high, each.ratings) == (human[inside].min(), human[inside].max(), inside.sum())
        for title, value in zip(agreement.metrics, each.values, strict=True):
            if each.low == each.high:
                assert value is None
            else:
                assert value == pytest.approx(tau_b(human[inside], scores[title][inside]))
    assert any(each.low < each.high for each in agreement.bins)
    ends = [end for each in agreement.bins for end in (each.low, each.high)]
    assert ends == sorted(ends)
    assert all(one.high < other.low for one, other in pairwise(agreement.bins))


def test_bins_of_different_human_scores(scores):
    human = np.random.default_rng(5).normal(size=(3, 36))
    agreement = reported(human).agreement
    assert [each.ratings for each in agreement.bins] == [27] * 4
    third = agreement.bins[2]
    inside = (human >= third.low) & (human <= third.high)
    assert third.values == pytest.approx([tau_b(human[inside], scores[title][inside]) for title in METRICS])


def test_small_bins_are_left_out():
    few = {name: texts[:6] for name, texts in SYSTEMS.items()}  # 18 ratings: quarters of 4 or 5
    report = reported(np.arange(18.0).reshape(3, 6), systems=few, references=REFERENCES[:6])
    assert report.agreement.bins == ()
    assert "No quarter of the human scores has 10 ratings" in render_page(report)
    heavy = np.array([[0.0] * 12, [0.0] * 9 + [1.0, 2.0, 3.0], [0.0] * 10 + [4.0, 5.0]])
    few = {name: texts[:12] for name, texts in SYSTEMS.items()}
    (only,) = reported(heavy, systems=few, references=REFERENCES[:12]).agreement.bins
    assert (only.low, only.high, only.ratings, only.values) == (0, 0, 31, (None, None))


def test_disagreements(scores):
    # By both metrics, alder is best and clover worst. People prefer birch, then clover.
    means = {"alder": 1.0, "birch": 3.0, "clover": 2.0}
    human = {name: np.tile([mean - 0.5, mean + 0.5], 18) for name, mean in means.items()}
    whole = {
        title: {name: metric.corpus(texts, REFERENCES).value for name, texts in SYSTEMS.items()}
        for title, metric in METRICS.items()
    }
    expected = []
    spread = np.std([*human.values()])
    for title, sign in (("BLEU", 1), ("TER", -1)):
        for one, other in combinations(NAMES, 2):
            people, own = means[one] - means[other], whole[title][one] - whole[title][other]
            if np.sign(people) == -np.sign(sign * own):
                better, worse = (one, other) if people > 0 else (other, one)
                size = abs(people) / spread + abs(own) / scores[title].std()
                difference = whole[title][better] - whole[title][worse]
                expected.append((title, better, worse, abs(people), difference, size))
    expected.sort(key=lambda row: -row[-1])
    agreement = reported(human).agreement
    found = [
        (agreement.metrics[each.metric], NAMES[each.better], NAMES[each.worse], each.human, each.difference, each.size)
        for each in agreement.disagreements
    ]
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    assert ("BLEU", "clover", "alder") in [row[:3] for row in found]
    for row, wanted in zip(found, expected, strict=True):
        assert row[3:] == pytest.approx(wanted[3:])
    # People prefer the first system, the metric the second one.
    assert all(each.difference < 0 for each in agreement.disagreements if each.metric == 0)
    assert all(each.difference > 0 for each in agreement.disagreements if each.metric == 1)
    share = 1 - sum(row[0] == "TER" for row in found) / 3
    assert ranked(agreement, "pairwise-accuracy", "system")["TER"].value == pytest.approx(share)


def test_no_disagreement_is_a_sentence():
    order = {name: np.tile([3.0 - k, 4.0 - k], 18) for k, name in enumerate(NAMES)}
    report = reported(order, metrics={"chrF": refscore.CHRF()})
    assert report.agreement.disagreements == ()
    page = render_page(report)
    assert "There are none: no metric prefers a system to one that people prefer." in page
    assert '<table class="disagreements">' not in page


def test_equal_means_are_no_disagreement():
    human = {name: np.tile([0.1, 0.2, 0.3], 12) for name in NAMES}
    human["birch"] = human["birch"][::-1]  # the sum may round differently
    assert reported(human).agreement.disagreements == ()


def test_forms_of_human_scores(agreement):
    human = ratings()
    lists = {name: [None if np.isnan(x) else x for x in row] for name, row in zip(NAMES, human.tolist(), strict=True)}
    extra = {"other": [1.0] * 36, **dict(reversed(lists.items()))}  # in a different order, with one more system
    for form in (human, human.tolist(), lists, extra, Judgments.from_scores(lists), Judgments.from_scores(extra)):
        assert repr(reported(form).agreement) == repr(agreement)


def test_human_scores_of_systems_are_used():
    judgments = Judgments.from_scores(dict(zip(NAMES, ratings(), strict=True)))
    turned = replace(judgments, human_systems=np.array([1.0, 2.0, 3.0]))
    bleu = [refscore.bleu(texts, REFERENCES).value for texts in SYSTEMS.values()]
    found = ranked(reported(turned).agreement, "pearson", "system")["BLEU"].value
    assert found == pytest.approx(np.corrcoef([1, 2, 3], bleu)[0, 1])


@pytest.mark.parametrize(
    ("human", "message"),
    [
        ({"alder": [1.0] * 36}, "human has no system 'birch': it has alder"),
        (Judgments.from_scores({"alder": [1.0] * 36}), "human has no system 'birch': it has alder"),
        (ratings()[:2], "human has 2 rows for 3 systems: pass one row of scores per system"),
        (ratings()[:, :5], "human has 5 scores per system for 36 segments: pass one score per segment"),
        (np.full((3, 36), np.nan), "human has no scores"),
        ([[1.0] + [None] * 35, [None] * 36, [None] * 36], "human has 1 score of outputs that all metrics score"),
        ([["good"] * 36] * 3, "human must have numbers"),
    ],
)
def test_errors(human, message):
    with pytest.raises(InputError, match=re.escape(message)):
        reported(human)


class Picky(Overlap):
    """A metric without a score for some segments."""

    def value(self, row):
        return float("nan") if row[0] == 0 else super().value(row)


def test_outputs_without_a_score_are_left_out():
    systems = {"a": ["x y", "q", "x", "y z"], "b": ["x", "x y", "q", "z"], "c": ["y", "x", "x z", "y"]}
    references = ["x y", "x y", "x y", "y z"]
    human = np.arange(12.0).reshape(3, 4)
    metric = Picky()
    values = np.array([metric.segments(texts, references) for texts in systems.values()])
    missing = int(np.isnan(values).sum())
    assert 0 < missing < 5
    report = reported(human, metrics=[metric, "chrf"], systems=systems, references=references)
    agreement = report.agreement
    assert (agreement.ratings, agreement.unscored) == (12 - missing, missing)
    scored = np.isfinite(values)
    found = ranked(agreement, "pearson", "segment")[agreement.metrics[0]].value
    assert found == pytest.approx(np.corrcoef(human[scored], values[scored])[0, 1])
    assert f"It leaves out {missing} human scores of outputs that a metric does not score." in render_page(report)


def test_a_metric_in_python():
    agreement = reported(ratings(), metrics=[Overlap(), Surplus()]).agreement
    assert len(agreement.metrics) == len(agreement.scatter.metrics) == 2


class Parts(HTMLParser):
    """Collect elements with their attributes and text, and the rows of each table by its class."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.tables, self.texts, self.scripts, self.open = [], {}, [], {}, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag == "table":
            self.rows = self.tables.setdefault(attributes.get("id") or attributes.get("class"), [])
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.open = "cell"
        elif tag == "script":
            self.open = attributes.get("id", "script")

    def handle_endtag(self, tag):
        if tag in ("td", "th", "script"):
            self.open = None

    def handle_data(self, data):
        if self.open == "cell":
            self.rows[-1][-1] += f"{data} "
        elif self.open:
            self.scripts[self.open] = self.scripts.get(self.open, "") + data
        else:
            self.texts.append(data)


@pytest.fixture
def parts():
    report = reported(dict(zip(NAMES, ratings(), strict=True)))
    return report, Parts(render_page(report))


def test_the_part_of_the_page(parts):
    report, page = parts
    head, *rows = page.tables["agreement-table"]
    assert [cell.split()[0] for cell in head] == ["Metric", "acc*_eq", "Pearson's", "pairwise", "Pearson's"]
    assert [cell.split()[-1] for cell in head[1:]] == ["item", "segments", "systems", "systems"]
    rankings = report.agreement.rankings
    for row, metric in zip(rows, rankings[0], strict=True):
        assert row[0].strip() == metric.name
        expected = [f"{ranking[metric.name].value:.4f} cluster {ranking[metric.name].cluster}" for ranking in rankings]
        assert [cell.replace("−", "-").strip() for cell in row[1:]] == expected
    pairs = page.tables["disagreements"][1:]
    assert len(pairs) == len(report.agreement.disagreements) > 0
    for row, pair in zip(pairs, report.agreement.disagreements, strict=True):
        numbers = [f"+{pair.human:.2f}", f"{100 * pair.difference:+.2f}", f"{pair.size:.2f}"]
        names = [NAMES[pair.better], NAMES[pair.worse], report.agreement.metrics[pair.metric]]
        assert [cell.strip().replace("−", "-") for cell in row] == names + numbers
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len({*ids})
    assert ("a", {"href": "#agreement"}) in page.tags
    regions = [attributes for tag, attributes in page.tags if attributes.get("role") == "region"]
    assert all(attributes["tabindex"] == "0" and attributes["aria-label"] for attributes in regions)
    signatures = [ranking.signature for ranking in rankings]
    assert [text for text in page.texts if text in signatures] == signatures


def test_the_data_of_the_page(parts):
    report, page = parts
    data = json.loads(page.scripts["summary"])["agreement"]
    assert data["scatter"]["human"] == list(report.agreement.scatter.human)
    assert data["bins"][0]["values"] == list(report.agreement.bins[0].values)
    first = report.agreement.disagreements[0]
    assert data["disagreements"][0]["difference"] == pytest.approx(100 * first.difference)
    order = [each["metric"] for each in data["rankings"][0]["metrics"]]
    assert [report.agreement.metrics[k] for k in order] == [metric.name for metric in report.agreement.rankings[0]]


def test_a_page_without_human_scores():
    report = build_report(SYSTEMS, REFERENCES, metrics=METRICS, reporting=Reporting(resamples=10))
    assert report.agreement is None
    page = Parts(render_page(report))
    assert "agreement" not in [attributes.get("id") for _, attributes in page.tags]
    assert ("a", {"href": "#agreement"}) not in page.tags
    assert json.loads(page.scripts["summary"])["agreement"] is None


def test_many_disagreements_are_folded():
    random = np.random.default_rng(1)
    systems = {f"s{k}": [texts[(i + k) % 36] for i in range(36)] for k in range(10) for texts in [SYSTEMS["alder"]]}
    report = reported(random.normal(size=(10, 36)), systems=systems)
    count = len(report.agreement.disagreements)
    assert count > 20
    page = Parts(render_page(report))
    assert f"Show {count - 20} smaller disagreements" in page.texts
    assert len([row for row in page.tables["disagreements"] if row[0].startswith("s")]) == count


def test_hostile_names_and_nothing_external():
    systems = {"<b>A</b>": HOSTILE, NAME: [*HOSTILE[1:], HOSTILE[0]], "plain": HOSTILE[::-1]}
    metrics = {"<img src=x onerror=alert(1)>": refscore.BLEU(), "chrF\u202e": refscore.CHRF()}
    human = np.random.default_rng(2).normal(size=(3, len(HOSTILE)))
    report = reported(human, metrics=metrics, systems=systems, references=HOSTILE)
    page = render_page(report)
    plain = Parts(render_page(reported(ratings())))
    found = Parts(page)
    # Warnings about the data are in an aside.
    assert {tag for tag, _ in found.tags} - {"aside"} <= {tag for tag, _ in plain.tags}
    assert "\u202e" not in page
    for tag, attributes in found.tags:
        assert "src" not in attributes and "style" not in attributes, tag
        assert not any(name.startswith("on") for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    (policy,) = [attributes["content"] for _, attributes in found.tags if "http-equiv" in attributes]
    assert "default-src 'none'" in policy and "http" not in policy
    assert all(base64.b64decode(part) for part in re.findall(r"sha256-([^']+)", policy))


def test_the_same_input_gives_the_same_page():
    assert render_page(reported(ratings())) == render_page(reported(ratings(), threads=1))


MANY = {
    f"s{k}": [
        " ".join(words[: max(1, len(words) - k * (i % 3))]) for i, line in enumerate(texts) if (words := line.split())
    ]
    for texts in [[entry if isinstance(entry, str) else entry[0] for entry in REFERENCES]]
    for k in range(6)
}


def people_of(systems, seed=5):
    """Return scores that fall with the number of a system, with noise."""
    noise = np.random.default_rng(seed).normal(0, 1, (len(systems), len(REFERENCES)))
    return {name: (50 - 2 * k + noise[k]).tolist() for k, name in enumerate(systems)}


def test_what_a_difference_means():
    """The pairs of systems that differ by at least as much on the printed scale, and those that people order alike."""
    human = people_of(MANY)
    human["s2"][3] = None
    report = reported(human, systems=MANY)
    for result, rows in zip(report.results, report.agreement.differences, strict=True):
        means = {name: np.mean([score for score in own if score is not None]) for name, own in human.items()}
        scores = dict(zip(MANY, [score.percent for score in result.scores], strict=True))
        sign = 1 if result.metric.higher_is_better else -1
        pairs = [(scores[a] - scores[b], means[a] - means[b]) for a, b in combinations(MANY, 2)]
        assert rows[0].difference == 0 and rows[0].pairs == 15
        for row in rows:
            large = [sign * metric * people > 0 for metric, people in pairs if abs(metric) >= row.difference - 1e-9]
            assert (row.pairs, row.agreeing) == (len(large), sum(large)) and len(large) >= 10
    assert "What a difference means" not in render_page(report)
    few = reported({name: human[name] for name in [*MANY][:4]}, systems={name: MANY[name] for name in [*MANY][:4]})
    assert few.agreement.differences == ()
    assert "What a difference means needs 5 systems with human scores." in render_page(few)


def test_annotators():
    """The agreement of further annotators is in the table, as rankings have it, and its text is escaped."""
    human = ratings()
    second = human + np.random.default_rng(2).integers(-1, 2, human.shape)
    judgments = Judgments.from_scores(dict(zip(NAMES, human, strict=True))).with_annotator("<b>two", second)
    report = reported(judgments)
    for ranking in report.agreement.rankings:
        (ceiling,) = ranking.ceilings
        assert ceiling.name == "<b>two" and ceiling.ratings == np.isfinite(human).sum()
    level = report.agreement.rankings[1]
    both = np.isfinite(human)
    assert level.ceilings[0].value == pytest.approx(np.corrcoef(human[both], second[both])[0, 1], abs=1e-12)
    page = render_page(report)
    assert '&lt;b&gt;two<span class="interval">annotator</span>' in page and "<b>two" not in page
    assert f'<span class="value">{level.ceilings[0].value:.4f}</span>' in page
    assert "A metric can hardly agree better." in page
    assert "annotator</span>" not in render_page(reported(human))
