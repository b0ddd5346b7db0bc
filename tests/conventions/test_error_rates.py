"""What settings do to an error rate, and the settings behind a published one, compared with jiwer and kaldialign."""

import random

import jiwer
import kaldialign
import pytest

import refscore
from refscore.conventions import compare_conventions

LOWER, PLAIN = jiwer.ToLowerCase(), jiwer.RemovePunctuation()
WORDS = ["the", "The", "white", "paper", "whitepaper", "on", "line", "online", "cat,", "cat", "it's", "Dogs."]


def speech(seed, count=40):
    """Return outputs and references, of which some are empty."""
    generator = random.Random(seed)
    hypotheses, references = [], []
    for i in range(count):
        words = generator.choices(WORDS, k=generator.randint(2, 9))
        references.append("" if i % 9 == 4 else " ".join(words))
        hypotheses.append(
            " ".join(word.lower().strip(",.") if generator.random() < 0.4 else word for word in words if word != "on")
        )
    return hypotheses, references


def with_words(hypotheses, references):
    """Return the segments whose reference has words."""
    spoken = [pair for pair in zip(hypotheses, references, strict=True) if pair[1]]
    return [list(side) for side in zip(*spoken, strict=True)]


def jiwer_rate(hypotheses, references, *transforms):
    own = jiwer.Compose([*transforms, jiwer.ReduceToListOfListOfWords()])
    return jiwer.wer(references, hypotheses, reference_transform=own, hypothesis_transform=own)


def kaldialign_rate(hypotheses, references, **options):
    texts = [tuple(text.split()) for text in references], [tuple(text.split()) for text in hypotheses]
    return kaldialign.batch_error_rate(*texts, **options)["err_rate"]


@pytest.mark.parametrize("seed", range(3))
def test_each_setting_on_its_own(seed):
    hypotheses, references = speech(seed)
    result = compare_conventions(hypotheses, references, "wer")
    values = {
        tuple((name, new) for name, (_, new) in step.settings.items()): step.score.value for step in result.singles
    }
    expected = {
        (("lowercase", "yes"),): jiwer_rate(hypotheses, references, LOWER),
        (("normalize", "nopunct"),): jiwer_rate(hypotheses, references, PLAIN),
        (("lowercase", "yes"), ("normalize", "nopunct")): jiwer_rate(hypotheses, references, LOWER, PLAIN),
        (("compounds", "merge"),): kaldialign_rate(hypotheses, references, merge_compounds=True),
        (("empty_reference", "skip"),): jiwer_rate(*with_words(hypotheses, references)),
        (("costs", "sclite"),): refscore.WER(costs="sclite").corpus(hypotheses, references).value,
    }
    assert {name: values[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    start = result["jiwer"].value
    assert [step.difference for step in result.singles] == [step.score.value - start for step in result.singles]
    table = result.tables()[1]
    assert table.title.startswith("One setting at a time, from jiwer (")
    assert "empty_reference: count → skip" in [row.cells[1] for row in table.rows]
    assert compare_conventions(hypotheses, references, "gleu").singles == ()


def test_published_numbers_are_found():
    hypotheses, references = speech(9)
    result = compare_conventions(hypotheses, references, "wer")
    lowered = [text.lower() for text in hypotheses], [text.lower() for text in references]
    published = {
        "jiwer": jiwer_rate(hypotheses, references),
        "sclite with normalize=nopunct": jiwer_rate(hypotheses, references, LOWER, PLAIN),
        "kaldialign": kaldialign_rate(hypotheses, references, merge_compounds=True),
        "kaldialign with lowercase=yes": kaldialign_rate(*lowered, merge_compounds=True),
        "sclite with empty_reference=skip": jiwer_rate(*with_words(*lowered)),
    }
    for words, value in published.items():
        assert words in [match.words for match in result.find(f"{value:.9f}").matches]


def test_references_without_words():
    metric = refscore.WER(empty_reference="skip")
    texts = ["a b", "x", "c"], ["a d", "", ["", "c"]]
    assert metric.stats(*texts).tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
    assert refscore.WER().stats(*texts).tolist() == [[1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]]
    assert metric.alignments(["x"], [""]) == [[]]
    marked = refscore.WER(empty_reference="skip", alternatives="nist")
    assert marked.stats(["x", "a c"], ["{@ / }", "a {b / @} c"]).tolist() == [[0, 0, 0, 0], [2, 0, 0, 0]]
    assert [edit.kind for edit in marked.alignment("a c", "a {b / @} c")] == ["hit", "hit"]


@pytest.mark.parametrize(("metric", "other"), [("gleu", "gec_gleu"), ("gec_gleu", "gleu")])
def test_scores_of_one_name(metric, other):
    sources, references = ["he go to school", "it rain"], ["he goes to school", "it rains"]
    hypotheses = ["he goes to a school", "it rains"]
    result = compare_conventions(hypotheses, references, metric, sources=sources)
    kind = refscore.metrics.METRICS[other]
    for each in result.namesakes:
        chosen = kind() if each.convention.name == "default" else kind.preset(each.convention.name)
        own = {"sources": sources} if other == "gec_gleu" else {}
        assert each.convention.value == chosen.corpus(hypotheses, references, **own).value
    assert {each.metric for each in result.namesakes} == {other}
    assert f"{other}:" in str(result)
    assert result.to_dict()["namesakes"][0]["metric"] == other


def test_a_name_without_sources():
    result = compare_conventions(["he goes"], ["he goes"], "gleu")
    assert "needs the source of each segment" in str(result)
    assert {each.convention.score for each in result.namesakes} == {None}
    assert "unavailable" in result.to_dict()["namesakes"][0]
