"""Sources, the third input of metrics: checked like the others, and passed on by every feature."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

import refscore
from refscore import mbr
from refscore.metrics import METRICS
from refscore.rewards import Reward
from tests.cli.running import check_failure, json_of, output_of, write_lines
from tests.locations import raises_at

SOURCES = ["the cat perched on the mat", "it was raining all day long", "nobody came"]
HYPOTHESES = ["the cat sat on the mat", "it rained all day", "no one came"]
OTHERS = ["the cat perched on it", "it was raining all day", "nobody came"]
REFERENCES = [["the cat sat on a mat", "a cat was on the mat"], "it rained the whole day", ["nobody came", None]]
SINGLE = ["the cat sat on a mat", "it rained the whole day", "nobody came"]
SARI = refscore.SARI()
EXPECTED = SARI.segments(HYPOTHESES, REFERENCES, sources=SOURCES)


@dataclass(frozen=True, kw_only=True)
class Copied(refscore.metrics.PythonMetric):
    """The share of the source's words that the hypothesis copies; also counts the references."""

    name = "copied"
    columns = ("copied", "words", "references")
    needs_sources = True

    def row(self, hypothesis, references, source=()):
        return len(set(source) & set(hypothesis)), len(set(source)), len(references)

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0


def test_metrics_in_python():
    metric = Copied()
    rows = metric.stats(HYPOTHESES, REFERENCES, sources=SOURCES)
    assert rows.tolist() == [[4, 5, 2], [3, 6, 1], [1, 2, 1]]
    score = metric.corpus(HYPOTHESES, REFERENCES, sources=SOURCES)
    assert score.value == 8 / 13 and "|nrefs:var|" in score.signature
    assert metric.segment(HYPOTHESES[0], SINGLE[0], source=SOURCES[0]).value == 4 / 5
    assert "source" in str(metric.explain(HYPOTHESES[0], SINGLE[0], source=SOURCES[0]))
    assert metric.pairwise(HYPOTHESES[:2], SINGLE[:1], source=SOURCES[0]).tolist() == [[4 / 5], [0.0]]
    tokens = [text.split() for text in HYPOTHESES], [[text.split()] for text in SINGLE]
    assert metric.stats(*tokens, sources=[text.split() for text in SOURCES])[:, 0].tolist() == [4, 3, 1]


def test_other_metrics_ignore_sources():
    for name in ("bleu", "nist", "wer"):
        metric = METRICS[name]()
        score = metric.corpus(HYPOTHESES, SINGLE, sources=["?"])
        assert score == metric.corpus(HYPOTHESES, SINGLE)


def test_every_form_of_sources():
    ids = {
        word: i for i, word in enumerate({word for text in (*SOURCES, *HYPOTHESES, *SINGLE) for word in text.split()})
    }

    def numbers(texts):
        return [np.array([ids[word] for word in text.split()]) for text in texts]

    def matrix(texts):
        rows = numbers(texts)
        return refscore.inputs.padded(
            np.array([[*row, *[0] * (9 - len(row))] for row in rows]), lengths=[len(row) for row in rows]
        )

    metric = refscore.SARI(tokenizer="none", lowercase=False)
    expected = metric.segments(HYPOTHESES, SINGLE, sources=SOURCES)
    for convert in (numbers, matrix, lambda texts: [text.split() for text in texts]):
        references = convert(SINGLE)
        references = references if convert is matrix else [[reference] for reference in references]
        assert np.array_equal(metric.segments(convert(HYPOTHESES), references, sources=convert(SOURCES)), expected)
    assert np.array_equal(metric.segments(iter(HYPOTHESES), iter(SINGLE), sources=iter(SOURCES)), expected)
    scores = refscore.scores(iter(HYPOTHESES), iter(SINGLE), ["sari", Copied(), "bleu"], sources=iter(SOURCES))
    assert scores["sari"] == SARI.corpus(HYPOTHESES, SINGLE, sources=SOURCES)


def test_columns():
    pa = pytest.importorskip("pyarrow")
    for sources in (pa.array(SOURCES), pa.chunked_array([SOURCES[:1], SOURCES[1:]])):
        assert np.array_equal(SARI.segments(pa.array(HYPOTHESES), pa.array(SINGLE), sources=sources),
                              SARI.segments(HYPOTHESES, SINGLE, sources=SOURCES))  # fmt: skip
    with raises_at(refscore.InputError, side="sources", segment=1):
        SARI.segments(HYPOTHESES, SINGLE, sources=pa.array(["a", None, "b"]))


@pytest.mark.parametrize(
    ("sources", "problem", "location"),
    [
        (None, "SARI needs the source of each segment: pass sources=", None),
        (SOURCES[:2], "has 2 segments, but references has 3: pass one source per segment", {"side": "sources"}),
        ([*SOURCES[:2], None], "is None: pass an empty string for an empty source", {"side": "sources", "segment": 2}),
        ("text", "is a string", {"side": "sources"}),
        ([text.split() for text in SOURCES], "is tokens, but the references are text", {"side": "sources"}),
        (5, "pass a list", {"side": "sources"}),
    ],
)
def test_mistakes(sources, problem, location):
    for metric in (SARI, Copied()):
        for call in (metric.corpus, metric.stats, metric.segments):
            with pytest.raises(refscore.InputError, match=problem.replace("SARI", metric.title)) as caught:
                call(HYPOTHESES, REFERENCES, sources=sources)
            if location is not None:
                assert {name: getattr(caught.value.location, name) for name in location} == location


def test_mistakes_of_single_segments_and_prepared_references():
    for call in (SARI.segment, SARI.explain, SARI.value_and_row):
        with pytest.raises(refscore.InputError, match="SARI needs the source of the segment: pass source="):
            call("a", "b")
    with pytest.raises(refscore.InputError, match="pass source="):
        SARI.pairwise(["a"], ["b"])
    with pytest.raises(refscore.InputError, match="without sources"):
        SARI.corpus(HYPOTHESES, refscore.BLEU(lowercase=True).prepare(SINGLE))
    with pytest.raises(refscore.InputError, match="pass sources= to prepare"):
        SARI.corpus(HYPOTHESES, refscore.BLEU(lowercase=True).prepare(SINGLE), sources=SOURCES)
    with pytest.raises(refscore.InputError, match="with sources"):
        refscore.BLEU(lowercase=True).corpus(HYPOTHESES, SARI.prepare(SINGLE, sources=SOURCES))
    with refscore.metrics.limits(max_tokens=6):
        long = [*SOURCES[:2], "a b c d e f g"]
        with raises_at(refscore.errors.LimitError, "7 tokens", side="sources", segment=2):
            SARI.corpus(HYPOTHESES, SINGLE, sources=long)
        with raises_at(refscore.errors.LimitError, "7 tokens", side="source"):
            SARI.segment("a", "b", source=long[2])


def test_pairs_of_groups():
    matrix = SARI.pairwise(HYPOTHESES, SINGLE, source=SOURCES[0])
    assert matrix[1, 2] == SARI.segment(HYPOTHESES[1], SINGLE[2], source=SOURCES[0]).value
    both = SARI.pairwise([HYPOTHESES, HYPOTHESES[:1]], [SINGLE, SINGLE[1:]], source=SOURCES[:2])
    assert np.array_equal(both[0], matrix)
    assert np.array_equal(both[1], SARI.pairwise(HYPOTHESES[:1], SINGLE[1:], source=SOURCES[1]))
    with pytest.raises(refscore.InputError, match="source must have one entry per group, 2 in all"):
        SARI.pairwise([HYPOTHESES, HYPOTHESES[:1]], [SINGLE, SINGLE[1:]], source=SOURCES)
    choices = mbr.choose([HYPOTHESES, OTHERS], metric="sari", source=SOURCES[:2])
    assert choices[1].expected.tolist() == mbr.choose(OTHERS, metric="sari", source=SOURCES[1]).expected.tolist()


def test_comparisons_and_evaluations():
    systems = {"old": OTHERS, "new": HYPOTHESES}
    result = refscore.compare(systems, REFERENCES, ["sari", "chrf"], sources=SOURCES, test="bootstrap", resamples=20)
    expected = SARI.corpus(HYPOTHESES, REFERENCES, sources=SOURCES).value
    assert result["sari"]["new"].score == pytest.approx(expected, rel=1e-12)
    evaluation = refscore.Evaluation("sari")
    batches = zip(([text] for text in HYPOTHESES), ([refs] for refs in REFERENCES), ([text] for text in SOURCES))  # noqa: B905
    evaluation.consume(batches)
    assert evaluation.score().value == expected
    skipped = refscore.Evaluation("sari")
    skipped.consume([(HYPOTHESES, REFERENCES, SOURCES)], skip=1)
    assert skipped.score() == SARI.corpus(HYPOTHESES[1:], REFERENCES[1:], sources=SOURCES[1:])


def test_frames():
    pa, pd = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    pl, db = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    from refscore import frames

    columns = {"hyp": HYPOTHESES, "ref": SINGLE, "src": SOURCES}
    names = "hyp", "ref", "sari"
    values = SARI.segments(HYPOTHESES, SINGLE, sources=SOURCES).tolist()
    corpus = SARI.corpus(HYPOTHESES, SINGLE, sources=SOURCES).value
    frame = pd.DataFrame(columns)
    assert frames.with_scores(frame, *names, sources="src")["sari"].tolist() == values
    assert frames.corpus(frame, *names, sources="src")["sari"].tolist() == [corpus]
    table = pa.table(columns)
    assert frames.with_scores(table, *names, sources="src")["sari"].to_pylist() == values
    assert frames.corpus(table, *names, sources="src")["sari"].to_pylist() == [corpus]
    polars = pl.DataFrame(columns)
    assert polars.select(frames.polars.segment_score(*names, sources="src"))["sari"].to_list() == values
    assert polars.select(frames.polars.corpus_score(*names, sources="src")).item() == corpus
    assert frames.corpus(polars.lazy(), *names, sources="src")["sari"].to_list() == [corpus]
    connection = db.connect()
    frames.duckdb.register(connection, "sari")
    assert [value for (value,) in connection.sql("SELECT sari(src, hyp, ref) FROM polars").fetchall()] == values
    with pytest.raises(Exception, match="needs a source, a hypothesis and at least one reference"):
        connection.sql("SELECT sari(hyp, ref) FROM polars").fetchall()
    with pytest.raises(refscore.SettingError, match="name its column with sources="):
        frames.corpus(frame, *names)
    with pytest.raises(refscore.errors.UnknownNameError, match="'src'"):
        frames.corpus(frame, *names, sources="scr")
    holes = frame.assign(src=["a", None, "b"])
    with pytest.raises(refscore.InputError, match=r"src\[1\]"):
        frames.corpus(holes, *names, sources="src")
    assert np.isnan(frames.with_scores(holes, *names, sources="src", missing="skip")["sari"]).tolist() == [
        False,
        True,
        False,
    ]


def test_rewards():
    expected = pytest.approx(SARI.segments(HYPOTHESES, SINGLE, sources=SOURCES).tolist())
    reward = Reward("sari", sources="prompts")
    chats = [[{"role": "user", "content": text}] for text in SOURCES]
    for prompts in (SOURCES, chats):
        assert reward(prompts=prompts, completions=HYPOTHESES, reference=SINGLE) == expected
    with pytest.raises(refscore.InputError, match="'source'"):
        Reward("sari")(completions=HYPOTHESES, reference=SINGLE)
    infos = [{"source": text} for text in SOURCES]
    assert Reward("sari").compute_scores(["?"] * 3, HYPOTHESES, SINGLE, infos) == expected
    with pytest.raises(refscore.InputError, match=r"extra_infos\[0\]"):
        Reward("sari").compute_score("?", "a", "b", {"sauce": "c"})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_lines(tmp_path, **{"h.txt": HYPOTHESES, "o.txt": OTHERS, "r.txt": SINGLE, "s.txt": SOURCES})
    (tmp_path / "short.txt").write_text("a\nb\n")
    candidates = [{"candidates": HYPOTHESES, "text": SOURCES[0]}]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(line) + "\n" for line in candidates))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands(folder, capsys):
    expected = SARI.corpus(HYPOTHESES, SINGLE, sources=SOURCES)
    given = ("-r", "r.txt", "--source", "s.txt", "-m", "sari,chrf")
    data = json_of(capsys, "score", "h.txt", "o.txt", *given, "--format", "json")
    assert data["systems"][0]["scores"]["sari"] == expected.to_dict()
    assert f"{expected.percent:.2f}" in output_of(capsys, "compare", "o.txt", "h.txt", *given, "--resamples", "20")
    output_of(capsys, "stats", "h.txt", *given, "-o", "h.refscore")
    assert refscore.Evaluation.load("h.refscore").score("sari") == expected
    output_of(capsys, "conventions", "h.txt", "-r", "r.txt", "--source", "s.txt", "-m", "sari")
    chosen = json.loads(output_of(capsys, "mbr", "c.jsonl", "-m", "sari", "--source-field", "text"))
    assert chosen["mbr"]["best"] == mbr.choose(HYPOTHESES, metric="sari", source=SOURCES[0]).best
    steps = output_of(capsys, "explain", "--text", HYPOTHESES[0], SINGLE[0], "--source", SOURCES[0], "-m", "sari")
    assert "perched" in steps


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["score", "h.txt", "-r", "r.txt", "-m", "sari"],
            "SARI needs the source of each segment: name a file with --source",
        ),
        (["explain", "h.txt:1", "r.txt", "-m", "sari"], "name a file with --source"),
        (["score", "h.txt", "-r", "r.txt", "-m", "sari", "--source", "short.txt"], "short.txt"),
        (["score", "h.txt", "-r", "r.txt", "-m", "sari", "--source", "s.txt", "--max-tokens", "5"], "line 1 of"),
    ],
)
def test_mistakes_on_the_command_line(folder, capsys, arguments, message):
    check_failure(capsys, arguments, message)
