"""Spark in one process: columns, corpora, groups and errors equal those of one machine."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import refscore
from refscore.errors import Location
from refscore.frames import arrow
from tests.cli.running import status_of
from tests.engines.examples import failed_examples
from tests.engines.sessions import require_spark, session_of
from tests.frames.common_frames import METRICS, check, columns
from tests.frames.outside_metric import Surplus

require_spark()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # from Spark's sockets
]

EVERY = ["bleu", "chrf", "ter", "ribes", "meteor", "rouge", "gleu", "wer", "cer"]
TYPES = "hyp string, ref string, other string, lang string, domain bigint"


@pytest.fixture(scope="module")
def session():
    with session_of("local[2]") as made:
        yield made


@pytest.fixture(scope="module")
def data():
    return columns()


@pytest.fixture(scope="module")
def frame(session, data):
    return session.createDataFrame(list(zip(*data.values(), strict=True)), TYPES).repartition(5).cache()


@pytest.fixture(scope="module")
def spark(session):
    from refscore.engines import spark

    return spark


def exact(found, wanted):
    """Check equality to the last bit."""
    assert {label: found[label] for label in wanted} == {label: score.value for label, score in wanted.items()}


def test_a_corpus_is_that_of_one_process(spark, frame, data):
    (found,) = spark.corpus(frame, "hyp", "ref", EVERY).to_pylist()
    assert found["segments"] == len(data["hyp"])
    exact(found, refscore.scores(data["hyp"], data["ref"], EVERY))


def test_bleu_chrf_and_ter_are_those_of_sacrebleu(spark, frame, data):
    import sacrebleu

    (found,) = spark.corpus(frame, "hyp", "ref", ["bleu", "chrf", "ter"]).to_pylist()
    for label, metric in [("bleu", sacrebleu.BLEU()), ("chrf", sacrebleu.CHRF()), ("ter", sacrebleu.TER())]:
        assert 100 * found[label] == pytest.approx(metric.corpus_score(data["hyp"], [data["ref"]]).score, abs=1e-10)


@pytest.mark.parametrize("by", [["lang"], ["lang", "domain"]])
def test_groups_are_sorted_with_null_last(spark, frame, data, by):
    found = spark.corpus(frame, "hyp", "ref", METRICS, score_by=by).to_pylist()
    keys = [tuple(row[name] for name in by) for row in found]
    assert keys == sorted(keys, key=lambda key: [(value is None, value or 0) for value in key])
    first = {}
    for i in range(len(data["hyp"])):
        first.setdefault(tuple(data[name][i] for name in by), i)
    check([found[keys.index(key)] for key in first], data, by)


def test_several_columns_of_references(spark, frame, data):
    (found,) = spark.corpus(frame, "hyp", ["ref", "other"], EVERY).to_pylist()
    references = [[one, other] for one, other in zip(data["ref"], data["other"], strict=True)]
    exact(found, refscore.scores(data["hyp"], references, EVERY))


def test_totals_merge_with_those_of_other_tools(spark, frame, data):
    table = pa.table({name: data[name] for name in ("hyp", "ref", "lang")})
    other = arrow.totals(table, "hyp", "ref", METRICS, score_by="lang")
    found = spark.totals(frame, "hyp", "ref", METRICS, score_by="lang")
    assert found.schema.equals(other.schema, check_metadata=True)
    assert sorted(found.to_pylist(), key=str) == sorted(other.to_pylist(), key=str)
    assert arrow.merge([found, other]).num_rows == 3
    (whole,) = spark.totals(frame, "hyp", "ref", "bleu").to_pylist()
    assert whole["bleu"] == refscore.bleu(data["hyp"], data["ref"]).row.tolist()


def test_an_accumulator_of_all_segments(spark, frame, data):
    found = spark.accumulate(frame, "hyp", ["ref", "other"], ["bleu", "ter"])
    references = [[one, other] for one, other in zip(data["ref"], data["other"], strict=True)]
    assert found.segments == 400
    assert found.score("bleu") == refscore.bleu(data["hyp"], references)
    assert found.score("bleu").signature == refscore.bleu(data["hyp"], references).signature


def test_columns_of_scores(spark, frame):
    made = spark.with_scores(frame, "hyp", ["ref", "other"], {"sentence": "bleu", "chrf": "chrf"})
    assert made.schema.fields[:-2] == frame.schema.fields
    assert [field.name for field in made.schema.fields[-2:]] == ["sentence", "chrf"]
    assert made.schema["sentence"].dataType.typeName() == "double"
    for row in made.limit(50).collect():
        references = [row["ref"], row["other"]]
        metric = refscore.BLEU.preset("sacrebleu-sentence")
        assert row["sentence"] == metric.segment(row["hyp"], references).value
        assert row["chrf"] == refscore.CHRF().segment(row["hyp"], references).value


def test_other_columns_pass_through(spark, session):
    import datetime
    import decimal

    rows = [
        (
            f"a cat {i}",
            [f"a dog {i}", f"a cat {i}", None],
            {"k": i},
            (i, "x"),
            bytes([i]),
            decimal.Decimal(f"{i}.50"),
            datetime.date(2020, 1, 1 + i),
            datetime.datetime(2020, 1, 1, i),
            None if i else True,
            float("nan"),
        )
        for i in range(8)
    ]
    kinds = (
        "`the hyp.` string, `ref``s` array<string>, m map<string,int>, s struct<a:int,b:string>, bin binary, "
        "d decimal(10,2), day date, at timestamp, flag boolean, f float"
    )
    frame = session.createDataFrame(rows, kinds).repartition(2)
    made = spark.with_scores(frame, "the hyp.", "ref`s", "wer")
    assert made.schema.fields[:-1] == frame.schema.fields
    assert sorted(map(repr, made.drop("wer").collect())) == sorted(map(repr, frame.collect()))
    assert {row["wer"] for row in made.collect()} == {0.0}
    found = spark.corpus(frame, "the hyp.", "ref`s", "wer", score_by=["day", "at", "flag", "d", "bin"])
    assert found["day"].to_pylist() == [row[6] for row in rows]


@pytest.mark.parametrize("kind", ["int", "bigint", "string"])
def test_tokens_and_ids(spark, session, kind):
    words = str if kind == "string" else int
    hypotheses = [[words(j) for j in range(i, i + 5)] for i in range(6)]
    references = [[words(j) for j in range(i % 3, i % 3 + 5)] for i in range(6)]
    frame = session.createDataFrame(
        list(zip(hypotheses, references, strict=True)), f"h array<{kind}>, r array<{kind}>"
    ).repartition(3)
    (found,) = spark.corpus(frame, "h", "r", ["bleu", "wer"]).to_pylist()
    wanted = refscore.scores(hypotheses, [[own] for own in references], ["bleu", "wer"])
    assert [found["bleu"], found["wer"]] == [score.value for score in wanted.values()]


def test_a_fitted_metric(spark, frame, data):
    metric = refscore.NIST.fit(data["ref"])
    (found,) = spark.corpus(frame, "hyp", "ref", metric).to_pylist()
    assert found["nist"] == metric.corpus(data["hyp"], data["ref"]).value


def test_a_metric_from_outside(spark, frame, data):
    class Defined(Surplus):
        """A class defined in a notebook, which workers cannot import."""

    wanted = Surplus().corpus(data["hyp"], data["ref"])
    for metric in (Surplus(), Defined()):
        found = spark.corpus(frame, "hyp", "ref", metric)["surplus"].to_pylist()
        assert found == [wanted.value]
        assert spark.accumulate(frame, "hyp", "ref", metric).score().row.tolist() == wanted.row.tolist()
    scored = spark.with_scores(frame, "hyp", "ref", Surplus()).toArrow()["surplus"].to_pylist()
    assert sorted(scored) == sorted(Surplus().segments(data["hyp"], data["ref"]).tolist())


def test_empty_frames(spark, session):
    empty = session.createDataFrame([], "hyp string, ref string, lang string")
    with pytest.raises(refscore.InputError, match="empty corpus has no score"):
        spark.corpus(empty, "hyp", "ref")
    assert spark.corpus(empty, "hyp", "ref", score_by="lang").to_pydict() == {"lang": [], "segments": [], "bleu": []}
    assert spark.with_scores(empty, "hyp", "ref").collect() == []


def test_mistakes_are_found_before_anything_is_scored(spark, frame):
    for call, error, message in [
        (lambda: spark.corpus(frame, "hpy", "ref"), refscore.UnknownNameError, "did you mean 'hyp'"),
        (lambda: spark.corpus(frame, "domain", "ref"), refscore.InputError, "domain is a column of integers"),
        (lambda: spark.with_scores(frame, "domain", "ref"), refscore.InputError, "domain is a column of integers"),
        (lambda: spark.corpus([1], "hyp", "ref"), refscore.InputError, "Spark DataFrame, not list"),
    ]:
        with pytest.raises(error, match=message):
            call()


def test_mistakes_in_the_data_have_their_class_and_location(spark, session):
    rows = [("a cat", "a cat", "x")] * 30 + [("a cat", "", "x")]
    frame = session.createDataFrame(rows, "hyp string, ref string, lang string").coalesce(1)
    for call in (
        lambda: spark.corpus(frame, "hyp", "ref", "ribes"),
        lambda: spark.corpus(frame, "hyp", "ref", "ribes", score_by="lang"),
        lambda: spark.totals(frame, "hyp", "ref", "ribes"),
        lambda: spark.accumulate(frame, "hyp", "ref", "ribes"),
    ):
        with pytest.raises(refscore.EmptyReferenceError) as caught:
            call()
        assert caught.value.location == Location("ref", segment=30, file="partition 0", line=31, field="ref")
        assert str(caught.value).startswith("ref in line 31 of partition 0 has no words")
        assert caught.value.__cause__ is None and caught.value.__suppress_context__
    with pytest.raises(Exception, match="EmptyReferenceError: ref in line 31 of partition 0 has no words"):
        spark.with_scores(frame, "hyp", "ref", "ribes").collect()


def test_errors_of_workers(spark):
    missing = spark._original("x\nModuleNotFoundError: No module named 'refscore'\n")
    assert isinstance(missing, refscore.NotInstalledError) and str(missing).startswith("the workers' Python has no")
    assert spark._original("java.lang.OutOfMemoryError") is None


def test_streams(spark, session, tmp_path):
    schema = "hyp string, ref string"
    session.createDataFrame([("a cat", "the cat")], schema).write.parquet(str(tmp_path / "in"))
    stream = session.readStream.schema(schema).parquet(str(tmp_path / "in"))
    with pytest.raises(refscore.InputError, match="a stream has no corpus score"):
        spark.corpus(stream, "hyp", "ref")
    made = spark.with_scores(stream, "hyp", "ref", "wer")
    query = made.writeStream.format("memory").queryName("scored").outputMode("append").trigger(availableNow=True)
    query.start().awaitTermination(60)
    assert [row["wer"] for row in session.table("scored").collect()] == [0.5]


@pytest.fixture(scope="module")
def file(data, tmp_path_factory):
    import pyarrow.parquet

    path = tmp_path_factory.mktemp("files") / "segments.parquet"
    pyarrow.parquet.write_table(pa.table(data), path, row_group_size=50)
    return path


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_command_prints_what_it_prints_without_an_engine(session, file, capsys, form):
    asked = [f"{file}:hyp", f"again={file}:ref", "-r", f"{file}:ref", "--format", form, "-m", "bleu,chrf++,wer"]
    assert status_of(["score", *asked, "-q"]) == 0
    wanted = capsys.readouterr().out
    assert status_of(["score", *asked, "--engine", "spark"]) == 0
    assert capsys.readouterr().out == wanted


def test_mistakes_of_the_command(session, file, tmp_path, capsys):
    sides = [f"{file}:hyp", "-r", f"{file}:ref"]
    for arguments, message in [
        ([*sides, "--engine", "spark", "--ci"], "instead of --ci"),
        ([*sides, "--engine", "spark", "--segments", "-"], "instead of --segments"),
        ([*sides, "--engine", "spark", "-m", "nist"], "nist needs all references"),
        ([*sides, "--engine", "sparc"], "'sparc' is not one of"),
        ([*sides, "--master", "local[2]"], "add --engine spark"),
        ([str(file), "-r", f"{file}:ref", "--engine", "spark"], "segments.parquet names no column: write PATH:COLUMN"),
        ([f"{tmp_path}/x:hyp", "-r", f"{file}:ref", "--engine", "spark"], "into one table"),
        ([f"{tmp_path}/x:hyp", "-r", f"{tmp_path}/x:ref", "--engine", "spark"], "Path does not exist"),
        ([f"{file}:hpy", "-r", f"{file}:ref", "--engine", "spark"], "did you mean 'hyp'"),
        ([f"{file}:other", "-r", f"{file}:ref", "--engine", "spark"], "is null: an empty output is an empty string"),
    ]:
        assert status_of(["score", *arguments]) == 2
        shown = capsys.readouterr().err.strip()
        assert message in shown and "\n" not in shown


def test_the_command_starts_spark_by_itself(file):
    made = subprocess.run(
        [
            *(sys.executable, "-m", "refscore", "score", f"{file}:other", "-r", f"{file}:ref", "--engine", "spark"),
            *("--master", "local[1]"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={
            **{key: value for key, value in os.environ.items() if key not in ("PYSPARK_PYTHON", "SPARK_HOME")},
            "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        },
    )
    assert made.returncode == 2
    last = made.stderr.strip().splitlines()[-1]
    assert re.match(r"refscore: other in line \d+ of partition \d+ is null: an empty output is an empty string$", last)
    assert "\tat org.apache" not in made.stderr and "Traceback" not in made.stderr


def test_without_java_it_says_so(file):
    made = subprocess.run(
        [sys.executable, "-m", "refscore", "score", f"{file}:hyp", "-r", f"{file}:ref", "--engine", "spark"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "JAVA_HOME": "/nowhere"},
    )
    assert made.returncode == 2
    assert made.stderr.strip().splitlines()[-1].startswith("refscore: Spark does not start without Java 17")


def test_examples(spark, session):
    frame = session.createDataFrame([("a cat", "the cat"), ("a dog", "a dog")], "hyp string, ref string")
    assert failed_examples(spark, frame) == 0
    assert doctest.testmod(spark).failed == 0


def test_the_example_of_the_page(session, file, tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "howto" / "use-spark-and-ray.md").read_text(encoding="utf-8")
    (example,) = (block for block in re.findall(r"```py\n(.*?)```", page, re.DOTALL) if "import spark" in block)
    # Java keeps the working directory of its start.
    exec(example.replace("segments.parquet", str(file)).replace("scored.parquet", str(tmp_path / "scored")), {})
    assert "ter" in session.read.parquet(str(tmp_path / "scored")).columns


def test_without_spark_it_says_what_to_install():
    code = "import sys; sys.modules['pyspark'] = None\nimport refscore\nrefscore.engines.spark"
    made = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60, env=dict(os.environ)
    )
    assert "refscore.engines.spark needs pyspark and pyarrow: pip install 'refscore[spark]'" in made.stderr
