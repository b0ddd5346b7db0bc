"""Spark on a cluster of a master and two worker processes; one worker is killed during a job."""

import contextlib
import os
import re
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyspark
import pytest

from refscore.engines import spark
from tests.engines.contract import check_corpus
from tests.engines.sessions import JAVA_OPTIONS, MARKS, session_of
from tests.frames.common_frames import columns

pytestmark = [
    *MARKS,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found by /proc"),
]

METRICS = ["bleu", "chrf", "ter", "meteor", "ribes"]
PARTITIONS = 16
TABLE = pa.table(columns(2000, seed=7))


class Cluster:
    """A standalone cluster on this machine. The master chooses a free port and logs it."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []

    def start(self):
        self._start("master", "master.Master", "--port", "0")
        log = self.folder / "master.log"
        found = wait_for(lambda: re.search(r"spark://127\.0\.0\.1:\d+(?=\s)", log.read_text()))
        self.url = found[0]
        resources = ["--cores", "1", "--memory", "600m"]
        self.workers = [
            self._start(name, "worker.Worker", *resources, "--work-dir", self.folder / name, self.url)
            for name in ("worker1", "worker2")
        ]

    def _start(self, name, role, *arguments):
        home = Path(pyspark.__file__).parent
        environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS,
        }
        command = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{role}", "--host", "127.0.0.1"]
        with (self.folder / f"{name}.log").open("w") as log:
            self.processes.append(
                subprocess.Popen([*command, "--webui-port", "0", *arguments], stdout=log, stderr=log, env=environment)
            )
        return self.processes[-1]

    def kill(self, worker):
        """Kill a worker and all its descendants with SIGKILL."""
        ends = [worker.pid, *descendants(worker.pid)]
        for process in ends:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        worker.wait(30)
        return len(ends)

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                self.kill(process)


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
    return result


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
        made.start()
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
def frame(session):
    return session.createDataFrame(TABLE).repartition(PARTITIONS)


@pytest.mark.parametrize("by", [[], ["lang"]])
def test_two_workers_come_to_the_scores_of_one_process(frame, by):
    check_corpus(spark.corpus(frame, "hyp", "ref", METRICS, by=by), TABLE, METRICS, by=by)


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, frame, tmp_path):
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
        job = other.submit(spark.corpus, slow, "hyp", "ref", METRICS, by=["lang"])
        wait_for(lambda: job.done() or len([*tmp_path.glob("*.ended")]) >= 3)
        assert not job.done()
        victim = next(worker for worker in cluster.workers if len(descendants(worker.pid)) > 1)
        assert cluster.kill(victim) > 2  # the worker, its executor, and the executor's Python
        found = job.result(300)
    begun, ended = ([note.name for note in tmp_path.glob(f"*.{kind}")] for kind in ("begun", "ended"))
    assert {name.partition(".")[0] for name in ended} == {*map(str, range(PARTITIONS))}
    assert len(begun) > PARTITIONS, "no task was cut off"
    check_corpus(found, TABLE, METRICS, by=["lang"])
    check_corpus(spark.corpus(frame, "hyp", "ref", METRICS), TABLE, METRICS)  # with the remaining worker
