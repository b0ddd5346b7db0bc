"""pandas: columns of Python objects and of Arrow memory."""

import subprocess
import sys

import pandas as pd
import pytest

import refscore
from refscore import frames
from tests.frames.forms import DATA, FORMS, PANDAS


def test_columns_of_lists():
    frame = pd.DataFrame({"hyp": ["a b", "c d"], "refs": [["a b", None], ["x", "c d"]], "ref": ["a", "c"]})
    both = frames.with_scores(frame, "hyp", ["refs", "ref"], "wer")["wer"]
    assert both.tolist() == refscore.WER().segments(["a b", "c d"], [["a b", "a"], ["x", "c d", "c"]]).tolist()
    tokens = pd.DataFrame({"hyp": [["a", "b"], ["c"]], "ref": [[["a", "b"]], [["d"], ["c"]]]})
    assert frames.with_scores(tokens, "hyp", "ref", "wer")["wer"].tolist() == [0, 0]


def test_columns_alone():
    """Metrics also accept a column directly."""
    for form in PANDAS:
        frame = FORMS[form]()
        assert refscore.bleu(frame["hyp"], frame["ref"]) == refscore.bleu(DATA["hyp"], DATA["ref"])


def test_the_frame_is_not_changed():
    frame = pd.DataFrame({"hyp": ["a cat", None], "ref": ["the cat", "a dog"]}, index=[7, 3])
    scored = frame.pipe(frames.with_scores, "hyp", "ref", {"mine": "wer"}, missing="skip")
    assert (scored["mine"].tolist()[0], scored.index.tolist()) == (0.5, [7, 3])
    assert frame.columns.tolist() == ["hyp", "ref"]


def test_an_index_with_the_names_of_columns():
    frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
    indexed = frame.set_index(["lang", "hyp"], drop=False)
    assert frames.corpus(indexed, "hyp", "ref", "wer", by="lang")["wer"].tolist() == [0.5, 0]
    assert frames.with_scores(indexed, "hyp", "ref", "wer")["wer"].tolist() == [0.5, 0]


def test_segments_have_no_groups():
    with pytest.raises(refscore.errors.UnknownNameError, match="'by'"):
        frames.with_scores(FORMS["pandas"](), "hyp", "ref", "wer", by="lang")


_WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
import refscore
from refscore import frames
frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "one": ["the cat", None], "two": ["a cat", "the dog"]})
print(frames.with_scores(frame, "hyp", ["one", "two"], "wer")["wer"].tolist())
print(frames.corpus(frame, "hyp", ["one", "two"], "wer").to_dict("list"))
print(refscore.wer(frame[["hyp"]], frame["two"]).value)
for hypotheses, references in (("hyp", "one"), ("one", "hyp"), ("hyp", ["one", "two"])):
    try:
        refscore.wer(frame[hypotheses], frame[references])
    except refscore.InputError as error:
        print(str(error).split()[0])
"""


@pytest.mark.slow
def test_without_pyarrow():
    # The extra for pandas does not install pyarrow, and then no Arrow columns can be passed.
    run = subprocess.run([sys.executable, "-c", _WITHOUT_PYARROW], capture_output=True, encoding="utf-8", check=False)
    scores = ["[0.0, 0.5]", "{'segments': [2], 'wer': [0.25]}", "0.25"]
    assert (run.stderr, run.stdout.splitlines()) == ("", [*scores, "references[1]", "hypotheses[1]", "references"])
