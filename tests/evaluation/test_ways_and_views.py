"""Every way into an evaluation and every view of it: each pair gives the same result, or a clear error.

A new way in is a function in `WAYS` that returns an evaluation of the data below. A new view is a function in `VIEWS`.
The tests then try all pairs. A pair that cannot work is in `REFUSED`, with a part of its error.
"""

import itertools
import json
import pickle
import random
from functools import cache

import numpy as np
import pytest

import refscore
from refscore import Evaluation, InputError, meetings
from refscore.evaluation.file_format import read_statistics
from refscore.evaluation.views import Views
from refscore.meta import rank_metrics
from refscore.metrics import METRICS, parse_metrics
from refscore.readers import evaluate_files
from refscore.report import Reporting
from tests.cli.running import json_of, output_of, status_of, write_lines
from tests.evaluation.corpora import corpus

SEGMENTS = 24
OLD, REFERENCES = corpus(SEGMENTS, seed=1)
NEW = [text if k % 3 else reference for k, (text, reference) in enumerate(zip(OLD, REFERENCES, strict=True))]
SYSTEMS = {"old": OLD, "new": NEW}
BY = ["news" if k % 2 else "talks" for k in range(SEGMENTS)]
UNITS = [f"document {k // 3}" for k in range(SEGMENTS)]
LABELS = {"units": UNITS, "groups": {"by": BY}}
CHOICES = ["bleu", "chrf++", "bleu:nltk", "ter", "wer"]
DRAWS = {"resamples": 40, "seed": 7}
GENERATOR = random.Random(2)
PEOPLE = {name: [GENERATOR.randint(0, 100) for _ in range(SEGMENTS)] for name in SYSTEMS}


def part(begin, end, names=("old", "new"), retain="rows"):
    """Return the evaluation of some segments of some systems."""
    return refscore.evaluate(
        {name: SYSTEMS[name][begin:end] for name in names},
        REFERENCES[begin:end],
        CHOICES,
        units=UNITS[begin:end],
        groups={"by": BY[begin:end]},
        retain=retain,
    )


def texts(folder):
    return part(0, SEGMENTS)


def batches(folder, retain="rows"):
    evaluation = Evaluation(CHOICES, SYSTEMS, retain=retain)
    for begin, end in itertools.pairwise((0, 5, 6, 20, SEGMENTS)):
        evaluation.add(
            {name: outputs[begin:end] for name, outputs in SYSTEMS.items()},
            REFERENCES[begin:end],
            units=UNITS[begin:end],
            groups={"by": BY[begin:end]},
        )
    return evaluation


def sums(folder):
    return batches(folder, retain="sums")


def files(folder):
    """The evaluation that commands make of files."""
    write_lines(folder, **SYSTEMS, references=REFERENCES, units=UNITS, by=BY)
    systems = {name: folder / name for name in SYSTEMS}
    return evaluate_files(
        systems, [folder / "references"], CHOICES, units=folder / "units", groups={"by": folder / "by"}
    )


def rows(folder):
    """Rows that a different process computed."""
    return Evaluation.from_rows(
        CHOICES,
        {
            label: {name: metric.stats(outputs, REFERENCES) for name, outputs in SYSTEMS.items()}
            for label, metric in parse_metrics(CHOICES).items()
        },
        references=(1, 1),
        **LABELS,
    )


def columns(folder):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({**SYSTEMS, "references": REFERENCES})
    return refscore.evaluate({name: table[name] for name in SYSTEMS}, table["references"], CHOICES, **LABELS)


def frame(folder):
    polars = pytest.importorskip("polars")
    from refscore.frames import evaluate

    table = polars.DataFrame({**SYSTEMS, "references": REFERENCES, "units": UNITS, "by": BY})
    return evaluate(table, {name: name for name in SYSTEMS}, "references", CHOICES, units="units", groups="by")


def saved(folder):
    texts(folder).save(folder / "texts.refscore")
    return refscore.load(folder / "texts.refscore")


def pickled(folder):
    return pickle.loads(pickle.dumps(texts(folder)))


def more_segments(folder):
    return part(0, 9) + part(9, SEGMENTS)


def more_systems(folder):
    return part(0, SEGMENTS, ["old"]) | part(0, SEGMENTS, ["new"])


# Engines belong here as soon as they return evaluations with rows of several systems.
WAYS = {
    way.__name__: way
    for way in (texts, batches, sums, files, rows, columns, frame, saved, pickled, more_segments, more_systems)
}


def given_texts(folder):
    """Metrics that score no text: scores of a different program, and error rates of meetings."""
    metrics, tables = rows_without_text()
    return refscore.evaluate(SYSTEMS, REFERENCES, metrics, rows=tables, **LABELS)


def given(folder):
    return Evaluation.from_rows(*rows_without_text(), **LABELS)


def given_saved(folder):
    given(folder).save(folder / "given.refscore")
    return refscore.load(folder / "given.refscore")


def given_parts(folder):
    metrics, tables = rows_without_text()

    def half(chosen):
        parts = {label: {name: table[chosen] for name, table in tables[label].items()} for label in tables}
        return Evaluation.from_rows(metrics, parts, units=UNITS[chosen], groups={"by": BY[chosen]})

    return half(slice(0, 9)) + half(slice(9, SEGMENTS))


def given_systems(folder):
    metrics, tables = rows_without_text()

    def only(name):
        return Evaluation.from_rows(metrics, {label: {name: tables[label][name]} for label in tables}, **LABELS)

    # `|` refuses the rows of meetings, because their references are unknown.
    return only("old").beside(only("new"))


def meetings_evaluation(folder, names=("old", "new"), begin=0, end=SEGMENTS):
    """Each segment is a session of one speaker."""
    systems = {
        name: [meetings.Utterance(f"{k:03}", "1", text) for k, text in enumerate(SYSTEMS[name])][begin:end]
        for name in names
    }
    reference = [meetings.Utterance(f"{k:03}", "Ann", text) for k, text in enumerate(REFERENCES)][begin:end]
    return meetings.evaluate(systems, reference, ["cpwer", "orcwer"], groups={"by": BY[begin:end]})


def meetings_rows(folder):
    scored = meetings_evaluation(folder)
    rows = {label: {name: scored.rows(label, name) for name in SYSTEMS} for label in scored.metrics}
    return Evaluation.from_rows(["cpwer", "orcwer"], rows, units=scored.units, groups={"by": BY})


def meetings_saved(folder):
    meetings_evaluation(folder).save(folder / "meetings.refscore")
    return refscore.load(folder / "meetings.refscore")


def meetings_parts(folder):
    return meetings_evaluation(folder, end=9) + meetings_evaluation(folder, begin=9)


def meetings_systems(folder):
    return meetings_evaluation(folder, ["old"]) | meetings_evaluation(folder, ["new"])


MEETING_WAYS = {
    way.__name__: way for way in (meetings_evaluation, meetings_rows, meetings_saved, meetings_parts, meetings_systems)
}
GIVEN_WAYS = {way.__name__: way for way in (given_texts, given, given_saved, given_parts, given_systems)}
ALL_WAYS = {**WAYS, **GIVEN_WAYS, **MEETING_WAYS}


@cache
def rows_without_text():
    comet = refscore.Given("comet")
    scored = meetings_evaluation(None)
    tables = {"comet": {name: comet.stats([each / 100 for each in PEOPLE[name][::-1]]) for name in SYSTEMS}}
    return {"comet": comet, "orcwer": scored.metrics["orcwer"]}, {
        **tables,
        "orcwer": {name: scored.rows("orcwer", name) for name in scored},
    }


def shown_scores(evaluation):
    return {
        system: {
            label: (score.value, score.row.tobytes(), score.signature) for label, score in evaluation[system].items()
        }
        for system in evaluation
    }


def saved_bytes(evaluation):
    """Return the header without what a way in need not know, and all arrays."""
    header, arrays = read_statistics(evaluation.to_bytes())
    header = {name: value for name, value in header.items() if name not in ("notes", "digests", "warnings")}
    return header, {name: array.tobytes() for name, array in arrays.items()}


def without_files(content):
    """Return the content of JSON output without the names of files, the schema and the version."""
    if isinstance(content, dict):
        dropped = ("file", "files", "schema", "version", "warnings")
        return {name: without_files(value) for name, value in content.items() if name not in dropped}
    return [without_files(value) for value in content] if isinstance(content, list) else content


def summary(evaluation):
    shown = evaluation.summary(intervals=True, by="by", **DRAWS)
    return without_files(shown.to_dict()), str(shown)


def comparison(evaluation):
    shown = evaluation.compare("old", by="by", trials=50, **DRAWS)
    return without_files(shown.to_dict()), str(shown)


def judgments(evaluation):
    judged = evaluation.agreement(PEOPLE)
    numbers = {name: (each.segments.tolist(), each.systems.tolist()) for name, each in judged.metrics.items()}
    return judged.systems, judged.human.tolist(), numbers, rank_metrics(judged, trials=20).to_dict()


def report(evaluation):
    shown = evaluation.report(reporting=Reporting(**DRAWS))
    results = [(each.title, [(score.value, score.signature) for score in each.scores]) for each in shown.results]
    return shown.systems, shown.segments, results, shown.sentences, shown.shown


VIEWS = {
    "scores": shown_scores,
    "score": lambda evaluation: [evaluation.score(label, "new").value for label in evaluation.metrics],
    "run_scores": lambda evaluation: [
        [score.value for score in evaluation.run_scores(label, "new")] for label in evaluation.metrics
    ],
    "signatures": lambda evaluation: dict(evaluation.signatures),
    "segment_scores": lambda evaluation: {
        label: {name: values.tolist() for name, values in evaluation.segment_scores(label).items()}
        for label in evaluation.metrics
    },
    "interval": lambda evaluation: [evaluation.interval(label, "new", **DRAWS) for label in evaluation.metrics],
    "intervals": lambda evaluation: {
        system: {label: each.to_dict() for label, each in by_label.items()}
        for system, by_label in evaluation.intervals(**DRAWS).items()
    },
    "by": lambda evaluation: {label: shown_scores(group) for label, group in evaluation.by("by").items()},
    "compare": comparison,
    "agreement": judgments,
    "summary": summary,
    "to_dict": lambda evaluation: without_files(evaluation.summary().to_dict()),
    "save": saved_bytes,
    "errors": lambda evaluation: [
        evaluation.errors(label, "new").to_dict()
        for label, metric in evaluation.metrics.items()
        if getattr(metric, "has_alignments", False)
    ],
    "to_pandas": lambda evaluation: [
        evaluation.to_pandas(segments=segments).to_dict("list") for segments in (False, True)
    ],
    "report": report,
}

NEEDS_ROWS = "only their sums|not retained"
NEEDS_TEXTS = "needs? the texts"
# The pairs that cannot work: by the name of the way in, the views and a part of their error.
REFUSED = {
    "sums": {
        **dict.fromkeys(
            ["segment_scores", "interval", "intervals", "by", "compare", "agreement", "summary", "to_pandas"],
            NEEDS_ROWS,
        ),
        "report": NEEDS_TEXTS,
        "errors": NEEDS_TEXTS,
    },
    **{
        name: {"report": NEEDS_TEXTS, **({"errors": NEEDS_TEXTS} if name in WAYS else {})}
        for name in ALL_WAYS
        if name not in ("texts", "columns", "sums", "given_texts", "more_systems")
    },
}
# The sums of a merged evaluation are exact, and its file says that there are no rows.
DIFFERENT = {("sums", "save")}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the result of each view for evaluated texts."""
    folder = tmp_path_factory.mktemp("texts")

    @cache
    def result(first, view):
        return VIEWS[view](first(folder))

    return result


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("way", ALL_WAYS)
def test_every_way_in_has_every_view(way, view, expected, tmp_path):
    evaluation = ALL_WAYS[way](tmp_path)
    error = REFUSED.get(way, {}).get(view)
    if error is not None:
        with pytest.raises(InputError, match=error):
            VIEWS[view](evaluation)
        return
    found = VIEWS[view](evaluation)
    first = texts if way in WAYS else given_texts if way in GIVEN_WAYS else meetings_evaluation
    if (way, view) not in DIFFERENT:
        assert found == expected(first, view)


def test_every_public_view_is_tried():
    public = {name for name in vars(Views) if not name.startswith("_")}
    assert public <= set(VIEWS)
    tried = {name for views in REFUSED.values() for name in views}
    assert tried <= set(VIEWS) and set(REFUSED) <= {*ALL_WAYS}


class TestCommands:
    """The commands print the views of the same evaluation."""

    @pytest.fixture
    def folder(self, tmp_path, monkeypatch):
        files(tmp_path)
        lines = [f"{name}\t{k}\t{score}" for name in SYSTEMS for k, score in enumerate(PEOPLE[name])]
        write_lines(tmp_path, **{"people.tsv": ["system\tsegment\tscore", *lines]})
        monkeypatch.chdir(tmp_path)
        return tmp_path

    ARGUMENTS = ("old", "new", "-r", "references", "-m", ",".join(CHOICES))
    RESAMPLING = ("--resamples", "40", "--seed", "7", "--units", "units", "--by", "by")

    def test_score(self, folder, capsys):
        content = json_of(capsys, "score", *self.ARGUMENTS, "--ci", *self.RESAMPLING)
        shown = texts(folder).summary(intervals=True, by="by", **DRAWS)
        assert without_files(content) == without_files(json.loads(json.dumps(shown.to_dict())))

    def test_compare(self, folder, capsys):
        content = json_of(capsys, "compare", *self.ARGUMENTS, *self.RESAMPLING, "--trials", "50", "--power")
        shown = texts(folder).compare(by="by", trials=50, power=0.8, **DRAWS)
        assert without_files(content) == without_files(json.loads(json.dumps(shown.to_dict())))

    def test_meta(self, folder, capsys):
        content = json_of(capsys, "meta", *self.ARGUMENTS, "--human", "people.tsv", "--trials", "20")
        shown = rank_metrics(texts(folder).agreement(PEOPLE), "acc-eq", trials=20)
        (ranking,) = content["rankings"]
        del ranking["pairs"]
        assert ranking == json.loads(json.dumps(shown.to_dict()))

    def test_report(self, folder, capsys):
        pytest.importorskip("vl_convert")
        arguments = ("--resamples", "40", "--seed", "7", "--units", "units", "-o", "command.html")
        output_of(capsys, "report", *self.ARGUMENTS, *arguments)
        texts(folder).report(folder / "python.html", reporting=Reporting(**DRAWS))
        pages = [(folder / f"{name}.html").read_text(encoding="utf-8") for name in ("command", "python")]
        assert pages[0] == pages[1]

    def test_merged_parts(self, folder, capsys):
        sides = {**SYSTEMS, "references": REFERENCES}
        for name, chosen in {"first": slice(0, 10), "second": slice(10, SEGMENTS)}.items():
            write_lines(folder, **{f"{side}.{name}": lines[chosen] for side, lines in sides.items()})
            for system in SYSTEMS:
                inputs = (f"{system}={system}.{name}", "-r", f"references.{name}", "-m", ",".join(CHOICES))
                assert status_of(["stats", *inputs, "--rows", "-o", f"{system}.{name}.refscore"]) == 0
        parts = [f"{system}.{name}.refscore" for system in SYSTEMS for name in ("first", "second")]
        content = json_of(capsys, "merge", *parts, "--ci", "--resamples", "40", "--seed", "7", "-o", "all.refscore")
        whole = refscore.evaluate(SYSTEMS, REFERENCES, CHOICES)
        shown = whole.summary(intervals=True, **DRAWS)
        assert without_files(content) == without_files(json.loads(json.dumps(shown.to_dict())))
        loaded = refscore.load("all.refscore")
        for view in ("scores", "segment_scores", "agreement"):
            assert VIEWS[view](loaded) == VIEWS[view](whole)
        compared = [evaluation.compare("old", trials=50, **DRAWS) for evaluation in (loaded, whole)]
        assert str(compared[0]) == str(compared[1])


class TestOracles:
    """Plain computations of a number of each view."""

    def test_scores(self):
        hits = errors = 0
        for output, reference in zip(NEW, REFERENCES, strict=True):
            errors += edit_distance(output.split(), reference.split())
            hits += len(reference.split())
        evaluation = refscore.evaluate(SYSTEMS, REFERENCES, "wer")
        assert evaluation["new"]["wer"].value == errors / hits
        assert evaluation.segment_scores()["new"][1] == edit_distance(NEW[1].split(), REFERENCES[1].split()) / len(
            REFERENCES[1].split()
        )

    def test_meetings_of_one_stream_are_word_errors(self):
        metrics, tables = rows_without_text()
        found = Evaluation.from_rows(metrics, tables)
        words = refscore.evaluate(SYSTEMS, REFERENCES, "wer")
        for name in SYSTEMS:
            assert found[name]["orcwer"].value == words[name]["wer"].value

    def test_intervals_over_sessions(self):
        """Sums of counts, and the percentiles of error rates of sessions that are drawn independently."""
        errors = [edit_distance(*map(str.split, pair)) for pair in zip(NEW, REFERENCES, strict=True)]
        counts = np.array([errors, [len(reference.split()) for reference in REFERENCES]]).T
        evaluation = meetings_evaluation(None)
        score = evaluation["new"]["cpwer"]
        assert [score.errors, score.length] == counts.sum(axis=0).tolist()
        drawn = counts[np.random.default_rng(0).integers(SEGMENTS, size=(20_000, SEGMENTS))].sum(axis=1)
        found = evaluation.interval("cpwer", "new", resamples=20_000)
        expected = np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])
        assert (found.low, found.high) == pytest.approx(expected, abs=0.006)

    def test_intervals(self):
        """The percentiles of the means of resamples, drawn independently."""
        numbers = [each / 100 for each in PEOPLE["old"]]
        comet = refscore.Given("comet")
        evaluation = Evaluation.from_rows(comet, {"comet": {"old": comet.stats(numbers)}})
        found = evaluation.intervals(resamples=20_000)["old"]["comet"]
        draws = np.random.default_rng(0).choice(numbers, (20_000, SEGMENTS)).mean(axis=1)
        assert (found.low, found.high) == pytest.approx(np.percentile(draws, [2.5, 97.5]), abs=0.006)

    def test_units_are_resampled_together(self):
        """Units of which each has one value: the interval is that of the sums of units."""
        rows = refscore.WER().stats(NEW, REFERENCES)
        sums = np.array([rows[begin : begin + 3].sum(axis=0) for begin in range(0, SEGMENTS, 3)])
        evaluation = refscore.evaluate(NEW, REFERENCES, "wer", units=UNITS)
        found = evaluation.intervals(**DRAWS)["system"]["wer"]
        expected = refscore.significance.bootstrap("wer", sums, **DRAWS)
        assert (found.low, found.high) == (expected.low, expected.high)
        assert "|units:8|" in found.signature

    def test_by(self):
        chosen = [k for k, label in enumerate(BY) if label == "news"]
        found = texts(None).by("by")["news"]
        outputs = [NEW[k] for k in chosen]
        assert found["new"]["chrf++"] == refscore.CHRF(word_order=2).corpus(outputs, [REFERENCES[k] for k in chosen])
        assert (found.segments, found.units) == (len(chosen), [UNITS[k] for k in chosen])

    def test_comparisons(self):
        """The mean difference of given scores, and the p-value of all sign changes."""
        values = {"old": [0.1, 0.2, 0.4, 0.3, 0.2], "new": [0.3, 0.3, 0.7, 0.2, 0.4]}
        comet = refscore.Given("comet")
        tables = {name: comet.stats(numbers) for name, numbers in values.items()}
        found = Evaluation.from_rows(comet, {"comet": tables}).compare(test="randomization", trials=50_000)
        differences = np.subtract(values["new"], values["old"])
        signs = np.array(list(itertools.product((-1, 1), repeat=5)))
        extreme = abs((signs * differences).mean(axis=1)) >= abs(differences.mean()) - 1e-12
        outcome = found["comet"]["new"]
        assert outcome.difference == pytest.approx(differences.mean())
        assert outcome.p_value == pytest.approx(extreme.mean(), abs=0.01)

    def test_agreement(self):
        people, automatic = {"a": [3, 1, 2], "b": [1, 2, 5]}, {"a": [0.5, 0.1, 0.4], "b": [0.2, 0.3, 0.9]}
        comet = refscore.Given("comet")
        tables = {name: comet.stats(numbers) for name, numbers in automatic.items()}
        judged = Evaluation.from_rows(comet, {"comet": tables}).agreement(people)
        flat = [np.concatenate([side["a"], side["b"]]) for side in (people, automatic)]
        expected = np.corrcoef(*flat)[0, 1]
        assert refscore.meta.agreement(judged, "pearson", by="none")["comet"] == pytest.approx(expected)

    def test_summary(self):
        content = texts(None).summary().to_dict()
        scores = {entry["name"]: entry["scores"]["ter"]["percent"] for entry in content["systems"]}
        assert scores == {name: refscore.ter(outputs, REFERENCES).percent for name, outputs in SYSTEMS.items()}

    def test_report(self):
        shown = texts(None).report(reporting=Reporting(**DRAWS))
        assert shown.results[0].scores[1].value == refscore.bleu(NEW, REFERENCES).value


def edit_distance(output, reference):
    """Return the Levenshtein distance of words, by the textbook."""
    previous = [*range(len(reference) + 1)]
    for k, word in enumerate(output, 1):
        current = [k]
        for j, other in enumerate(reference, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (word != other)))
        previous = current
    return previous[-1]


def test_all_metrics_can_be_evaluated():
    """Metrics with sources and with weights of the references have the scores of their own functions."""
    from tests.derived_sources import sources_of

    sources = sources_of(REFERENCES)
    evaluation = refscore.evaluate(SYSTEMS, REFERENCES, [*METRICS], sources=sources)
    for name, metric in evaluation.metrics.items():
        assert evaluation["new"][name] == metric.corpus(NEW, REFERENCES, sources=sources)
