"""Rewards: results for the arguments of trainers, and errors for input that cannot be scored."""

import importlib
import math
import re

import numpy as np
import pytest
import sacrebleu

import refscore
from refscore.metrics import METRICS
from refscore.metrics.core import registry
from refscore.rewards import Reward
from tests.python_metrics import Overlap

COMPLETIONS = ["the cat sat on the mat", "a cat sat", "", "the dog", "  \n", "something else entirely"]
REFERENCES = ["the cat sat on a mat", "the cat sat", "the cat", "the dog", "the dog", "the cat sat on a mat"]
SOURCES = ["the cat was on a mat", "a cat", "cats", "dogs", "the dog", "the cat sat"]
PAIRS = list(zip(COMPLETIONS, REFERENCES, strict=True))
EMPTY = [2, 4]
BOUNDED = [name for name, kind in METRICS.items() if not kind().needs_fit]


def chat(text, role="assistant"):
    return {"role": role, "content": text}


@pytest.mark.parametrize(("choice", "original"), [((), sacrebleu.sentence_bleu), (("chrf",), sacrebleu.sentence_chrf)])
def test_equal_to_sacrebleu(choice, original):
    rewards = Reward(*choice)(prompts=["?"] * 6, completions=COMPLETIONS, reference=REFERENCES)
    assert rewards == pytest.approx([original(text, [ref]).score / 100 for text, ref in PAIRS], abs=1e-12)


@pytest.mark.parametrize("name", BOUNDED)
def test_every_metric(name):
    metric = METRICS[name]().for_segments()
    for reward in (Reward(name), Reward(metric)):
        rewards = reward(completions=COMPLETIONS, reference=REFERENCES, source=SOURCES)
        assert all(type(value) is float and 0 <= value <= 1 for value in rewards)
        for i, value in enumerate(metric.segments(COMPLETIONS, REFERENCES, sources=SOURCES)):
            expected = value if metric.higher_is_better else 1 - min(value, 1)
            assert rewards[i] == (0 if i in EMPTY else pytest.approx(expected, abs=1e-15))
        assert reward.__name__ == name


def test_rewards_of_error_rates():
    assert refscore.WER().segments(["", "a", "a b c"], ["", "a", "x"]).tolist() == [0, 0, 3]
    # An empty completion has no reward, even if it is correct.
    assert Reward("wer")(completions=["", "a", "a b c"], reference=["", "a", "x"]) == [0.0, 1.0, 0.0]


def test_names_with_presets():
    for name, metric in [("bleu:sacrebleu", refscore.BLEU()), ("chrf++", refscore.CHRF.preset("chrf++"))]:
        assert (Reward(name).metrics, Reward(name).__name__) == ({metric: 1.0}, name)


def test_a_mix_is_a_weighted_mean():
    mix = Reward({"bleu": 3, refscore.TER(): 1})
    parts = [Reward(name)(completions=COMPLETIONS, reference=REFERENCES) for name in ("bleu", "ter")]
    expected = [0.75 * b + 0.25 * t for b, t in zip(*parts, strict=True)]
    assert mix(completions=COMPLETIONS, reference=REFERENCES) == pytest.approx(expected, abs=1e-15)
    assert mix.__name__ == "bleu+ter"
    assert list(mix.metrics.values()) == [0.75, 0.25]
    assert mix.signature.startswith("0.75 × bleu|")
    assert " + 0.25 × ter|" in mix.signature


def test_weights_of_a_mix():
    for weights in ({"bleu": 1.5e308, "chrf": 0.5e308}, {"bleu": 15e-324, "chrf": 5e-324}):
        assert list(Reward(weights).metrics.values()) == [0.75, 0.25]
    above = Reward({"bleu": 2, "chrf": 4, "rouge": 3, "gleu": 1})
    assert np.cumsum([*above.metrics.values()])[-1] > 1  # because of rounding
    for mix in (above, Reward({"bleu": 0.1, "chrf": 0.2, "rouge": 0.3, "gleu": 0.7})):
        assert mix(completions=["a b c d e"], reference=["a b c d e"]) == [1.0]


def logged_by(reward, completions, references):
    """Return the rewards, and the values that the reward logs for a trainer."""
    logged = {}
    return reward(completions=completions, reference=references, log_metric=logged.__setitem__), logged


def test_no_part_of_a_mix_is_more_than_one():
    generous = refscore.BLEU(smoothing="floor", smoothing_value=5.0)
    assert generous.segment("a b c d", "a b x y").value > 1
    found = logged_by(Reward({generous: 1, "wer": 1}), ["a b c d"], ["a b x y"])
    assert found == ([0.75], {"bleu+wer/bleu": 1.0, "bleu+wer/wer": 0.5})


def test_a_mix_logs_the_mean_of_each_part():
    mix = Reward({"wer": 1, "cer": 1})
    assert logged_by(mix, ["a b", ""], ["a b", "a"])[1] == {"wer+cer/wer": 0.5, "wer+cer/cer": 0.5}
    assert logged_by(mix, ["a"], [None])[1] == logged_by(Reward("wer"), ["a"], ["a"])[1] == {}
    same = Reward({"bleu": 1, refscore.BLEU(max_order=1): 1, refscore.BLEU(max_order=2): 1}, name="mine")
    assert list(logged_by(same, ["a b"], ["a c"])[1]) == ["mine/bleu", "mine/bleu-2", "mine/bleu-3"]


@pytest.mark.parametrize(
    "completion",
    [
        "the dog",
        [chat("the dog")],
        (chat("the dog"),),
        chat("the dog"),
        [chat([{"type": "text", "text": "the "}, {"type": "image"}, {"type": "text", "text": "dog"}])],
        [chat("Let me look it up."), chat("1 result", "tool"), chat("the dog")],
        [chat("the dog"), chat("1 result", "tool")],
        [{"content": "the dog"}],
    ],
)
def test_chats(completion):
    assert Reward("chrf")(completions=[completion], reference=["the dog"]) == [1.0]


def test_chats_without_text():
    contents = ["", " ", None, [], [{"type": "image"}]]
    chats = [[chat(content)] for content in contents]
    assert Reward("chrf")(completions=chats, reference=["the dog"] * len(chats)) == [0.0] * len(chats)


@pytest.mark.parametrize("reference", ["the dog", ["the dog", "a dog"], [chat("the dog")]])
@pytest.mark.parametrize("extract", [None, ".*"])
def test_chats_without_messages(reference, extract):
    reward = Reward("chrf", extract=extract)
    assert reward(completions=[[], [chat("the dog")]], reference=[reference] * 2) == [0.0, 1.0]
    assert reward(completions=[[chat("the dog")], [], []], reference=[reference, reference, None]) == [1.0, 0.0, None]


@pytest.mark.parametrize(
    "reference",
    [
        "the dog",
        ["a cat", "the dog"],
        ("a cat", None, "the dog"),
        np.array(["a cat", "the dog"], dtype=object),
        np.array(["a cat", "the dog"]),
        [chat("the dog")],
        chat("the dog"),
        [[chat("a cat")], [chat("the dog")]],
    ],
    ids=repr,
)
def test_references(reference):
    assert Reward("chrf", references="answers")(completions=["the dog"], answers=[reference]) == [1.0]
    assert Reward("chrf").compute_score("", "the dog", reference) == 1.0


@pytest.mark.parametrize("missing", [None, [], [None], np.array([], dtype=object)], ids=repr)
def test_missing_references_have_no_reward(missing):
    reward = Reward({"bleu": 1, "chrf": 1})
    assert reward(completions=["x", "a b c d", ""], reference=[missing, "a b c d", missing]) == [None, 1.0, None]
    assert reward(completions=["x"], reference=[missing]) == [None]


@pytest.mark.parametrize("library", ["pyarrow", "pandas", "polars"])
def test_columns_of_other_libraries(library):
    module = importlib.import_module(library)
    column = module.array if library == "pyarrow" else module.Series
    texts, answers = ["the cat sat", "a dog", "rain"], [["the cat sat down"], ["a dog", "the dog"], None]
    expected = Reward("chrf")(completions=texts, reference=answers)
    assert Reward("chrf")(completions=tuple(texts), reference=tuple(answers)) == expected
    assert Reward("chrf")(completions=column(texts), reference=column(answers)) == expected
    chats = column([[chat(text)] for text in texts])
    assert Reward("chrf")(completions=chats, reference=column(answers)) == expected
    assert expected[2] is None


def test_an_empty_batch():
    assert Reward()(completions=[], reference=[]) == Reward().compute_scores([], [], []) == []


TEXT = "<answer>wrong</answer> or <answer>the\ndog</answer>."


@pytest.mark.parametrize(
    "extract",
    [
        "<answer>(.*?)</answer>",
        re.compile(r"<answer>([\w\s]*)</answer>"),
        lambda text: text.rpartition("<answer>")[2].partition("</answer>")[0] if "<answer>" in text else None,
        r"(?<=>)the\sdog",
    ],
)
def test_extraction(extract):
    reward = Reward("chrf", extract=extract)
    assert reward(completions=[TEXT, [chat(TEXT)], "the dog", ""], reference=["the dog"] * 4) == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("extract", [".*", "(.*)", "[^#]*$", "([^#]*)$", "(?<=# )(?=(.*))"])
def test_matches_of_nothing_do_not_count(extract):
    assert Reward("wer", extract=extract)(completions=["# the dog"], reference=["the dog"]) != [0.0]


@pytest.mark.parametrize(
    ("extract", "text"), [("<a>(.*?)</a>", "<a>the dog</a> <a></a>"), ("(the dog)|b", "the dog b")]
)
def test_the_last_match_counts(extract, text):
    """Even if it is empty, or the group does not take part in it."""
    assert Reward("wer", extract=extract)(completions=[text], reference=["the dog"]) == [0.0]


def test_verl():
    reward = Reward("chrf", extract="#### (.*)")
    arguments = {"data_source": "x", "solution_str": "so #### the dog", "ground_truth": "the dog", "extra_info": None}
    assert reward.compute_score(**arguments) == 1.0
    assert reward.compute_score(**arguments, reward_router_address=None) == 1.0
    batch = {"data_sources": ["x"], "solution_strs": ["the dog"], "ground_truths": ["the dog"], "extra_infos": [None]}
    assert reward.compute_scores(**batch) == [0.0]
    with pytest.raises(refscore.InputError) as caught:
        reward.compute_scores(["x"] * 2, ["a", "b"], ["a", None])
    assert str(caught.value.location) == "ground_truths[1]"


@pytest.mark.parametrize("size", [0, 1, 3])
def test_the_arrays_of_verls_batch_manager(size):
    """verl passes columns as arrays of objects, and lists from Parquet files are arrays too."""

    def column(values):
        array = np.empty(size, dtype=object)
        array[:] = values
        return array

    texts = ["the dog", "a cat", ""][:size]
    several = [np.array(group, dtype=object) for group in (["the dog", "a dog"], ["the cat"], ["x"])][:size]
    infos = [{"index": i, "source": "der Hund", "rollout_reward_scores": {}} for i in range(size)]
    for references in ([*texts], column(texts), several, column(several)):
        lists = [group if isinstance(group, str) else group.tolist() for group in references]
        for metric in ("bleu", "sari"):
            scores = Reward(metric).compute_scores(
                data_sources=column(["x"] * size),
                solution_strs=texts,
                ground_truths=references,
                extra_infos=column(infos),
            )
            assert scores == Reward(metric).compute_scores(["x"] * size, texts, lists, infos)


WEIGHTS = [0, -1, math.nan, "1", 10**400, True]
WRONG_METRICS = [("blue", "'bleu'"), ("bleu:nlkt", "'nltk'"), (None, "None"), ({}, "mix"), ("nist", "nist")]
WRONG_METRICS += [({"bleu": weight}, "weight of 'bleu'") for weight in WEIGHTS] + [({"bleu": 1, "BLEU": 2}, "twice")]
WRONG_SETTINGS = [("references", 3), ("completions", ""), ("name", 7), ("extract", "("), ("extract", re.compile(b"x"))]
WRONG_SETTINGS += [("extract", 3), ("pad_id", True), ("pad_id", 1.0), ("threads", 0)]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        *(({"metric": metric}, named) for metric, named in WRONG_METRICS),
        *(({name: value}, f"^{name} ") for name, value in WRONG_SETTINGS),
    ],
)
def test_wrong_settings(settings, named):
    with pytest.raises(refscore.SettingError, match=named):
        Reward(**settings)


@pytest.mark.parametrize(
    ("completions", "references", "location"),
    [
        (["a"], ["a", "b"], "None"),
        (["a", "b"], ["a"], "None"),
        ("a", ["a"], "completions"),
        (["a"], "a", "reference"),
        (["a", None], ["a", "b"], "completions[1]"),
        (["a", 3], ["a", "b"], "completions[1]"),
        ([b"a"], ["a"], "completions[0]"),
        (["a"], [3], "reference[0]"),
        (["a", [1]], ["a", "b"], "completions[1]"),
        (["a", "b"], ["a", [[1]]], "reference[1][0]"),
        (["a"], [[None, "a", 3]], "reference[0][2]"),
        (["a", [{"role": "x"}]], ["a", "b"], "completions[1]"),
        ([[chat("a"), "b"]], ["a"], "completions[0][1]"),
        ([[chat(3)]], ["a"], "completions[0]"),
        ([[1], [2, [0]]], [None, [1]], "completions[1][1]"),
        ([[1], [2, [0]]], [[1], [1]], "completions[1][1]"),
    ],
)
def test_columns_that_cannot_be_scored(completions, references, location):
    with pytest.raises(refscore.InputError) as caught:
        Reward("chrf")(completions=completions, reference=references)
    assert str(caught.value.location) == location


def test_missing_columns():
    with pytest.raises(refscore.InputError, match=r"'reference'.*completions, references"):
        Reward("chrf")(completions=["a"], references=["a"])
    with pytest.raises(refscore.InputError, match=r"'completions'.*reference"):
        Reward("chrf")(reference=["a"])


@pytest.mark.parametrize(("size", "shown"), [(40, 40), (41, 37)])
def test_errors_show_the_beginning_of_long_values(size, shown):
    """At most forty characters, including dots."""
    value = b"a" * (size - len("b''"))
    text = repr(value)[:shown] + "..." * (shown < size)
    with pytest.raises(refscore.InputError, match=rf" {re.escape(text)} "):
        Reward()(completions=[value], reference=["a"])


LONG = "c d e f g h i j"
REJECTED = {
    "ribes": (
        refscore.errors.EmptyReferenceError,
        [
            ("abc", [None, "b", ""], "answer[2]"),
            ("abc", ["a", ["b", None, ""], ["c"]], "answer[1][2]"),
            ("abc", [None, ["b"], [None, "c", ""]], "answer[2][2]"),
        ],
    ),
    **dict.fromkeys(
        ("tests.python_metrics:Overlap", "bleu", "mix"),
        (
            refscore.errors.LimitError,
            [
                (["a", "b", LONG], [None, "b", "c"], "completions[2]"),
                ("abc", [None, "b", LONG], "answer[2]"),
                ("abc", [None, "b", ["c", LONG]], "answer[2][1]"),
            ],
        ),
    ),
}


@pytest.mark.parametrize("metric", REJECTED)
def test_texts_that_a_metric_rejects_are_located_among_all_completions(metric):
    error, cases = REJECTED[metric]
    reward = Reward({"chrf": 1, "wer": 2} if metric == "mix" else metric, references="answer")
    for completions, answers, location in cases:
        with refscore.metrics.limits(max_tokens=3), pytest.raises(error) as caught:
            reward(completions=[*completions], answer=answers)
        assert str(caught.value.location) == location


def test_what_extract_returns_is_checked():
    for extract, completions, location in [
        (len, ["a"], "completions[0]"),
        ("a", [[1]], "completions[0]"),
        ("a", np.ones((1, 1), int), "completions"),
    ]:
        with pytest.raises(refscore.InputError, match="extract") as caught:
            Reward("chrf", extract=extract)(completions=completions, reference=["a"])
        assert str(caught.value.location) == location


def test_a_metric_from_outside(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})  # loading a class registers it
    expected = [0 if i in EMPTY else value for i, value in enumerate(Overlap().segments(COMPLETIONS, REFERENCES))]
    for choice in (Overlap(), "tests.python_metrics:Overlap"):
        assert Reward(choice)(completions=COMPLETIONS, reference=REFERENCES) == expected
    ids = Reward({Overlap(): 1, "wer": 1}, pad_id=0)
    assert ids(completions=np.array([[1, 2, 0], [3, 0, 0]]), reference=[[1, 2], [4]]) == [1.0, 0.0]
