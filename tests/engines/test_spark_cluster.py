"""Spark on a cluster of a master and two worker processes; one worker is killed during a job."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import refscore
from tests.engines.sessions import require_spark, session_of

require_spark()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found by /proc"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # from Spark's sockets
]

METRICS = ["bleu", "chrf", "ter", "meteor", "ribes"]
PARTITIONS = 16


class Cluster:
    """A standalone cluster on this machine."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.master = self._start("master", "master.Master", "--port", str(self.port), "--webui-port", "0")
        wait_for(lambda: reachable(self.port))
        self.workers = [
            self._start(
                f"worker{number}",
                "worker.Worker",
                *("--cores", "1", "--memory", "600m", "--webui-port", "0"),
                *("--work-dir", str(folder / f"worker{number}"), self.url),
            )
            for number in range(2)
        ]

    @property
    def url(self):
        return f"spark://127.0.0.1:{self.port}"

    def _start(self, name, role, *arguments):
        import pyspark

        home = Path(pyspark.__file__).parent
        environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}", "--host", "127.0.0.1"]
        with (self.folder / f"{name}.log").open("w") as log:
            return subprocess.Popen([*command, *arguments], stdout=log, stderr=log, env=environment)

    def kill(self, worker):
        """Kill a worker and all its descendants with SIGKILL."""
        ends = [worker.pid, *descendants(worker.pid)]
        for process in ends:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        worker.wait(30)
        return len(ends)

    def stop(self):
        for process in (*self.workers, self.master):
            if process.poll() is None:
                self.kill(process)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def reachable(port):
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def descendants(process):
    """Return all descendants of a process."""
    parents = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = [process]
    for one in found:
        found += [own for own, parent in parents.items() if parent == one]
    return found[1:]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("spark"))
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def session(cluster):
    with session_of(cluster.url) as made:
        wait_for(lambda: executors(made) == 2)
        yield made


def executors(session):
    """Return the number of executors, which includes the driver."""
    return len(session.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) - 1


@pytest.fixture(scope="module")
def segments():
    words = "the a cat dog sat ran on over mat hill , . quickly never 3.5 é 你好".split()  # noqa: SIM905
    generator = random.Random(7)

    def text():
        return " ".join(generator.choices(words, k=generator.randint(4, 14)))

    references = [text() for _ in range(2000)]
    return [own if generator.random() < 0.3 else text() for own in references], references


@pytest.fixture(scope="module")
def frame(session, segments):
    import pyarrow as pa

    table = pa.table({"hyp": segments[0], "ref": segments[1], "group": [i % 7 for i in range(2000)]})
    return session.createDataFrame(table).repartition(PARTITIONS)


def check(found, segments):
    assert found["segments"] == len(segments[0])
    for label, score in refscore.scores(*segments, METRICS).items():
        assert found[label] == score.value


def test_two_workers_come_to_the_scores_of_one_process(session, frame, segments):
    from refscore.engines import spark

    check(spark.corpus(frame, "hyp", "ref", METRICS).to_pylist()[0], segments)
    groups = spark.corpus(frame, "hyp", "ref", METRICS, score_by="group").to_pylist()
    assert [row["group"] for row in groups] == list(range(7))
    for row in groups:
        check(row, [side[row["group"] :: 7] for side in segments])


def test_bleu_chrf_and_ter_are_those_of_sacrebleu(session, frame, segments):
    import sacrebleu

    from refscore.engines import spark

    (found,) = spark.corpus(frame, "hyp", "ref", ["bleu", "chrf", "ter"]).to_pylist()
    for label, metric in [("bleu", sacrebleu.BLEU()), ("chrf", sacrebleu.CHRF()), ("ter", sacrebleu.TER())]:
        wanted = metric.corpus_score(segments[0], [segments[1]]).score
        assert 100 * found[label] == pytest.approx(wanted, rel=0, abs=1e-10)


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, session, frame, segments, tmp_path):
    from refscore.engines import spark

    notes = str(tmp_path)

    def slowly(batches):
        """Record when a partition begins and ends. Nested, because workers do not have this module."""
        import os
        import time

        import pyspark

        context = pyspark.TaskContext.get()
        name = f"{context.partitionId()}.{context.taskAttemptId()}"
        open(os.path.join(notes, f"{name}.begun"), "w").close()
        for batch in batches:
            time.sleep(0.5)
            yield batch
        open(os.path.join(notes, f"{name}.ended"), "w").close()

    slow = frame.mapInArrow(slowly, frame.schema)
    with ThreadPoolExecutor(1) as other:
        job = other.submit(spark.corpus, slow, "hyp", "ref", METRICS, score_by="group")
        wait_for(lambda: job.done() or len([*tmp_path.glob("*.ended")]) >= 3)
        assert not job.done()
        victim = next(worker for worker in cluster.workers if len(descendants(worker.pid)) > 1)
        assert cluster.kill(victim) > 2  # the worker, its executor, and the executor's Python
        groups = job.result(120).to_pylist()
    begun, ended = ([note.name for note in tmp_path.glob(f"*.{kind}")] for kind in ("begun", "ended"))
    assert {name.partition(".")[0] for name in ended} == {*map(str, range(PARTITIONS))}
    assert len(begun) > PARTITIONS, "no task was cut off"
    for row in groups:
        check(row, [side[row["group"] :: 7] for side in segments])
    assert len(groups) == 7
    check(spark.corpus(frame, "hyp", "ref", METRICS).to_pylist()[0], segments)  # with the remaining worker
