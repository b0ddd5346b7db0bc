"""Saved evaluations: everything is restored, hostile files are rejected, and long jobs continue where they stopped."""

import io
import json
import pickle
import struct
import subprocess
import sys
import time
import tracemalloc
import zlib
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import Evaluation, InputError, SettingError
from refscore.errors import Location
from refscore.evaluation.file_format import read_statistics, write_statistics
from refscore.inputs import padded
from refscore.metrics import METRICS, RowSum
from tests.derived_sources import sources_of
from tests.evaluation.corpora import corpus, cut
from tests.examples import examples
from tests.frames.outside_metric import Surplus
from tests.test_inputs import Tensor

SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
HYPOTHESES, REFERENCES = corpus(120, references=2)
ALL = {name: kind().fit(REFERENCES) for name, kind in METRICS.items()}
ALL["surplus"] = Surplus()


def filled(metrics="bleu", retain="sums"):
    evaluation = Evaluation(metrics, retain=retain)
    evaluation.add(HYPOTHESES, REFERENCES, sources=sources_of(REFERENCES))
    return evaluation


@pytest.mark.parametrize("retain", ["sums", "rows", 30])
def test_everything_comes_back(retain, tmp_path):
    refscore.metrics.register(Surplus)
    evaluation = filled(ALL, retain)
    evaluation.notes["from"] = {"file": "ü.txt", "parts": [1, 2.5, None]}
    evaluation.save(tmp_path / "all.refscore")
    again = Evaluation.load(tmp_path / "all.refscore")
    assert again.metrics == evaluation.metrics
    assert again.scores() == evaluation.scores()
    assert (again.segments, again.notes, again.retain) == (evaluation.segments, evaluation.notes, retain)
    assert again.versions == (refscore.__version__,)
    assert again.to_bytes() == evaluation.to_bytes()
    if retain != "sums":
        for label in ALL:
            assert np.array_equal(again.rows(label), evaluation.rows(label))
    more = corpus(10, seed=1)
    for one in (again, evaluation):
        one.add(*more, sources=sources_of(more[1]))
    assert again.to_bytes() == evaluation.to_bytes()


def test_the_format_is_as_documented(tmp_path):
    """Read the file without refscore's code."""
    evaluation = filled(["bleu", "ter"], "rows")
    evaluation.save(tmp_path / "a.refscore")
    data = (tmp_path / "a.refscore").read_bytes()
    magic, version, length = struct.unpack("<8sII", data[:16])
    assert (magic, version) == (b"REFSTATS", 4)
    assert sha256(data[:-32]).digest() == data[-32:]
    body = zlib.decompress(data[16:-32])
    header = json.loads(body[:length])
    schema = json.loads((SCHEMAS / "record.4.json").read_text(encoding="utf-8"))
    jsonschema.validate(header, schema)
    at = length
    arrays = {}
    for entry in header["arrays"]:
        rows, columns = [*entry["shape"], 1][:2]
        size = int(entry["type"][-1])
        numbers = [
            [
                bytes(body[at + (column * size + plane) * rows + row] for plane in range(size))
                for column in range(columns)
            ]
            for row in range(rows)
        ]
        array = np.frombuffer(b"".join(number for row in numbers for number in row), entry["type"])
        arrays[entry["name"]] = array.reshape(entry["shape"])
        at += array.nbytes
    assert at == len(body)
    assert header["segments"] == 120
    assert header["metrics"][0]["signature"] == refscore.BLEU().signature
    for entry in header["metrics"]:
        assert entry["sums"] == [evaluation.score(entry["label"]).row.tolist()]
        assert list(map(float, exact_sums(arrays[f"sum/0/{entry['label']}"].tobytes()))) == entry["sums"][0]
        assert np.array_equal(arrays[f"rows/0/{entry['label']}"], evaluation.rows(entry["label"]))


def exact_sums(data):
    """Return the sums of a row as fractions."""
    while data:
        sign, first, count = data[:3]
        number = int.from_bytes(data[3 : 3 + 4 * count], "little")
        yield (-1) ** sign * number * Fraction(2) ** (32 * (first - 34))
        data = data[3 + 4 * count :]


@pytest.mark.parametrize("metric", [refscore.BLEU(tokenizer=str.split), Surplus()], ids=["function", "not registered"])
def test_metrics_that_must_be_passed(metric, tmp_path):
    evaluation = filled(metric)
    expected = metric.corpus(HYPOTHESES, REFERENCES)
    assert evaluation.score() == pickle.loads(pickle.dumps(evaluation)).score() == expected
    path = tmp_path / "own.refscore"
    evaluation.save(path)
    assert Evaluation.load(path, metrics=metric).score() == expected
    for choices, named in [(None, "metrics="), (replace(metric, lowercase=True), metric.name), ("chrf", "chrf")]:
        with pytest.raises(InputError, match=named) as raised:
            Evaluation.load(path, metrics=choices)
        assert raised.value.location == Location(file=str(path))


def test_rows_of_another_version_are_named(tmp_path):
    data = changed(lambda header: {**header, "refscore": ["0.0.1"]})
    evaluation = Evaluation.from_bytes(data)
    assert evaluation.versions == ("0.0.1",)
    other = filled()
    other.merge(evaluation)
    assert other.versions == ("0.0.1", refscore.__version__)


def test_files_that_are_none(tmp_path):
    contents = [b"", b"PAR1 and more than enough", b"REFST"]
    contents += [b"REFSTATS" + struct.pack("<II", *numbers) for numbers in [(3, 10), (4, 2**32 - 1)]]
    for number, content in enumerate(contents):
        (tmp_path / f"{number}.refscore").write_bytes(content)
    for path in [*tmp_path.iterdir(), tmp_path / "missing.refscore", tmp_path]:
        with pytest.raises(InputError) as raised:
            Evaluation.load(path)
        assert raised.value.location == Location(file=str(path))
    with pytest.raises(InputError, match="bytes, not str"):
        Evaluation.from_bytes("text")


DATA = {retain: filled(["bleu", "ter"], retain).to_bytes() for retain in ("sums", "rows", 30)}


def test_every_flipped_bit_is_refused():
    evaluation = refscore.evaluate(["a cat", "it rains"], ["the cat", "it rains"], "wer")
    good = evaluation.to_bytes()
    assert Evaluation.from_bytes(good).segments == 2
    for place in range(8 * len(good)):
        bad = bytearray(good)
        bad[place // 8] ^= 1 << place % 8
        with pytest.raises(InputError, match=r"checksum|version|not a saved evaluation"):
            Evaluation.from_bytes(bad)


@given(retain=st.sampled_from(["sums", "rows", 30]), data=st.data())
@examples(100)
def test_other_damage_is_found(retain, data):
    good = DATA[retain]
    is_cut = data.draw(st.booleans())
    cut = good[: data.draw(st.integers(0, len(good) - 1))]
    with pytest.raises(InputError):
        Evaluation.from_bytes(cut if is_cut else good + data.draw(st.binary(min_size=1, max_size=40)))


@pytest.mark.parametrize("rest", [b"", b"more"])
def test_streams_that_end_elsewhere(rest):
    """With a valid checksum: a stream that is cut, or has more than its header says."""
    body = zlib.compress(b'{"arrays": []}' + rest)
    data = b"REFSTATS" + struct.pack("<II", 4, 14) + (body[:-3] if not rest else body)
    with pytest.raises(InputError, match="does not describe its data"):
        Evaluation.from_bytes(data + sha256(data).digest())


def test_headers_and_streams_that_expand_a_thousandfold():
    """A reader takes no more memory than the page on records says."""
    header = b'{"arrays": [], "notes": [%s]}' % b",".join([b"{}"] * 10_000_000)
    after = b'{"arrays": []}'
    for contents, rest in ((header, b""), (after, bytes(200_000_000))):
        data = raw(contents, rest)
        tracemalloc.start()
        try:
            with pytest.raises(InputError, match="does not describe its data"):
                Evaluation.from_bytes(data)
            assert tracemalloc.get_traced_memory()[1] < 20_000_000
        finally:
            tracemalloc.stop()


def test_lone_surrogates_come_back(tmp_path):
    """The name of a file that is not UTF-8 has some, and so can texts and labels."""
    texts, name = ["a \ud83d cat", "it\udce9"], "caf\udce9.txt"
    evaluation = refscore.evaluate({name: texts}, texts, "wer", units=["\udcff", "b"], groups={"by": ["b", "\udcff"]})
    evaluation.save(tmp_path / "a.refscore", texts=True)
    loaded = refscore.load(tmp_path / "a.refscore")
    assert (loaded.systems, loaded.units, loaded.groups) == ([name], ["\udcff", "b"], {"by": ["b", "\udcff"]})
    assert loaded.texts.hypotheses == [texts] and loaded.digests == evaluation.digests


class TestTexts:
    def test_texts_come_back(self, tmp_path):
        references = [["the cat", "one cat"], "it rained"]
        systems = {"old": ["a cat", "it rains"], "new": ["the cat", ""]}
        evaluation = refscore.evaluate(systems, references, ["chrf", "wer"], sources=["le chat", "il pleut"])
        evaluation.save(tmp_path / "main.refscore", texts=True)
        loaded = refscore.load(tmp_path / "main.refscore")
        assert loaded.texts.hypotheses == [*systems.values()]
        assert [[*entry] if isinstance(entry, list) else [entry] for entry in loaded.texts.references] == [
            ["the cat", "one cat"],
            ["it rained"],
        ]
        assert loaded.texts.sources == ["le chat", "il pleut"]
        assert loaded.digests == evaluation.digests
        assert loaded.errors("wer", "new").to_dict() == evaluation.errors("wer", "new").to_dict()
        evaluation.save(tmp_path / "main.refscore")
        assert refscore.load(tmp_path / "main.refscore").texts is None

    def test_texts_that_cannot_be_saved(self, tmp_path):
        with pytest.raises(InputError, match="does not have them"):
            filled().save(tmp_path / "a.refscore", texts=True)
        assert not [*tmp_path.iterdir()]
        for evaluation in (
            refscore.evaluate([["a", "cat"]], [[["the", "cat"]]], "wer"),
            refscore.evaluate(["a cat"], refscore.WER().prepare(["the cat"]), "wer"),
        ):
            with pytest.raises(InputError, match="save without texts"):
                evaluation.save(tmp_path / "a.refscore", texts=True)

    @pytest.mark.parametrize(
        "texts",
        [
            3,
            {},
            {"hypotheses": []},
            {"hypotheses": [["a"]], "references": ["a", "b"]},
            {"hypotheses": [["a", 3]], "references": ["a", "b"]},
            {"hypotheses": [["a", "b"]], "references": ["a", []]},
            {"hypotheses": [["a", "b"]], "references": ["a", [None]]},
            {"hypotheses": [["a", "b"]], "references": "ab"},
            {"hypotheses": [["a", "b"]], "references": ["a", "b"], "sources": ["a", None]},
        ],
    )
    def test_hostile_texts(self, texts):
        header, arrays = read_statistics(refscore.evaluate(["a", "b"], ["a", "b"], "wer").to_bytes())
        file = io.BytesIO()
        write_statistics(file, {**header, "texts": texts}, arrays)
        with pytest.raises(InputError, match="cannot be read"):
            Evaluation.from_bytes(file.getvalue())


def test_digests_name_every_side(tmp_path):
    systems, references = {"old": ["a cat"], "new": ["the cat"]}, ["the cat"]
    evaluation = refscore.evaluate(systems, references, "wer", sources=["le chat"])
    streamed = Evaluation("wer", systems, retain="rows")
    for begin in range(1):
        streamed.add({name: texts[begin:] for name, texts in systems.items()}, references)
    assert streamed.digests.hypotheses == (None, None) and streamed.references_digest is None
    old, new = evaluation.digests.hypotheses
    assert old != new == evaluation.digests.references  # the digest depends on the texts only
    assert (
        evaluation.digests.sources == refscore.evaluate(["x"], references, "wer", sources=["le chat"]).digests.sources
    )
    evaluation.save(tmp_path / "a.refscore")
    assert refscore.load(tmp_path / "a.refscore").digests == evaluation.digests


def test_choosing_systems_and_metrics():
    systems = {"old": HYPOTHESES, "new": [text[::-1] for text in HYPOTHESES]}
    evaluation = refscore.evaluate(systems, REFERENCES, ["bleu", "chrf"], groups={"by": [0, 1] * 60})
    chosen = evaluation.choose({"night 2": "new", "night 1": "old"}, ["chrf"])
    assert chosen.systems == ["night 2", "night 1"] and [*chosen.metrics] == ["chrf"]
    alone = refscore.evaluate({"night 2": systems["new"]}, REFERENCES, "chrf", groups={"by": [0, 1] * 60})
    assert chosen["night 2"] == alone["night 2"] and chosen.digests.hypotheses[0] == alone.digests.hypotheses[0]
    assert np.array_equal(chosen.rows("chrf", "night 1"), evaluation.rows("chrf", "old"))
    again = chosen.choose(["night 2"])
    assert again.by("by")[1].scores() == alone.by("by")[1].scores() and again.titles == alone.titles
    sums = evaluation.choose(retain="sums")
    assert sums.retain == "sums" and sums["old"] == evaluation["old"]
    sample = Evaluation("bleu", systems, retain=20)
    sample.add(systems, REFERENCES)
    assert sample.choose(["new"]).interval() == sample.interval("bleu", "new")
    with pytest.raises(SettingError, match="newer"):
        evaluation.choose(["newer"])
    with pytest.raises(SettingError, match="ter"):
        evaluation.choose(metrics=["ter"])


def changed(header=lambda header: header, arrays=lambda arrays: arrays, retain="sums", metrics="bleu"):
    """Return the bytes of an evaluation with a changed header or changed arrays, and a valid checksum."""
    data = filled(metrics, retain).to_bytes()
    old_header, old_arrays = read_statistics(data)
    file = io.BytesIO()
    write_statistics(file, header(old_header), arrays(old_arrays))
    return file.getvalue()


WRONG = [None, -1, 1.5, 2**63, "", "x", True, [], [1], {}, [[]], [0, 0], [2, 1], ["a", "b"], {"a": 1}, 10**30]
FIELDS = [
    "refscore",
    "segments",
    "references",
    "retain",
    "seeds",
    "notes",
    "metrics",
    "runs",
    "units",
    "groups",
    "warnings",
    "digests",
    "texts",
]


@pytest.mark.parametrize("retain", ["sums", "rows", 30])
@pytest.mark.parametrize("field", FIELDS)
def test_headers_with_other_values(field, retain):
    harmless = {
        "references": [None],
        "notes": [{}, {"a": 1}],
        "seeds": WRONG if retain != 30 else [],
        "refscore": [[], ["a", "b"]],
        "units": [None],
        "texts": [None],
        "groups": [{}],
        "warnings": [[]],
        "retain": [],
        "segments": [2**63 - 1] if retain == "sums" else [],
    }
    for value in WRONG:
        data = changed(lambda header, value=value: {**header, field: value}, retain=retain)
        if any(value is fine or (value == fine and type(value) is type(fine)) for fine in harmless.get(field, [])):
            Evaluation.from_bytes(data)
            continue
        with pytest.raises(InputError):
            Evaluation.from_bytes(data)
    if field not in ("references", "texts", "units"):  # these may be unknown
        with pytest.raises(InputError):
            Evaluation.from_bytes(changed(lambda header: {k: v for k, v in header.items() if k != field}, retain=30))


@pytest.mark.parametrize("entry", [{"label": 3}, {"signature": "bleu"}, {"signature": None}, {"columns": ["a"]}, {}])
def test_headers_with_other_metrics(entry):
    for metrics in (lambda own: [{**own, **entry} if entry else {}], lambda own: [own] * 2):
        with pytest.raises(InputError):
            Evaluation.from_bytes(
                changed(lambda header, metrics=metrics: {**header, "metrics": metrics(header["metrics"][0])})
            )


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays: {},
        lambda arrays: {name: array[:-1] for name, array in arrays.items()},
        lambda arrays: {name: array.astype(np.float64) for name, array in arrays.items()},
        lambda arrays: {name: np.flip(array).copy() + 1 for name, array in arrays.items()},
        lambda arrays: {name: array[..., :3] for name, array in arrays.items()},
        lambda arrays: {name: array.reshape(1, -1) for name, array in arrays.items()},
    ],
)
@pytest.mark.parametrize("retain", ["sums", "rows", 30])
def test_other_arrays(change, retain):
    with pytest.raises(InputError):
        Evaluation.from_bytes(changed(arrays=change, retain=retain))


def sum_of(number):
    total = RowSum(2, np.dtype(np.float64))
    total.add([number, 1.0])
    return np.frombuffer(total.to_bytes(), np.uint8)


@pytest.mark.parametrize(
    ("retain", "name", "array"),
    [
        *(("sums", "sum/0/ter", sum_of(number)) for number in (-1.0, 1e19)),
        *(("rows", "rows/0/ter", np.full((120, 2), number)) for number in (np.nan, np.inf, -1.0, 1e19)),
    ],
)
def test_numbers_that_are_out_of_range(retain, name, array):
    with pytest.raises(InputError, match=r"numbers of at least 0|statistics must"):
        Evaluation.from_bytes(changed(arrays=lambda arrays: {**arrays, name: array}, metrics="ter", retain=retain))


def test_weights_of_a_fitted_metric():
    metric = refscore.NIST.fit(REFERENCES)
    assert Evaluation.from_bytes(filled(metric).to_bytes()).metrics == {"nist": metric}
    other = np.frombuffer(refscore.NIST.fit(HYPOTHESES).fitted_state(), np.uint8)

    def refused(metrics, weights, signature=None):
        def header(header):
            (own,) = header["metrics"]
            return {**header, "metrics": [{**own, "signature": signature or own["signature"]}]}

        def arrays(arrays):
            rest = {name: array for name, array in arrays.items() if "weights" not in name}
            return rest if weights is None else {**rest, f"weights/{metrics.name}": weights}

        with pytest.raises(InputError):
            Evaluation.from_bytes(changed(header, arrays, metrics=metrics))

    for weights in (other, other[:-1], np.zeros(0, np.uint8)):
        refused(metric, weights)
    refused(metric, None, signature=refscore.NIST().signature)
    refused(refscore.BLEU(), other)


def raw(header, rest=b""):
    data = b"REFSTATS" + struct.pack("<II", 4, len(header)) + zlib.compress(header + rest)
    return data + sha256(data).digest()


@pytest.mark.parametrize(
    "header",
    [
        b"[" * 100_000,
        b"[]",
        b"\xff",
        b'{"arrays": [], "segments": NaN}',
        b'{"arrays": 3}',
        b'{"arrays": [3]}',
        b'{"arrays": [{"name": "a", "type": "O", "shape": [1]}]}',
        b'{"arrays": [{"name": "a", "type": "|O", "shape": [1]}]}',
        b'{"arrays": [{"name": "a", "type": ["<i8"], "shape": [1]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [-1]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [1e3]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [true]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [99999999999999999999, 0]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [281474976710656, 281474976710656]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [0, 0, 0]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [0, 99999999999]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [4, 1]}]}',
        b'{"arrays": [{"name": "a", "type": "<i8", "shape": [0]}, {"name": "a", "type": "<i8", "shape": [0]}]}',
        b'{"arrays": [], "n": ' + b"1" * 5000 + b"}",
    ],
)
def test_hostile_headers(header):
    with pytest.raises(InputError):
        Evaluation.from_bytes(raw(header))


def test_a_stream_is_consumed_and_resumed(tmp_path):
    path = tmp_path / "job.refscore"
    batches = cut((HYPOTHESES, REFERENCES), 10, 50, 51, 100)

    def failing():
        yield from batches[:3]
        raise OSError("the network is gone")

    job = Evaluation.resume(path, ["bleu", "ter"])
    with pytest.raises(OSError, match="the network is gone"):
        job.consume(failing(), save_to=path, every=0)
    again = Evaluation.resume(path, ["bleu", "ter"])
    assert again.segments == 51
    other_cuts = cut((HYPOTHESES, REFERENCES), 7, 60)
    again.consume(other_cuts, skip=again.segments, save_to=path)
    expected = refscore.scores(HYPOTHESES, REFERENCES, ["bleu", "ter"])
    found = Evaluation.load(path)
    assert found.segments == 120
    assert found.scores() == expected
    with pytest.raises(InputError, match="130"):
        found.consume(batches, skip=130)
    for metrics, retain in [(["bleu", "ter"], "rows"), (["bleu"], "sums")]:
        with pytest.raises(InputError) as raised:
            Evaluation.resume(path, metrics, retain=retain)
        assert raised.value.location == Location(file=str(path))


@pytest.mark.parametrize("skip", [0, 15])
def test_errors_of_a_stream_count_from_its_start(skip):
    batches = cut((HYPOTHESES, [*REFERENCES[:70], None, *REFERENCES[71:]]), 10, 50)
    job = filled()
    with pytest.raises(InputError) as raised:
        job.consume(batches, skip=skip)
    assert raised.value.location == Location("references", segment=70)
    assert job.segments == 120 + 50 - skip


IDS = np.arange(120 * 5).reshape(120, 5) % 7
TARGETS = (IDS + IDS // 50) % 7
LENGTHS = np.arange(120) % 5 + 1


def batches_of(hypotheses, references):
    """Return batches of 50, 50 and 20 segments. `references` may be prepared, so batches contain its location."""
    return lambda: ((hypotheses(slice(a, a + 50)), references(slice(a, a + 50))) for a in (0, 50, 100))


STREAMS = {
    "padded by an id": batches_of(lambda s: padded(IDS[s], pad_id=3), lambda s: padded(TARGETS[s], pad_id=3)),
    "padded by lengths": batches_of(lambda s: padded(IDS[s], lengths=LENGTHS[s]), lambda s: TARGETS[s]),
    "iterators": batches_of(lambda s: iter(HYPOTHESES[s]), lambda s: (text for text in REFERENCES[s])),
    "tuples": batches_of(lambda s: tuple(HYPOTHESES[s]), lambda s: tuple(REFERENCES[s])),
    "tensors": batches_of(lambda s: Tensor(IDS[s]), lambda s: Tensor(TARGETS[s])),
}


def check_skipped(stream, skip):
    rows = Evaluation("bleu", retain="rows")
    rows.consume(stream())
    job = Evaluation("bleu", retain="rows")
    job.consume(stream(), skip=skip)
    assert np.array_equal(job.rows(), rows.rows()[skip:])


@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("skip", [0, 50, 63, 120])
def test_every_kind_of_batch_can_be_skipped(stream, skip):
    check_skipped(stream, skip)


def test_columns_can_be_skipped():
    import pyarrow

    check_skipped(
        batches_of(lambda s: pyarrow.array(HYPOTHESES[s]), lambda s: pyarrow.chunked_array([REFERENCES[s]])), 63
    )


def test_prepared_references_are_skipped_by_whole_batches():
    metric = refscore.BLEU()
    stream = batches_of(lambda s: HYPOTHESES[s], lambda s: metric.prepare(REFERENCES[s]))
    check_skipped(stream, 50)
    with pytest.raises(InputError) as raised:
        Evaluation(metric).consume(stream(), skip=63)
    assert raised.value.location.side == "references"


WRONG_BATCHES = {
    "no list": ((None, ["a", "b"]), "hypotheses"),
    "a number": ((["a", "b"], 3), "references"),
    "a string": (("ab", ["a", "b"]), "hypotheses"),
    "a set": (({"a", "b"}, ["a", "b"]), "hypotheses"),
    "unequal lengths": ((["a", "b"], ["a"]), None),
}


@pytest.mark.parametrize("skip", [0, 1, 2])
@pytest.mark.parametrize(("batch", "side"), WRONG_BATCHES.values(), ids=WRONG_BATCHES)
def test_wrong_batches_are_not_skipped(batch, side, skip):
    with pytest.raises(InputError) as raised:
        Evaluation("bleu").consume([batch], skip=skip)
    assert (raised.value.location and raised.value.location.side) == side


@pytest.mark.parametrize("skip", [-1, 1.5, True, None])
def test_skips_that_are_not_numbers_of_segments(skip):
    with pytest.raises(SettingError, match="skip"):
        Evaluation("bleu").consume([], skip=skip)


KILLED = """
import itertools, sys, refscore
def batches():
    for i in itertools.count():
        text = [f"a b c d {i} {k}" for k in range(100)]
        yield text, [t.replace("b", "x" if i % 3 else "b") for t in text]
refscore.Evaluation.resume(sys.argv[1], "bleu").consume(batches(), save_to=sys.argv[1], every=0)
"""


@pytest.mark.slow
def test_a_killed_job_leaves_a_whole_state(tmp_path):
    """After SIGKILL at any moment, the file on disk is a saved state."""
    path = tmp_path / "job.refscore"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)]) as process:
        try:
            found = [0]
            while found[-1] < 2000 and process.poll() is None:
                time.sleep(0.001)
                if path.exists():
                    found.append(Evaluation.load(path).segments)
        finally:
            process.kill()
    assert found == sorted(found)
    state = Evaluation.load(path)
    texts = [f"a b c d {i} {k}" for i in range(state.segments // 100) for k in range(100)]
    references = [t.replace("b", "x" if i // 100 % 3 else "b") for i, t in enumerate(texts)]
    assert state.score() == refscore.bleu(texts, references)
