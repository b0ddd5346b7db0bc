"""Spark in one process."""

import datetime
import decimal
import doctest
import re
from pathlib import Path

import pyarrow.parquet
import pytest

import refscore
from refscore.engines import spark
from tests.children import run_python
from tests.cli.running import status_of
from tests.engines.contract import LAST_IS_EMPTY, TABLE, EngineContract
from tests.engines.sessions import JAVA_OPTIONS, MARKS, session_of

pytestmark = MARKS


@pytest.fixture(scope="module", autouse=True)
def session():
    with session_of("local[2]") as started:
        yield started


class TestSpark(EngineContract):
    engine = spark
    part = "partition 0"

    @pytest.fixture(autouse=True)
    def _session(self, session):
        self.session = session

    def frame(self, table, parts=5):
        whole = self.session.createDataFrame(table)
        return whole.coalesce(1) if parts == 1 else whole.repartition(min(parts, 10))

    def table(self, frame):
        return frame.toArrow()

    def test_errors_of_lazy_columns(self):
        with pytest.raises(Exception, match=r"EmptyReferenceError: ref in line 9 of partition 0"):
            self.table(spark.with_scores(self.frame(LAST_IS_EMPTY, 1), "hyp", "ref", "ribes"))


def test_frames_of_other_kinds():
    with pytest.raises(refscore.InputError, match="Spark DataFrame, not list"):
        spark.corpus([1], "hyp", "ref")


def test_other_columns_pass_through(session):
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
    scored = spark.with_scores(frame, "the hyp.", "ref`s", "wer")
    assert scored.schema.fields[:-1] == frame.schema.fields
    assert sorted(map(repr, scored.drop("wer").collect())) == sorted(map(repr, frame.collect()))
    assert {row["wer"] for row in scored.collect()} == {0.0}
    found = spark.corpus(frame, "the hyp.", "ref`s", "wer", by=["day", "at", "flag", "d", "bin"])
    assert found["day"].to_pylist() == [row[6] for row in rows]


def test_errors_of_workers():
    assert isinstance(
        spark._original("x\nModuleNotFoundError: No module named 'refscore'\n"), refscore.errors.NotInstalledError
    )
    assert spark._original("java.lang.OutOfMemoryError") is None


def test_streams(session, tmp_path):
    schema = "hyp string, ref string"
    session.createDataFrame([("a cat", "the cat")], schema).write.parquet(str(tmp_path / "in"))
    stream = session.readStream.schema(schema).parquet(str(tmp_path / "in"))
    with pytest.raises(refscore.InputError, match="stream"):
        spark.corpus(stream, "hyp", "ref")
    scored = spark.with_scores(stream, "hyp", "ref", "wer")
    query = scored.writeStream.format("memory").queryName("scored").outputMode("append").trigger(availableNow=True)
    query.start().awaitTermination(300)
    assert [row["wer"] for row in session.table("scored").collect()] == [0.5]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "segments.parquet"
    pyarrow.parquet.write_table(TABLE, path, row_group_size=50)
    return path


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_command_prints_what_it_prints_without_an_engine(file, capsys, form):
    asked = [f"{file}:hyp", f"again={file}:ref", "-r", f"{file}:ref", "--format", form, "-m", "bleu,chrf++,wer"]
    assert status_of(["score", *asked, "-q", "--no-warn", "all"]) == 0
    wanted = capsys.readouterr().out
    assert status_of(["score", *asked, "--engine", "spark"]) == 0
    assert capsys.readouterr().out == wanted


def test_mistakes_of_the_command(file, tmp_path, capsys):
    def sides(hypotheses, references=f"{file}:ref"):
        return [hypotheses, "-r", references]

    for arguments, named in [
        ([*sides(f"{file}:hyp"), "--ci"], "--ci"),
        ([*sides(f"{file}:hyp"), "--segments", "-"], "--segments"),
        ([*sides(f"{file}:hyp"), "-m", "nist"], "nist"),
        (sides(str(file)), "PATH:COLUMN"),
        (sides(f"{tmp_path}/x:hyp"), "one table"),
        (sides(f"{tmp_path}/x:hyp", f"{tmp_path}/x:ref"), "does not exist"),
        (sides(f"{file}:hpy"), "'hyp'"),
        (sides(f"{file}:other"), "null"),
    ]:
        assert status_of(["score", *arguments, "--engine", "spark"]) == 2
        shown = capsys.readouterr().err.strip()
        assert named in shown and "\n" not in shown
    for options, named in [(["--engine", "sparc"], "'sparc'"), (["--master", "local[2]"], "--engine")]:
        assert status_of(["score", *sides(f"{file}:hyp"), *options]) == 2
        assert named in capsys.readouterr().err


def test_the_command_starts_spark_by_itself(file):
    arguments = ["-m", "refscore", "score", f"{file}:other", "-r", f"{file}:ref", "--engine", "spark"]
    environment = {"JDK_JAVA_OPTIONS": JAVA_OPTIONS, "PYSPARK_PYTHON": None, "SPARK_HOME": None}
    ended = run_python(*arguments, "--master", "local[1]", environment=environment)
    assert ended.returncode == 2
    assert re.match(r"refscore: other in line \d+ of partition \d+ is null", ended.stderr.strip().splitlines()[-1])
    assert "\tat org.apache" not in ended.stderr and "Traceback" not in ended.stderr


def test_without_java_it_says_so(file):
    arguments = ["-m", "refscore", "score", f"{file}:hyp", "-r", f"{file}:ref", "--engine", "spark"]
    ended = run_python(*arguments, environment={"JAVA_HOME": "/nowhere"})
    assert ended.returncode == 2
    assert ended.stderr.strip().splitlines()[-1].startswith("refscore: Spark does not start without Java 17")


def test_without_spark_it_says_what_to_install():
    code = "import sys; sys.modules['pyspark'] = None\nimport refscore\nrefscore.engines.spark"
    assert "pip install 'refscore[spark]'" in run_python("-c", code).stderr


def test_examples():
    assert doctest.testmod(spark).failed == 0


def test_the_example_of_the_page(session, file, tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "howto" / "use-spark-and-ray.md").read_text(encoding="utf-8")
    (example,) = (block for block in re.findall(r"```py\n(.*?)```", page, re.DOTALL) if "import spark" in block)
    # Java keeps the working directory of its start.
    exec(example.replace("segments.parquet", str(file)).replace("scored.parquet", str(tmp_path / "scored")), {})
    assert "ter" in session.read.parquet(str(tmp_path / "scored")).columns
