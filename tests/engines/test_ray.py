"""Ray: the same scores as in one process, with one node, with two, and if one of two fails."""

import doctest
import logging
import secrets
import sys
import threading
import time
import types
from pathlib import Path

import pyarrow as pa
import pytest
import ray
import ray.data
import sacrebleu
from ray.cluster_utils import Cluster

import refscore
from refscore import engines
from refscore.errors import Location
from refscore.frames import arrow
from tests.cli.running import status_of
from tests.engines.examples import failed_examples
from tests.frames.common_frames import METRICS, columns
from tests.frames.outside_metric import Surplus

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:`use_[a-z0-9_]+` is deprecated:DeprecationWarning"),
]

STORE = 100_000_000
BLOCKS = 5
EVERY = ["bleu", "chrf", "ter", "wer", "ribes", "meteor", "rouge1"]

DATA = columns()
TABLE = pa.table(DATA)


@pytest.fixture(scope="module", autouse=True)
def _quiet_logs(_ray_folder):
    logging.getLogger("ray").setLevel(logging.CRITICAL)
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
    settings = {"health_check_period_ms": 500, "health_check_timeout_ms": 500, "health_check_failure_threshold": 4}
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


def dataset(table=TABLE, blocks=BLOCKS):
    size = -(-table.num_rows // blocks)
    return ray.data.from_arrow([table.slice(begin, size) for begin in range(0, table.num_rows, size)])


def computed(made, function=lambda block: block):
    """Wrap the dataset in a function, so Ray does not know its columns in advance."""
    return made.map_batches(function, batch_format="pyarrow")


def in_order(table, by):
    """Sort rows by groups, None last."""
    return sorted(table.to_pylist(), key=lambda row: [(row[name] is None, row[name]) for name in by])


def check(found, table, metrics, **options):
    """Check that the scores equal those of one process, to the last bit."""
    wanted = arrow.corpus(table, "hyp", "ref", metrics, **options)
    assert found.schema == wanted.schema
    assert found.to_pylist() == in_order(wanted, options.get("score_by", []))


def test_a_cluster_that_is_not_there(monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(refscore.InputError, match=r"no Ray cluster answers at 127\.0\.0\.1:1 "):
        engines.ray.read("segments.parquet", master="127.0.0.1:1")


@pytest.mark.usefixtures("one_node")
class TestOneNode:
    @pytest.mark.parametrize("by", [[], ["lang"], ["domain", "lang"]])
    def test_corpus(self, by):
        check(engines.ray.corpus(dataset(), "hyp", "ref", EVERY, score_by=by), TABLE, EVERY, score_by=by)

    def test_columns_that_are_not_known_before(self):
        check(engines.ray.corpus(computed(dataset()), "hyp", "ref", score_by="lang"), TABLE, "bleu", score_by=["lang"])

    def test_sacrebleu(self):
        found = engines.ray.corpus(dataset(), "hyp", "ref", ["bleu", "chrf", "ter"]).to_pylist()[0]
        references = [DATA["ref"]]
        assert found["bleu"] * 100 == pytest.approx(sacrebleu.corpus_bleu(DATA["hyp"], references).score, abs=1e-9)
        assert found["chrf"] * 100 == pytest.approx(sacrebleu.corpus_chrf(DATA["hyp"], references).score, abs=1e-9)
        assert found["ter"] * 100 == pytest.approx(sacrebleu.corpus_ter(DATA["hyp"], references).score, abs=1e-9)

    def test_accumulator(self):
        sums = engines.ray.accumulate(dataset(), "hyp", "ref", METRICS)
        wanted = refscore.scores(DATA["hyp"], DATA["ref"], METRICS)
        assert sums.segments == TABLE.num_rows
        assert sums.scores() == wanted
        assert str(sums.score("bleu")) == str(wanted["bleu"])

    def test_totals_are_merged_with_others(self):
        first, second = TABLE.slice(0, 150), TABLE.slice(150)
        parts = [engines.ray.totals(dataset(first), "hyp", "ref"), arrow.totals(second, "hyp", "ref")]
        assert arrow.merge(parts) == arrow.totals(TABLE, "hyp", "ref")

    def test_many_blocks(self):
        found = engines.ray.totals(dataset(blocks=100), "hyp", "ref", EVERY, score_by="lang")
        assert found.to_pylist() == in_order(arrow.totals(TABLE, "hyp", "ref", EVERY, score_by="lang"), ["lang"])

    @pytest.mark.parametrize("way", [dataset, lambda: computed(dataset())], ids=["known", "computed"])
    def test_columns_of_scores(self, way):
        made = engines.ray.with_scores(way(), "hyp", ["ref", "other"], {"b": "bleu", "w": "wer"}, threads=2)
        found = pa.concat_tables(ray.get(made.to_arrow_refs()))
        wanted = arrow.with_scores(TABLE, "hyp", ["ref", "other"], {"b": "bleu", "w": "wer"})
        assert found.schema == wanted.schema
        assert sorted(found.to_pylist(), key=str) == sorted(wanted.to_pylist(), key=str)

    def test_lists_and_ids(self):
        lists = pa.table(
            {"hyp": ["a b", "c"], "ref": [["x", "a b"], ["c"]], "ids": [[1, 2, 3], [4]], "same": [[1, 2, 3], [5]]}
        )
        assert engines.ray.corpus(dataset(lists, 2), "hyp", "ref", "wer")["wer"].to_pylist() == [0]
        assert engines.ray.corpus(dataset(lists, 2), "ids", "same", "wer")["wer"].to_pylist() == [0.25]

    @pytest.mark.parametrize("lengths", [[3, 1, 2], [2, 2, 2]])
    def test_arrays_of_ids(self, lengths):
        """Ray stores them as tensors."""
        import numpy as np

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
            found = engines.ray.corpus(computed(ray.data.from_arrow(parts)), "hyp", "ref", "wer", score_by="lang")
            assert found.to_pydict() == {"lang": ["de", None], "segments": [1, 2], "wer": [0, 0.5]}
        numbers = pa.table({"hyp": ["a"], "ref": ["a"], "lang": [1]})
        with pytest.raises(refscore.InputError, match="a column of score_by has different types in different parts"):
            engines.ray.corpus(computed(ray.data.from_arrow([tables[1], numbers])), "hyp", "ref", score_by="lang")

    def test_a_fitted_metric(self):
        metric = refscore.NIST.fit(DATA["ref"])
        found = engines.ray.corpus(dataset(), "hyp", "ref", metric)["nist"].to_pylist()
        assert found == [refscore.nist(DATA["hyp"], DATA["ref"]).value]

    def test_a_metric_from_outside(self):
        class Defined(Surplus):
            """A class defined in a notebook, which workers cannot import."""

        wanted = Surplus().corpus(DATA["hyp"], DATA["ref"])
        for metric in (Surplus(), Defined()):
            found = engines.ray.corpus(dataset(), "hyp", "ref", metric)["surplus"].to_pylist()
            assert found == [wanted.value]
            assert engines.ray.accumulate(dataset(), "hyp", "ref", metric).score().row.tolist() == wanted.row.tolist()
        scored = [row["surplus"] for row in engines.ray.with_scores(dataset(), "hyp", "ref", Surplus()).take_all()]
        assert sorted(scored) == sorted(Surplus().segments(DATA["hyp"], DATA["ref"]).tolist())

    def test_pandas_blocks(self):
        import pandas

        made = ray.data.from_pandas(pandas.DataFrame({"hyp": DATA["hyp"], "ref": DATA["ref"]}))
        check(engines.ray.corpus(made, "hyp", "ref", EVERY), TABLE, EVERY)

    def test_files(self, tmp_path):
        from pyarrow import parquet

        for i in range(3):
            parquet.write_table(TABLE.slice(i * 140, 140), tmp_path / f"{i}.parquet")
        made = engines.ray.read(str(tmp_path))
        check(engines.ray.corpus(made, "hyp", "ref", EVERY, score_by="domain"), TABLE, EVERY, score_by=["domain"])

    def test_mistakes_of_the_command(self, tmp_path, capsys):
        from pyarrow import parquet

        path = tmp_path / "segments.parquet"
        parquet.write_table(TABLE, path)
        assert status_of(["score", "--engine", "ray", f"{path}:hyp", "-r", f"{path}:refs"]) == 2
        assert "unknown column 'refs'" in capsys.readouterr().err

    def test_nothing(self):
        nothing = TABLE.slice(0, 0)
        for made in (ray.data.from_arrow(nothing), computed(dataset(), lambda block: block.slice(0, 0))):
            with pytest.raises(refscore.InputError, match="the frame is empty: an empty corpus has no score"):
                engines.ray.corpus(made, "hyp", "ref")
        found = engines.ray.corpus(dataset().limit(0), "hyp", "ref", score_by="lang")
        assert found.to_pydict() == {"lang": [], "segments": [], "bleu": []}

    def test_mistakes_before_the_work(self):
        made = dataset()
        with pytest.raises(refscore.InputError, match="dataset must be a Ray dataset, not Table"):
            engines.ray.corpus(TABLE, "hyp", "ref")
        with pytest.raises(refscore.UnknownNameError, match="unknown column 'hyps'"):
            engines.ray.corpus(made, "hyps", "ref")
        with pytest.raises(refscore.InputError) as raised:
            engines.ray.with_scores(made, "domain", "ref")
        assert raised.value.location == Location("domain")
        with pytest.raises(refscore.InputError, match=r"nowhere\.parquet cannot be read as Parquet: "):
            engines.ray.read("nowhere.parquet")

    def test_mistakes_in_blocks(self):
        """They are refscore's errors, with class and location."""
        table = pa.table({"hyp": ["a"] * 9, "ref": ["a"] * 5 + [""] + ["a"] * 3})
        wanted = Location("ref", segment=2, file="a block of 3 rows", line=3, field="ref")
        for by in (None, "ref"):
            with pytest.raises(refscore.EmptyReferenceError) as raised:
                engines.ray.corpus(dataset(table, 3), "hyp", "ref", "ribes", score_by=by)
            assert raised.value.location == wanted
            assert "\n" not in str(raised.value)
        with pytest.raises(refscore.EmptyReferenceError, match=r"ref in line 3 of a block of 3 rows has no") as raised:
            engines.ray.with_scores(dataset(table, 3), "hyp", "ref", "ribes").materialize()
        assert raised.value.location == wanted
        with pytest.raises(refscore.UnknownNameError, match="unknown column 'hyps'"):
            engines.ray.corpus(computed(dataset()), "hyps", "ref")
        with pytest.raises(refscore.UnknownNameError, match="unknown column 'hyps'"):
            engines.ray.with_scores(computed(dataset()), "hyps", "ref").materialize()

    @pytest.mark.parametrize("by", [None, "lang"])
    def test_workers_without_refscore(self, monkeypatch, by):
        """Tasks refer to the package. Under a different name it counts as missing."""
        module = types.ModuleType("refscore_elsewhere")
        exec("def function(block, job): return block", vars(module))
        monkeypatch.setitem(sys.modules, "refscore_elsewhere", module)
        monkeypatch.setattr(engines.ray, "_with_lists", module.function)
        with pytest.raises(refscore.NotInstalledError, match="the workers' Python has no refscore: install"):
            engines.ray.corpus(dataset(), "hyp", "ref", score_by=by)

    def test_other_errors_are_rays(self):
        def broken(block):
            raise RuntimeError("the disk is on fire")

        with pytest.raises(ray.exceptions.RayTaskError, match="the disk is on fire"):
            engines.ray.corpus(dataset().map_batches(broken), "hyp", "ref")

    def test_examples(self):
        table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        assert failed_examples(engines.ray, ray.data.from_arrow(table)) == 0
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
    made = dataset(table, 8).map_batches(marked(tmp_path, 0.3), batch_format="pyarrow")
    check(engines.ray.corpus(made, "hyp", "ref", EVERY), table, EVERY)
    assert len(set(nodes_of(tmp_path))) == 2 and second.node_id in nodes_of(tmp_path)
    hypotheses, references = table["hyp"].to_pylist(), [table["ref"].to_pylist()]
    found = engines.ray.corpus(dataset(table, 8), "hyp", "ref", ["bleu", "chrf"]).to_pylist()[0]
    assert found["bleu"] * 100 == pytest.approx(sacrebleu.corpus_bleu(hypotheses, references).score, abs=1e-9)
    assert found["chrf"] * 100 == pytest.approx(sacrebleu.corpus_chrf(hypotheses, references).score, abs=1e-9)


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
        deadline = time.monotonic() + 60
        while nodes_of(marks).count(second.node_id) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        killed.append(len(nodes_of(marks)))
        cluster.remove_node(second, allow_graceful=False)

    killed = []
    killer = threading.Thread(target=kill)
    killer.start()
    slow = made.map_batches(marked(marks, 0.5), batch_format="pyarrow")
    found = engines.ray.corpus(slow, "hyp", "ref", EVERY, score_by=by)
    killer.join()
    check(found, table, EVERY, score_by=by)
    ran = nodes_of(marks)
    assert ran.count(second.node_id) >= 2
    assert killed[0] < blocks < len(ran)
