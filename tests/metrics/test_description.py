"""What metrics say of themselves: every setting, preset and paper is there."""

import json
import re
from dataclasses import fields

import jiwer
import pytest
import sacrebleu
from nltk.translate import bleu_score

import refscore
from refscore.metrics import METRICS
from refscore.metrics.core.description import describe


@pytest.mark.parametrize("kind", METRICS.values(), ids=list(METRICS))
def test_nothing_is_missing(kind):
    description = describe(kind)
    assert description.name == kind.name
    assert description.summary.endswith(".")
    assert re.search("better|best", description.scale)
    assert ("higher is better" in description.scale) == kind.higher_is_better == description.higher_is_better
    assert description.details
    assert description.papers
    for paper in description.papers:
        assert re.search(r"\(\d{4}\): .+\.$", paper)
    assert description.presets == kind.presets
    assert description.signature == kind().signature


@pytest.mark.parametrize("kind", METRICS.values(), ids=list(METRICS))
def test_every_setting_is_explained(kind):
    settings = {setting.name: setting for setting in describe(kind).settings}
    assert list(settings) == [field.name for field in fields(kind) if field.name != "information"]
    for name, setting in settings.items():
        assert setting.meaning.endswith("."), name
        assert setting.values, name
        assert setting.default == getattr(kind(), name)


def test_settings():
    settings = {setting.name: setting for setting in describe(refscore.BLEU).settings}
    assert settings["lowercase"].values == ("yes", "no", "ascii")
    assert settings["max_order"].values == ("a whole number",)
    assert settings["weights"].values == ("numbers", "none")
    assert settings["reference_length"].values == ("closest", "closest-first", "shortest", "average")
    assert settings["max_order"].meaning == "The longest n-grams that count, 1 or more."
    assert settings["tokenizer"].values == ("a name",)


def test_scales_are_those_of_the_tools():
    """sacrebleu and Moses print percents, all others the value."""
    same = "a b c d e"
    assert sacrebleu.corpus_bleu([same], [[same]]).score == pytest.approx(100)
    assert sacrebleu.corpus_chrf([same], [[same]]).score == pytest.approx(100)
    assert sacrebleu.corpus_ter(["b"], [["a"]]).score == pytest.approx(100)
    assert bleu_score.corpus_bleu([[same.split()]], [same.split()]) == pytest.approx(1)
    assert jiwer.wer("a", "b") == jiwer.cer("a", "b") == 1
    for kind in METRICS.values():
        metric = kind()
        for preset in metric.presets.values():
            assert preset.scale == (100 if preset.tool in ("sacrebleu", "Moses' multi-bleu.perl") else 1)
        # NIST has no highest value that could be 100 %.
        assert metric.printed_scale == (1 if kind is refscore.NIST else 100)


def test_papers_are_one_each():
    assert len(describe(refscore.BLEU).papers) == 2
    assert describe(refscore.TER).papers == (
        "Snover, Dorr, Schwartz, Micciulla, Makhoul (2006): A Study of Translation Edit Rate with Targeted Human "
        "Annotation. AMTA.",
    )


def test_descriptions_are_ready_for_json():
    data = [describe(kind).to_dict() for kind in METRICS.values()]
    assert json.loads(json.dumps(data)) == data
