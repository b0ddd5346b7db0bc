"""Ray: the same scores as in one process, with one node, with two, and if one of two fails."""

import doctest
import logging
import secrets
import socket
import sys
import threading
import time
import types
from pathlib import Path

import numpy as np
import pandas
import pyarrow as pa
import pytest
import ray
import ray.data
from pyarrow import parquet
from ray.cluster_utils import Cluster

import refscore
from refscore import engines
from refscore.errors import Location
from tests.children import printed_by
from tests.cli.running import status_of
from tests.engines.conftest import ray_folder
from tests.engines.contract import DATA, EVERY, LAST_IS_EMPTY, TABLE, EngineContract, check_corpus
from tests.frames.common_frames import columns

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:`use_[a-z0-9_]+` is deprecated:DeprecationWarning"),
]

STORE = 100_000_000


@pytest.fixture(scope="module", autouse=True)
def _ray():
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    with ray_folder():
        yield
        ray.shutdown()


@pytest.fixture(scope="module")
def one_node():
    ray.shutdown()
    ray.init("local", num_cpus=2, object_store_memory=STORE, include_dashboard=False, log_to_driver=False)
    quiet()
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def cluster():
    """Start a node to which others can be added."""
    ray.shutdown()
    # A killed node refuses connections, so it counts as dead after four checks. A slow node has more time to answer.
    settings = {"health_check_period_ms": 500, "health_check_timeout_ms": 30_000, "health_check_failure_threshold": 4}
    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args={**head, "_system_config": settings})
    try:
        ray.init(made.address, log_to_driver=False)
        quiet()
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


@pytest.fixture
def second(cluster):
    """Add a second node to the cluster, on which the driver does not depend."""
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    yield node
    if node in cluster.worker_nodes:
        cluster.remove_node(node)


def quiet():
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)


def dataset(table=TABLE, blocks=5):
    if not table.num_rows:
        return dataset().limit(0)  # Ray would not know the columns of an empty table
    size = -(-table.num_rows // blocks)
    return ray.data.from_arrow([table.slice(begin, size) for begin in range(0, table.num_rows, size)])


def computed(frame, function=lambda block: block):
    """Wrap the dataset in a function, so Ray does not know its columns in advance."""
    return frame.map_batches(function, batch_format="pyarrow")


def test_a_cluster_that_is_not_there(monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # without listen, connections are refused
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(refscore.InputError, match=address):
            engines.ray.read("segments.parquet", master=address)


@pytest.mark.usefixtures("one_node")
class TestOneNode(EngineContract):
    engine = engines.ray
    part = "a block of 9 rows"

    def frame(self, table, parts=5):
        return dataset(table, parts)

    def table(self, frame):
        return pa.concat_tables(ray.get(frame.to_arrow_refs()) or [pa.table({})])

    def test_columns_that_are_not_known_before(self):
        frame = computed(dataset())
        check_corpus(engines.ray.corpus(frame, "hyp", "ref", by="lang"), TABLE, "bleu", by=["lang"])
        assert engines.ray.with_scores(frame, "hyp", "ref", "wer").count() == TABLE.num_rows
        with pytest.raises(refscore.InputError, match="the frame is empty"):
            engines.ray.corpus(computed(frame, lambda block: block.slice(0, 0)), "hyp", "ref")
        for call in (
            lambda: engines.ray.corpus(frame, "hyps", "ref"),
            lambda: engines.ray.with_scores(frame, "hyps", "ref").materialize(),
        ):
            with pytest.raises(refscore.errors.UnknownNameError, match="'hyps'"):
                call()

    @pytest.mark.parametrize("lengths", [[3, 1, 2], [2, 2, 2]])
    def test_arrays_of_ids(self, lengths):
        """Ray stores them as tensors."""

        def ids(row):
            length = lengths[row["id"]]
            return {"hyp": np.arange(length), "ref": np.arange(length) * 2}

        made = ray.data.range(3, override_num_blocks=1).map(ids)
        wanted = sum(length - 1 for length in lengths) / sum(lengths)
        assert engines.ray.corpus(made, "hyp", "ref", "wer")["wer"].to_pylist() == [wanted]
        scored = engines.ray.with_scores(made.materialize(), "hyp", "ref", "wer").take_all()
        assert [row["wer"] for row in scored] == [(length - 1) / length for length in lengths]
        assert [row["hyp"].tolist() for row in scored] == [list(range(length)) for length in lengths]

    def test_a_block_of_null_groups(self):
        """Its column has no type."""
        tables = [
            pa.table({"hyp": ["a"], "ref": ["a"], "lang": pa.nulls(1)}),
            pa.table({"hyp": ["a", "a"], "ref": ["a", "b"], "lang": ["de", None]}),
        ]
        for parts in (tables, tables[::-1]):
            found = engines.ray.corpus(computed(ray.data.from_arrow(parts)), "hyp", "ref", "wer", by="lang")
            assert found.to_pydict() == {"lang": ["de", None], "segments": [1, 2], "wer": [0, 0.5]}
        numbers = pa.table({"hyp": ["a"], "ref": ["a"], "lang": [1]})
        with pytest.raises(refscore.InputError, match="by"):
            engines.ray.corpus(computed(ray.data.from_arrow([tables[1], numbers])), "hyp", "ref", by="lang")

    def test_pandas_blocks(self):
        frame = ray.data.from_pandas(pandas.DataFrame({"hyp": DATA["hyp"], "ref": DATA["ref"]}))
        check_corpus(engines.ray.corpus(frame, "hyp", "ref", EVERY), TABLE, EVERY)

    def test_files(self, tmp_path, capsys):
        for i in range(3):
            parquet.write_table(TABLE.slice(i * 140, 140), tmp_path / f"{i}.parquet")
        frame = engines.ray.read(str(tmp_path))
        check_corpus(engines.ray.corpus(frame, "hyp", "ref", EVERY, by="domain"), TABLE, EVERY, by=["domain"])
        with pytest.raises(refscore.InputError) as raised:
            engines.ray.read("nowhere.parquet")
        assert raised.value.location == Location(file="nowhere.parquet")
        path = tmp_path / "0.parquet"
        assert status_of(["score", "--engine", "ray", f"{path}:hyp", "-r", f"{path}:refs"]) == 2
        assert "unknown column 'refs'" in capsys.readouterr().err

    def test_frames_of_other_kinds(self):
        with pytest.raises(refscore.InputError, match="Ray dataset, not Table"):
            engines.ray.corpus(TABLE, "hyp", "ref")

    def test_errors_of_lazy_columns(self):
        with pytest.raises(refscore.errors.EmptyReferenceError) as raised:
            engines.ray.with_scores(dataset(LAST_IS_EMPTY, 3), "hyp", "ref", "ribes").materialize()
        assert raised.value.location == Location("ref", segment=2, file="a block of 3 rows", line=3, field="ref")

    @pytest.mark.parametrize("by", [None, "lang"])
    def test_workers_without_refscore(self, monkeypatch, by):
        """Tasks refer to the package. Under a different name it counts as missing."""
        module = types.ModuleType("refscore_elsewhere")
        exec("def function(block, job): return block", vars(module))
        monkeypatch.setitem(sys.modules, "refscore_elsewhere", module)
        monkeypatch.setattr(engines.ray, "_with_lists", module.function)
        with pytest.raises(refscore.errors.NotInstalledError, match="the workers' Python"):
            engines.ray.corpus(dataset(), "hyp", "ref", by=by)

    def test_other_errors_are_rays(self):
        def broken(block):
            raise RuntimeError("the disk is on fire")

        with pytest.raises(ray.exceptions.RayTaskError, match="the disk is on fire"):
            engines.ray.corpus(dataset().map_batches(broken), "hyp", "ref")

    def test_examples_of_the_module(self):
        assert doctest.testmod(engines.ray).failed == 0


def large(segments=12_000):
    """Return so much text that Ray stores the blocks on the nodes instead of the driver."""
    data = columns(2000, seed=5)
    return pa.table({name: (data[name] * (segments // 2000)) for name in ("hyp", "ref", "lang")})


def nodes_of(marks):
    """Return the node of each task that ran."""
    return [path.name.split("-")[0] for path in marks.iterdir()]


def marked(marks, seconds):
    """Return a slow function of blocks that records its node first."""

    def function(block):
        node = ray.get_runtime_context().get_node_id()
        Path(marks, f"{node}-{secrets.token_hex(8)}").touch()
        time.sleep(seconds)
        return block

    return function


def test_two_nodes(second, tmp_path):
    table = large(2000)
    frame = computed(dataset(table, 8), marked(tmp_path, 0.3))
    check_corpus(engines.ray.corpus(frame, "hyp", "ref", EVERY), table, EVERY)
    assert len(set(nodes_of(tmp_path))) == 2 and second.node_id in nodes_of(tmp_path)


@pytest.mark.parametrize("by", [[], ["lang"]])
def test_a_node_that_is_killed(cluster, second, tmp_path, by):
    table, blocks = large(), 12
    marks = tmp_path / "marks"
    marks.mkdir()
    parts = [
        table.slice(begin, table.num_rows // blocks) for begin in range(0, table.num_rows, table.num_rows // blocks)
    ]

    def loaded(block):
        return parts[block["id"][0].as_py()]

    # Created by tasks on both nodes, so some blocks are lost with one of them.
    made = ray.data.range(blocks, override_num_blocks=blocks).map_batches(loaded, batch_format="pyarrow").materialize()

    def kill():
        deadline = time.monotonic() + 300
        while nodes_of(marks).count(second.node_id) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        killed.append(len(nodes_of(marks)))
        cluster.remove_node(second, allow_graceful=False)

    killed = []
    killer = threading.Thread(target=kill)
    killer.start()
    slow = computed(made, marked(marks, 0.5))
    found = engines.ray.corpus(slow, "hyp", "ref", EVERY, by=by)
    killer.join()
    check_corpus(found, table, EVERY, by=by)
    ran = nodes_of(marks)
    assert ran.count(second.node_id) >= 2
    assert killed[0] < blocks < len(ran)


def test_the_command_starts_ray_by_itself(tmp_path):
    file = tmp_path / "segments.parquet"
    parquet.write_table(TABLE, file, row_group_size=50)
    asked = ["score", f"{file}:hyp", "-r", f"{file}:ref", "-m", "bleu,chrf,wer", "--format", "json"]
    printed = []
    for options in (["--engine", "ray"], ["--quiet", "--no-warn", "all"]):
        with ray_folder():  # without the clusters of other tests
            printed.append(printed_by("-m", "refscore", *asked, *options, timeout=300))
    assert printed[0] == printed[1]
