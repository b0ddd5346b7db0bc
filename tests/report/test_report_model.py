"""The report as data: numbers equal those of the metrics, and sentences agree with the tests."""

import numpy as np
import pytest

import refscore
from refscore.report import Reporting, build_report, render_page, write_report
from refscore.significance import bootstrap, paired_bootstrap
from tests.derived_sources import sources_of
from tests.python_metrics import Overlap, Surplus
from tests.report.example import REFERENCES, SYSTEMS

METRICS = {"BLEU": refscore.BLEU(), "TER": refscore.TER()}
FEW, THEIR_REFERENCES = {name: texts[:8] for name, texts in SYSTEMS.items()}, REFERENCES[:8]


QUICK = Reporting(resamples=10)


def small_report(metrics, reporting=QUICK, **options):
    """Return a report on a few segments."""
    return build_report(FEW, THEIR_REFERENCES, metrics=metrics, reporting=reporting, **options)


@pytest.fixture
def _no_charts(monkeypatch):
    """Render pages without the charting library, which is optional and slow to load."""
    monkeypatch.setattr("refscore.report.page.require_vega", lambda: None)
    monkeypatch.setattr("refscore.report.page.vega_script", lambda: "")


@pytest.fixture(scope="module")
def report():
    return build_report(SYSTEMS, REFERENCES, metrics=METRICS)


def test_scores(report):
    for result in report.results:
        for name, score in zip(report.systems, result.scores, strict=True):
            assert score == METRICS[result.title].corpus(SYSTEMS[name], REFERENCES)
        assert "|nrefs:2|" in result.signature


def test_holm():
    found = build_report(SYSTEMS, REFERENCES, metrics=METRICS, reporting=Reporting(holm=True))
    rows = {name: METRICS["BLEU"].stats(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    alone = paired_bootstrap(METRICS["BLEU"], rows, holm=True)
    assert [found.results[0].outcome(0, k).p_holm for k in (1, 2)] == [alone.systems[k].p_holm for k in (1, 2)]
    assert "holm:yes" in found.results[0].test
    # The matrix of pairs has the same p in both directions.
    assert [found.results[0].outcome(k, 0).p_holm for k in (1, 2)] == [alone.systems[k].p_holm for k in (1, 2)]
    assert found.results[0].outcome(1, 2).p_holm is None


def test_sentences(report):
    unclear, worse = report.sentences
    assert unclear.startswith("The difference between birch and alder could be chance on BLEU (p = 0.")
    assert worse == "clover is worse than alder on BLEU (p ≤ 0.001) and TER (p ≤ 0.001)."


def test_sentences_of_better_equal_and_mixed_systems():
    good = [entry[0] for entry in REFERENCES]
    bad = SYSTEMS["clover"]
    (better,) = build_report({"old": bad, "new": good}, REFERENCES, metrics=["bleu", "chrf"]).sentences
    assert better == "new is better than old on BLEU (p ≤ 0.001) and chrF2 (p ≤ 0.001)."
    (equal,) = build_report({"old": bad, "new": bad}, REFERENCES, metrics=["bleu"]).sentences
    assert equal == "new and old are equal on BLEU."
    # Twice the text: more edits, and more of the reference's characters.
    twice = [f"{text} {text}" for text in good]
    short = [" ".join(text.split()[:-1]) for text in good]
    (mixed,) = build_report({"short": short, "twice": twice}, REFERENCES, metrics=["rouge", "ter"]).sentences
    assert "worse than short on ROUGE-L" in mixed


def test_a_segment_score_is_sentence_bleu(report):
    sentence = refscore.BLEU.preset("sacrebleu-sentence")
    values = sentence.segments(SYSTEMS["birch"], REFERENCES)
    assert report.shown.scores["BLEU"][1::3] == [round(10_000 * value) for value in values.tolist()]
    assert report.profiles[0].segment_signature == sentence.signature
    assert len(report.shown.explained) == 36 * 3 * 2
    assert report.shown.explained["4:2:0"] == sentence.explain(SYSTEMS["clover"][4], REFERENCES[4]).to_dict()


def test_histogram(report):
    for profile in report.profiles:
        assert all(sum(counts) == 36 for counts in profile.histogram.counts)
    values = np.array(report.shown.scores["BLEU"][0::3]) / 100
    edges = report.profiles[0].histogram.edges
    assert report.profiles[0].histogram.counts[0][3] == sum((values >= edges[3]) & (values < edges[4]))


def test_scores_by_length(report):
    buckets = report.profiles[0].by_length
    assert sum(buckets.segments) == 36
    tokens = [[len(refscore.tokenize(text, "13a")) for text in entry] for entry in REFERENCES]
    lengths = [round(sum(entry) / len(entry)) for entry in tokens]
    assert report.shown.lengths == lengths
    for (low, high), score in zip(buckets.buckets, buckets.scores[1], strict=True):
        chosen = [i for i, length in enumerate(lengths) if low <= length <= (high or 10**9)]
        alone = refscore.bleu([SYSTEMS["birch"][i] for i in chosen], [REFERENCES[i] for i in chosen])
        assert score == pytest.approx(alone.percent)


def test_sums(report):
    sums = report.profiles[1].sums
    assert sums.places == tuple(range(37))
    values = METRICS["TER"].segments(SYSTEMS["alder"], REFERENCES)
    assert sums.values[0][-1] == pytest.approx(100 * values.mean())
    assert sums.values[0][5] == pytest.approx(100 * values[:5].sum() / 36)


def test_n_grams_and_word_order(report):
    score = refscore.bleu(SYSTEMS["clover"], REFERENCES)
    assert report.ngrams.precisions[2] == pytest.approx([100 * precision for precision in score.precisions])
    assert report.ngrams.ratios[2] == pytest.approx(score.hyp_len / score.ref_len)
    metric = refscore.RIBES(tokenizer="13a", lowercase=False)  # BLEU's words, as on the page
    score = metric.corpus(SYSTEMS["clover"], REFERENCES)
    assert report.word_order.correlation[2] == pytest.approx(score.nkt)
    assert report.word_order.precision[2] == pytest.approx(score.precision)
    assert sum(map(sum, report.word_order.cells[2])) == 36


def test_references_without_words_have_no_word_order():
    report = build_report({"a": ["x", "y"], "b": ["x", "z"]}, ["", ""], metrics=["chrf"])
    assert report.word_order is None


def test_one_system():
    report = build_report({"only": SYSTEMS["birch"]}, REFERENCES, metrics=METRICS)
    assert report.sentences == ()
    rows = METRICS["TER"].stats(SYSTEMS["birch"], REFERENCES)
    assert report.results[1].intervals == (bootstrap(METRICS["TER"], rows),)


def test_a_sample():
    report = build_report(SYSTEMS, REFERENCES, metrics=METRICS, reporting=Reporting(max_segments=10))
    assert len(report.shown.numbers) == 10
    assert list(report.shown.numbers) == sorted(set(report.shown.numbers))
    assert report.shown.texts[4] == SYSTEMS["clover"][report.shown.numbers[0]]
    assert report.results[0].scores[0] == METRICS["BLEU"].corpus(SYSTEMS["alder"], REFERENCES)
    again = build_report(SYSTEMS, REFERENCES, metrics=METRICS, reporting=Reporting(max_segments=10))
    assert again.shown.numbers == report.shown.numbers


def test_sources_and_uneven_references():
    report = build_report({"a": ["x y", "z"]}, ["x y", ["z", "zz"]], sources=["X", "Z"], metrics=["bleu"])
    assert report.shown.texts == ["X", "x y", None, "x y", "Z", "z", "zz", "z"]
    assert report.reference_counts == (1, 2)


def test_every_metric():
    report = small_report([*refscore.metrics.METRICS], sources=sources_of(THEIR_REFERENCES))
    for result in report.results:
        assert len(result.scores) == 3
        assert None not in report.shown.scores[result.title]


@pytest.mark.parametrize(
    ("systems", "references", "options", "location"),
    [
        ({}, ["a"], {}, "systems"),
        (["a"], ["a"], {}, "systems"),
        ({"": ["a"]}, ["a"], {}, "systems"),
        ({"a": ["x"]}, ["x", "y"], {}, "systems['a']"),
        ({"a": ["x", "y"], "b": ["x"]}, ["x", "y"], {}, "systems['b']"),
        ({"a": ["x", None]}, ["x", "y"], {}, "systems['a'][1]"),
        ({"a": ["x"]}, [None], {}, "references[0]"),
        ({"a": [["x"]]}, [[["x"]]], {}, "references"),
        ({"a": [["x"]]}, ["x"], {}, "systems['a']"),
        ({"a": []}, [], {}, "None"),
        ({"a": ["x"]}, ["x"], {"sources": ["x", "y"]}, "sources"),
        ({"a": ["x"]}, ["x"], {"sources": [None]}, "sources[0]"),
        ({"a": ["x"]}, ["x"], {"sources": "x"}, "sources"),
    ],
)
def test_mistakes(systems, references, options, location):
    with pytest.raises(refscore.InputError) as caught:
        build_report(systems, references, **options)
    assert str(caught.value.location) == location


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["bleu", refscore.BLEU()]}, "name"),
        ({"metrics": "bleu", "segment_metrics": {"ter": refscore.TER()}}, "segment_metrics"),
    ],
)
def test_wrong_settings(options, message):
    with pytest.raises(refscore.SettingError, match=message):
        build_report({"a": ["x"]}, ["x"], **options)
    with pytest.raises(refscore.SettingError, match="pass Reporting"):
        build_report({"a": ["x"]}, ["x"], reporting={"alpha": 0.1})


@pytest.mark.parametrize(
    ("entry", "location"),
    [("", "references[1]"), (["y", ""], "references[1][1]"), ([None, "", "y"], "references[1][1]")],
)
def test_empty_references(entry, location):
    with pytest.raises(refscore.errors.EmptyReferenceError) as caught:
        build_report({"a": ["x", "y"]}, ["x", entry], metrics="ribes")
    assert str(caught.value.location) == location


@pytest.mark.parametrize("metric", [Overlap(), "bleu"], ids=str)
@pytest.mark.parametrize(
    ("systems", "references", "location"),
    [
        ({"a": ["x", "y"], "b": ["x", "v w x y"]}, ["x", "y"], "systems['b'][1]"),
        ({"a": ["x", "y"]}, ["x", "v w x y"], "references[1]"),
        ({"a": ["x", "y"]}, ["x", ["y", "v w x y"]], "references[1][1]"),
    ],
)
def test_limits(metric, systems, references, location):
    with refscore.metrics.limits(max_tokens=3), pytest.raises(refscore.errors.LimitError) as caught:
        build_report(systems, references, metrics=[metric])
    assert str(caught.value.location) == location


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (["chrf++", "rougeL"], {"chrF2++": refscore.CHRF(word_order=2), "ROUGE-L": refscore.ROUGE()}),
        ("rouge1", {"ROUGE-1": refscore.ROUGE(variant=1)}),
        ({"ours": "chrf++", "yours": refscore.WER()}, {"ours": refscore.CHRF(word_order=2), "yours": refscore.WER()}),
        ([Overlap(), "bleu"], {"OVERLAP": Overlap(), "BLEU": refscore.BLEU()}),
    ],
)
def test_choices_of_metrics(metrics, expected):
    report = small_report(metrics)
    assert list(report.shown.scores) == list(expected)
    scores = {title: metric.corpus(FEW["birch"], THEIR_REFERENCES) for title, metric in expected.items()}
    assert {result.title: result.scores[1] for result in report.results} == scores


def test_metrics_that_need_a_fit_are_fitted_on_the_references():
    fitted = refscore.NIST().fit(THEIR_REFERENCES)
    given = small_report(["nist"], segment_metrics={"nist": refscore.NIST()})
    for report in (small_report(["nist"]), small_report({"NIST": refscore.NIST()}), given):
        assert report.results[0].scores[0] == fitted.corpus(FEW["alder"], THEIR_REFERENCES)
        assert report.profiles[0].segment_signature == fitted.signature


def test_metrics_of_single_segments():
    single = refscore.BLEU(smoothing="floor", tokenizer="char")
    report = small_report(["bleu"], segment_metrics={"bleu": single})
    values = single.segments(FEW["birch"], THEIR_REFERENCES)
    assert report.shown.scores["BLEU"][1::3] == [round(10_000 * value) for value in values.tolist()]
    assert report.results[0].scores[1] == refscore.bleu(FEW["birch"], THEIR_REFERENCES)


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        (["chrf", "cer"], "case:mixed|norm:none|tok:13a"),
        (["chrf", "ter", "bleu"], "case:lc|norm:none|tok:tercom"),
        ([refscore.BLEU(tokenizer="char", lowercase=True)], "case:lc|norm:none|tok:char"),
        (["cer", Overlap(tokenizer="intl", normalize="NFC")], "case:mixed|norm:NFC|tok:intl"),
        (["ter", refscore.BLEU(tokenizer="zh")], "case:mixed|norm:none|tok:zh"),
    ],
)
def test_words_are_those_of_the_first_metric_with_a_chosen_tokenizer_or_words(metrics, words):
    assert small_report(metrics).word_signature.startswith(words)


@pytest.mark.parametrize("metrics", [["chrf"], ["ter", refscore.BLEU(tokenizer="zh")]])
def test_chinese_words(metrics):
    """All word statistics on the page use the metric's tokenizer; under 13a these would be one word each."""
    systems, references = {"one": ["我喜欢猫", "今天下雨"], "two": ["我爱猫", "今天有雨"]}, ["我很喜欢猫", "今天下雨"]
    report = build_report(systems, references, metrics=metrics, reporting=QUICK)
    assert report.shown.cuts[:2] == ["1 2 3 4", "1 2 3"]
    assert report.shown.lengths == [5, 4]
    score = refscore.RIBES(tokenizer="zh").corpus(systems["two"], references)
    assert report.word_order.precision[1] == pytest.approx(score.precision)
    assert report.ngrams.ratios[1] == pytest.approx(7 / 9)


@pytest.mark.usefixtures("_no_charts")
@pytest.mark.parametrize("names", [("a",), ("a", "b", "c")])
def test_one_segment_is_enough_for_a_page_without_tests(names):
    report = build_report({name: SYSTEMS["birch"][k : k + 1] for k, name in enumerate(names)}, REFERENCES[:1])
    assert report.sentences == ()
    assert all(result.intervals == result.pairs == () for result in report.results)
    assert report.results[0].scores[0] == refscore.bleu(SYSTEMS["birch"][:1], REFERENCES[:1])
    page = render_page(report)
    assert "There is only one segment" in page
    assert "p =" not in page.partition("<main>")[2].partition("<script")[0]


@pytest.mark.usefixtures("_no_charts")
def test_a_metric_from_outside_is_shown_like_ours(tmp_path):
    metric = Overlap(tokenizer="none")
    report = build_report(SYSTEMS, REFERENCES, metrics=[metric, "ter"])
    rows = {name: metric.stats(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    assert report.results[0].pairs[0].systems == paired_bootstrap(metric, rows).systems
    assert "clover is worse than alder on OVERLAP (p ≤ 0.001) and TER (p ≤ 0.001)." in report.sentences
    assert report.shown.explained["4:2:0"] == metric.explain(SYSTEMS["clover"][4], REFERENCES[4]).to_dict()
    page = render_page(report)
    assert '<th scope="col" class="number">OVERLAP</th>' in page
    assert f"<dd><code>{report.results[0].signature}</code></dd>" in page
    path = tmp_path / "report.html"
    write_report(path, SYSTEMS, REFERENCES, metrics=[metric, "ter"])
    assert path.read_text(encoding="utf-8") == page
    with pytest.raises(refscore.InputError) as caught:
        write_report(tmp_path, SYSTEMS, REFERENCES)
    assert caught.value.location.file == str(tmp_path)


def test_scores_below_zero():
    report = build_report(SYSTEMS, REFERENCES, metrics=[Surplus()])
    edges, counts = report.profiles[0].histogram.edges, report.profiles[0].histogram.counts
    assert edges[0] < 0 < edges[-1]
    assert [sum(line) for line in counts] == [36] * 3
    values = Surplus().segments(SYSTEMS["clover"], REFERENCES)
    assert report.shown.scores["SURPLUS"][2::3] == [round(10_000 * value) for value in values.tolist()]
    for low, high, count in list(zip(edges, edges[1:], counts[2], strict=False))[1:-1]:
        assert count == sum((values >= low) & (values < high))


@pytest.mark.usefixtures("_no_charts")
def test_groups():
    by = ["news", "talks", "<i>"] * 12
    report = build_report(SYSTEMS, REFERENCES, metrics=METRICS, by=by, reporting=Reporting(resamples=50, holm=True))
    assert [(group.label, group.segments) for group in report.groups] == [("news", 12), ("talks", 12), ("<i>", 12)]
    compared = refscore.compare(SYSTEMS, REFERENCES, METRICS, test="bootstrap", resamples=50, by=by, holm=True)
    for group in report.groups:
        for result in group.results:
            expected = compared.groups[group.label]
            for k, name in enumerate(report.systems):
                outcome = expected[result.title][name]
                assert result.scores[k].value == outcome.score
                if k:
                    assert result.outcome(0, k).p_holm == outcome.p_holm
                    assert result.verdict(0, k, report.alpha) == expected.verdict(result.title, name)
    page = render_page(report)
    section = page.split('<section id="groups"')[1].split("</section>")[0]
    assert "By group" in section and "<i>" not in section and section.count("▼") > 3
    assert '<a href="#groups">By group</a>' in page
    evaluation = refscore.evaluate(SYSTEMS, REFERENCES, METRICS, groups={"domain": by})
    assert evaluation.report(by="domain", reporting=Reporting(resamples=50)).by == "domain"
    with pytest.raises(refscore.errors.UnknownNameError, match="domain"):
        evaluation.report(by="domian")


@pytest.mark.usefixtures("_no_charts")
def test_a_group_with_one_unit_is_not_tested():
    labels = ["a"] * 4 + ["b"] * 3 + ["c"]
    report = small_report(["bleu"], units=[*labels[:-1], "b"], by=labels)
    assert [bool(group.results[0].intervals) for group in report.groups] == [False, False, False]
    assert "p =" not in render_page(report).split('<section id="groups"')[1].split("</section>")[0]


@pytest.mark.usefixtures("_no_charts")
def test_many_groups_are_collapsed():
    page = render_page(build_report(SYSTEMS, REFERENCES, metrics=["bleu"], reporting=QUICK, by=[*map(str, range(36))]))
    assert "Show 16 more groups" in page and page.count("data-group=") == 36


def test_representations_are_short(report):
    assert repr(report) == "<report on 3 systems by BLEU, TER: 36 segments, baseline alder>"
    assert repr(report.shown) == "<36 segments on the page>"
    assert repr(report.results[0]) == "<BLEU of 3 systems>"
    people = build_report(SYSTEMS, REFERENCES, metrics=["bleu"], reporting=QUICK, human=[range(36)] * 3).agreement
    assert repr(people) == "<agreement of BLEU with people: 108 human scores>"


@pytest.mark.usefixtures("_no_charts")
def test_a_note_says_that_many_tests_are_not_corrected(report):
    note = "2 systems are tested against the baseline on each metric, so one of them may look significant by chance."
    assert f"{note} <code>--holm</code>" in render_page(report)
    corrected = small_report(["bleu"], Reporting(resamples=10, holm=True))
    assert "Holm’s method corrects the p-values" in render_page(corrected)
    two = build_report({name: FEW[name] for name in ("alder", "birch")}, THEIR_REFERENCES, reporting=QUICK)
    assert "--holm" not in render_page(two).split("<script")[0]
