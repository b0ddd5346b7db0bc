"""The modules exact_match, squad and squad_v2 compared with the definitions of their scripts, without evaluate."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.compat import evaluate
from tests import strategies
from tests.examples import examples
from tests.reference import answers as oracle
from tests.reference.tokenizers import tokenize_squad


def compute(name, predictions, references, **options):
    return evaluate.load(name).compute(predictions=predictions, references=references, **options)


def same(actual, expected):
    assert list(actual) == list(expected)
    assert [type(value) for value in actual.values()] == [type(value) for value in expected.values()]
    return all(math.isclose(actual[key], expected[key], rel_tol=1e-12, abs_tol=1e-300) for key in expected)


def split(text):
    return tokenize_squad(text.lower())


def squad(predictions, references):
    """Score each reference with the last prediction of its id; without one, it scores 0."""
    texts = {prediction["id"]: prediction["prediction_text"] for prediction in predictions}
    exact = f1 = 0
    for reference in references:
        if reference["id"] in texts:
            words = split(texts[reference["id"]])
            groups = [split(text) for text in reference["answers"]["text"]]
            exact += oracle.exact_match_row(words, groups)[0]
            f1 += oracle.f1_row(words, groups)[0]
    return {"exact_match": 100.0 * exact / len(references), "f1": 100.0 * f1 / len(references)}


def squad_v2(predictions, references, no_answer_threshold=1.0):
    texts = {prediction["id"]: prediction["prediction_text"] for prediction in predictions}
    odds = {prediction["id"]: float(np.float32(prediction["no_answer_probability"])) for prediction in predictions}
    has_answer, raw = {}, {"exact": {}, "f1": {}}
    for reference in references:
        name, groups = reference["id"], [split(text) for text in reference["answers"]["text"]]
        has_answer[name] = bool(groups)
        raw["exact"][name] = oracle.exact_match_row(split(texts[name]), groups or [[]], skip_empty=True)[0]
        raw["f1"][name] = oracle.f1_row(split(texts[name]), groups or [[]], skip_empty=True, both_empty=1)[0]
    final = {
        key: {name: float(not has_answer[name]) if odds[name] > no_answer_threshold else score[name] for name in score}
        for key, score in raw.items()
    }
    result = {}
    for prefix, names in (
        ("", [*has_answer]),
        ("HasAns_", [name for name in has_answer if has_answer[name]]),
        ("NoAns_", [name for name in has_answer if not has_answer[name]]),
    ):
        if names:
            sums = {key: sum(final[key][name] for name in names) for key in final}
            result |= {f"{prefix}{key}": 100.0 * sums[key] / len(names) for key in sums}
            result[f"{prefix}total"] = len(names)
    for key, scores in raw.items():
        best = current = sum(not answered for answered in has_answer.values())
        threshold = 0.0
        for name in sorted(odds, key=odds.get):
            if name in scores:
                current += scores[name] if has_answer[name] else -1 if texts[name] else 0
                if current > best:
                    best, threshold = current, odds[name]
        result |= {f"best_{key}": 100.0 * best / len(scores), f"best_{key}_thresh": threshold}
    return result


@st.composite
def questions(draw, no_answers):
    """Predictions and references of the same ids in any order, sometimes with repeated ids."""
    texts, groups = draw(strategies.text_corpora)
    ids = draw(st.lists(st.sampled_from(["1", "2", "b", "é"]), min_size=len(texts), max_size=len(texts)))
    ids = ids if draw(st.booleans()) else [str(i) for i in range(len(texts))]
    probabilities = st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0])
    predictions = [
        {"id": name, "prediction_text": text, "no_answer_probability": draw(probabilities)}
        for name, text in zip(ids, texts, strict=True)
    ]
    references = [
        {"id": name, "answers": {"text": [] if no_answers and draw(st.booleans()) else group, "answer_start": []}}
        for name, group in zip(ids, groups, strict=True)
    ]
    return draw(st.permutations(predictions)), references


@given(drawn=questions(no_answers=False))
@examples(150)
def test_squad(drawn):
    predictions, references = drawn
    predictions = [{**prediction} for prediction in predictions]
    assert same(compute("squad", predictions, references), squad(predictions, references))


@given(drawn=questions(no_answers=True), threshold=st.sampled_from([None, 0.0, 0.1, 0.3, 0.99, 1.0]))
@examples(150)
def test_squad_v2(drawn, threshold):
    options = {} if threshold is None else {"no_answer_threshold": threshold}
    assert same(compute("squad_v2", *drawn, **options), squad_v2(*drawn, **options))


PATTERNS = [None, ["the "], ["a", "b$"], ["\x00", "[0-9]"], "ab"]


@given(
    corpus=strategies.text_corpora,
    patterns=st.sampled_from(PATTERNS),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
@examples(150)
def test_exact_match(corpus, patterns, flags):
    texts, references = corpus[0], [group[0] for group in corpus[1]]
    names = ("ignore_case", "ignore_punctuation", "ignore_numbers")
    matches = oracle.evaluate_matches(
        texts, references, patterns, **dict(zip(("case", "punctuation", "numbers"), flags, strict=True))
    )
    options = dict(zip(names, flags, strict=True))
    actual = compute("exact_match", texts, references, regexes_to_ignore=patterns, **options)
    assert same(actual, {"exact_match": np.mean(matches)})


def test_an_empty_list_of_regular_expressions():
    """The script then compares two lists, not arrays, so the result is 1 or 0."""
    assert compute("exact_match", ["a", "b"], ["a", "c"], regexes_to_ignore=[])["exact_match"] == 0
    assert compute("exact_match", ["a", "b"], ["a", "b"], regexes_to_ignore=[])["exact_match"] == 1
    half = compute("exact_match", ["a", "b"], ["a", "c"], regexes_to_ignore=[], ignore_case=True)
    assert half["exact_match"] == 0.5


QUESTION = {"id": "1", "answers": {"answer_start": [97], "text": ["1976"]}}
PREDICTION = {"id": "1", "prediction_text": "1976", "no_answer_probability": 0.0}


def test_examples_of_the_module_cards():
    assert compute("squad", [PREDICTION], [QUESTION]) == {"exact_match": 100.0, "f1": 100.0}
    assert compute("squad_v2", [PREDICTION], [QUESTION]) == {
        **{"exact": 100.0, "f1": 100.0, "total": 1, "HasAns_exact": 100.0, "HasAns_f1": 100.0, "HasAns_total": 1},
        **{"best_exact": 100.0, "best_exact_thresh": 0.0, "best_f1": 100.0, "best_f1_thresh": 0.0},
    }
    references, predictions = ["the cat", "theater", "YELLING", "agent007"], ["cat?", "theater", "yelling", "agent"]
    options = {"regexes_to_ignore": ["the ", "yell", "YELL"], "ignore_case": True, "ignore_punctuation": True}
    for given_options, value in (({}, 0.25), (options, 0.75), ({**options, "ignore_numbers": True}, 1.0)):
        assert compute("exact_match", predictions, references, **given_options)["exact_match"] == value


def test_questions_without_a_prediction(capsys):
    other = {**PREDICTION, "id": "2"}
    assert compute("squad", [other], [QUESTION]) == {"exact_match": 0.0, "f1": 0.0}
    assert capsys.readouterr().err == "Unanswered question 1 will receive score 0.\n"
    assert compute("squad", [PREDICTION, other], [QUESTION, {**QUESTION, "id": 3}])["f1"] == 50
    with pytest.raises(refscore.InputError, match=r"references\[0\] has the id '1', which no prediction has"):
        compute("squad_v2", [other], [QUESTION])


def test_answers_as_a_list_of_dictionaries():
    listed = {"id": 1, "answers": [{"text": "1976", "answer_start": 97}, {"text": "x", "answer_start": 0}]}
    assert compute("squad", [PREDICTION], [listed])["f1"] == 100
    module = evaluate.load("squad")
    module.add(prediction=PREDICTION, reference=listed)
    assert module.compute()["exact_match"] == 100


@pytest.mark.parametrize(
    ("name", "prediction", "reference", "message"),
    [
        ("squad", "1976", QUESTION, r"predictions\[0\] must be a dictionary with id and prediction_text"),
        ("squad_v2", {"id": "1", "prediction_text": ""}, QUESTION, "prediction_text and no_answer_probability"),
        ("squad", {**PREDICTION, "prediction_text": None}, QUESTION, "a string as prediction_text"),
        ("squad", PREDICTION, "1976", r"references\[0\] must be a dictionary with id and answers"),
        ("squad", PREDICTION, {"id": "1", "answers": {"text": "1976"}}, "list of texts"),
        ("squad", PREDICTION, {"id": "1", "answers": {"text": [1]}}, "strings as answers"),
        ("squad", PREDICTION, {"id": "1", "answers": {"text": []}}, "squad_v2"),
        ("exact_match", "a", ["a"], "only one reference"),
    ],
)
def test_mistakes(name, prediction, reference, message):
    with pytest.raises(refscore.InputError, match=message):
        compute(name, [prediction], [reference])
