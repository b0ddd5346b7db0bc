"""How commands select metrics and settings."""

import subprocess
import sys
from pathlib import Path

import pytest

import refscore
from refscore.cli.metric_options import MetricOptions, parse_settings
from refscore.metrics import METRICS, parse_metrics
from refscore.settings import show_value
from tests import python_metrics
from tests.cli.running import command, status_of, write_lines

SENTENCE = refscore.BLEU.preset("sacrebleu-sentence")
SIGNATURE = refscore.BLEU(max_order=2).signature
SACREBLEU_SIGNATURE = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"bleu": refscore.BLEU()}),
        ({"names": ("BLEU, chrf++", "bleu:nltk")}, parse_metrics(["bleu", "chrf++", "bleu:nltk"])),
        (
            {"names": ("bleu,bleu:nltk,ter",), "settings": ("bleu.max_order=2", "ter.tokenizer=tercom-norm")},
            {
                "bleu": refscore.BLEU(max_order=2),
                "bleu:nltk": refscore.BLEU.preset("nltk", max_order=2),
                "ter": refscore.TER(tokenizer="tercom-norm"),
            },
        ),
        (
            {"names": ("bleu,chrf,bleu:textbook",), "preset": "nltk"},
            {
                "bleu": refscore.BLEU.preset("nltk"),
                "chrf": refscore.CHRF.preset("nltk"),
                "bleu:textbook": refscore.BLEU.preset("textbook"),
            },
        ),
        (
            # Names as printed; a setting of one variant, and of all.
            {
                "names": ("rouge3,ROUGE-L,chrF2++",),
                "settings": ("ROUGE-3.stem=yes", "rouge.lowercase=no", "chrF2++.beta=1"),
            },
            {
                "rouge3": refscore.ROUGE(variant="3", stem=True, lowercase=False),
                "rougeL": refscore.ROUGE(variant="L", lowercase=False),
                "chrf++": refscore.CHRF(word_order=2, beta=1),
            },
        ),
        (
            # A setting of all metrics that have it. One of a metric has precedence.
            {"names": ("bleu,wer,chrf",), "settings": ("*.normalize=whisper-en", "*.max_order=2", "wer.normalize=NFC")},
            {
                "bleu": refscore.BLEU(normalize="whisper-en", max_order=2),
                "wer": refscore.WER(normalize="NFC"),
                "chrf": refscore.CHRF(normalize="whisper-en"),
            },
        ),
        ({"signatures": (SIGNATURE,)}, {"bleu": refscore.BLEU(max_order=2)}),
        (
            {"names": ("bleu",), "signatures": (SIGNATURE, SIGNATURE)},
            {"bleu": refscore.BLEU(), "bleu-2": refscore.BLEU(max_order=2), "bleu-3": refscore.BLEU(max_order=2)},
        ),
    ],
)
def test_metrics_by_label(options, expected):
    metrics = MetricOptions(**options).metrics(["bleu"])
    assert metrics == expected
    assert list(metrics) == list(expected)


def test_a_signature_that_leaves_settings_out_is_noted_once(capsys):
    options = MetricOptions(signatures=(SACREBLEU_SIGNATURE,))
    metrics = options.metrics()
    assert metrics == options.segment_metrics(metrics) == {"bleu": refscore.BLEU()}
    assert capsys.readouterr().err.count("assumed max_order=4") == 1


@pytest.mark.parametrize(
    ("options", "pair", "tokenizer"),
    [
        ({}, "en-zh", "zh-sacrebleu"),
        ({}, "en-de", "13a"),
        ({}, None, "13a"),
        ({"names": ("ter,BLEU",)}, "en-zh", "zh-sacrebleu"),
        ({"settings": ("bleu.tokenizer=char",)}, "en-zh", "char"),
        ({"preset": "sacrebleu"}, "en-zh", "13a"),
        ({"signatures": (refscore.BLEU().signature,)}, "en-zh", "13a"),
    ],
)
def test_the_tokenizer_of_a_test_set_s_language(options, pair, tokenizer):
    assert MetricOptions(**options).metrics(["bleu"], pair)["bleu"].tokenizer == tokenizer


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"names": ("BLEU",)}, SENTENCE),
        ({"names": ("bleu",), "settings": ("bleu.max_order=2",)}, refscore.BLEU(max_order=2, effective_order=True)),
        ({"names": ("bleu",), "settings": ("bleu.effective_order=no",)}, refscore.BLEU()),
        ({"names": ("bleu",), "preset": "sacrebleu"}, refscore.BLEU()),
        ({"signatures": (refscore.BLEU().signature,)}, refscore.BLEU()),
    ],
)
def test_metrics_for_segments(options, expected):
    chosen = MetricOptions(**options)
    assert chosen.metrics(for_segments=True) == chosen.segment_metrics(chosen.metrics()) == {"bleu": expected}


def test_a_fitted_metric_stays_for_segments():
    fitted = refscore.NIST().fit(["a b c", "d"])
    assert MetricOptions(("nist",)).segment_metrics({"nist": fitted}) == {"nist": fitted}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("bleu.max_order=2", 2),
        ("bleu.lowercase=yes", True),
        ("bleu.lowercase=ascii", "ascii"),
        ("bleu.weights=0.5,0.25,0.25", (0.5, 0.25, 0.25)),
        ("bleu.weights=none", None),
        ("bleu.tokenizer=none", "none"),
        ("bleu.smoothing_value=0.01", 0.01),
        ("bleu.effective_order=False", False),
        ("chrf.beta=3", 3.0),
        ("chrf.smoothing=nltk", "nltk"),
        ("rouge.variant=L", "L"),
        ("meteor.synonyms=none", None),
    ],
)
def test_values_of_settings(text, value):
    ((parsed,),) = (settings.values() for settings in parse_settings([text]).values())
    assert parsed == value
    assert type(parsed) is type(value)


def test_every_default_can_be_written():
    for name, metric in METRICS.items():
        for setting in metric.settings().values():
            if setting.values:
                text = f"{name}.{setting.name}={show_value(setting.default)}"
                assert parse_settings([text]) == {name: {setting.name: setting.default}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ("BLEU,bleu",)}, "'bleu' twice"),
        ({"names": (" , ",)}, "-m"),
        ({"names": ("ter",), "preset": "nltk"}, "ter .*'nltk' .*: bleu, "),
        ({"names": ("ter",), "preset": "sacreblue"}, "'sacreblue'.*'sacrebleu'"),
        ({"signatures": (SIGNATURE,), "preset": "nltk"}, "--preset"),
        ({"settings": ("ter.lowercase=yes",)}, "add -m ter"),
        ({"settings": ("bleu.smothing=floor",)}, "'smothing'.*'smoothing'"),
        ({"settings": ("smoothing=floor",)}, r"METRIC.SETTING=VALUE: .*bleu.smoothing=floor or '\*.smoothing=floor'"),
        ({"settings": ("smoothing",)}, "METRIC.SETTING=VALUE: .*bleu.smoothing=floor$"),
        ({"settings": ("*.smothing=floor",)}, "'smothing'.*'smoothing'"),
        ({"settings": ("bleu.max_order=two",)}, "'two'"),
        ({"settings": ("bleu.effective_order=2",)}, "yes or no, not '2'"),
        ({"settings": ("bleu.weights=a,b",)}, "'a,b'"),
        ({"settings": ("bleu.normalize=NFD",)}, "unknown normalizer 'NFD'; did you mean 'NFC'"),
        ({"names": ("nist",), "settings": ("nist.information=x",)}, "information"),
        ({"signatures": ("what?",)}, "what"),
    ],
)
def test_mistakes(options, message):
    with pytest.raises(refscore.RefscoreError, match=message):
        MetricOptions(**options).metrics(["bleu"])


def test_a_module_without_a_class(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_metric.py").write_text("")
    with pytest.raises(refscore.RefscoreError, match=r"name the class in my_metric\.py, as in my_metric:MyMetric"):
        MetricOptions(names=("my_metric",)).metrics()


SCORE = ["score", "hyp", "-r", "ref", "--format", "tsv", "-m", "PATH"]
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("file", "arguments", "shown"),
    [
        ("mine/metrics.py", SCORE, "system\toverlap\nhyp\t50.0\n"),
        ("my_metrics.py", [*SCORE, "--set", "overlap.tokenizer=char"], "system\toverlap\nhyp\t61.53846153846154\n"),
        pytest.param("mine/metrics.py", ["metrics", "PATH"], "--set overlap.NAME=VALUE", marks=SLOW),
        pytest.param("mine/metrics.py", ["explain", "a cat", "the cat", "-m", "PATH"], "OVERLAP", marks=SLOW),
        pytest.param("mine/metrics.py", ["conventions", "hyp", "-r", "ref", "-m", "PATH"], "OVERLAP", marks=SLOW),
    ],
)
def test_a_metric_of_the_current_directory(tmp_path, file, arguments, shown):
    """Use the installed command, and `python -m refscore`, which searches the current directory anyway."""
    (tmp_path / "mine").mkdir()
    (tmp_path / file).write_bytes(Path(python_metrics.__file__).read_bytes())
    write_lines(tmp_path, hyp=["the cat", "a dog"], ref=["the cat sat", "the dog"])
    path = file.removesuffix(".py").replace("/", ".") + ":Overlap"

    arguments = [path if argument == "PATH" else argument for argument in arguments]
    if file == "my_metrics.py":
        line = [sys.executable, "-m", "refscore", *arguments]
        ended = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False, timeout=300)
    else:
        ended = command(*arguments, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert shown in ended.stdout.decode()


@pytest.mark.parametrize(
    ("signature", "warned"),
    [
        ("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", True),
        ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", False),
        ("#:2|c:mixed|e:no|tok:13a|s:exp|v:2.6.0", True),
        ("BLEU+case.mixed+numrefs.2+smooth.exp+tok.13a+version.1.5.1", True),
        (refscore.BLEU().signature.replace("|", "|nrefs:2|", 1), True),
        (refscore.BLEU().signature, False),
    ],
)
@pytest.mark.parametrize("arguments", [["score", "hyp"], ["compare", "hyp", "other", "--test", "bootstrap"]])
def test_a_signature_of_another_number_of_references(tmp_path, monkeypatch, capsys, signature, warned, arguments):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path, hyp=["the cat sat on it", "a dog"], ref=["the cat sat on me", "the dog"], other=["a", "b"])
    assert status_of([*arguments, "-r", "ref", "--signature", signature]) == 0
    expected = "the signature has 2 references per segment, but the data has 1: check the files of -r"
    assert (expected in capsys.readouterr().err) == warned
    assert status_of([*arguments, "-r", "ref", "--signature", signature, "-q"]) == 0
    assert expected not in capsys.readouterr().err
