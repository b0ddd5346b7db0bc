"""EED: its path, its steps, its text rules, and the cases that the definition leaves open."""

import random

import pytest
from hypothesis import given, strategies as st

import refscore
from tests.examples import examples
from tests.reference import eed as oracle

METRIC = refscore.EED()
TEXTS = st.text(st.sampled_from("ab .é"), max_size=14)
COSTS = {"substitution": 1.0, "match": 0.0}


def test_the_example_of_torchmetrics():
    texts, references = (
        ["this is the prediction", "here is an other sample"],
        ["this is the reference", "here is another one"],
    )
    assert round(refscore.eed(texts, references).value, 4) == 0.3078


@given(text=TEXTS, reference=TEXTS, alpha=st.sampled_from([0.0, 0.5, 2.0]), insertion=st.sampled_from([0.3, 1.0]))
@examples(200)
def test_the_path_has_the_cost_of_the_definition(text, reference, alpha, insertion):
    metric = refscore.EED(alpha=alpha, insertion=insertion)
    path = metric.path(text, reference)
    hypothesis, target = oracle.english(text), oracle.english(reference)
    settings = oracle.Settings(alpha=alpha, insertion=insertion)
    _, distance, coverage, _, _ = oracle.one_row(settings, hypothesis, target)
    costs = {**COSTS, "deletion": 0.2, "insertion": insertion, "jump": alpha}
    total, at, characters = 0.0, 0, []
    for number, step in enumerate(path.steps):
        first = (step.kind == "insertion" and step.position == 0) or (step.kind == "jump" and number == 0)
        total += 1.0 if first else costs[step.kind]
        if step.kind in ("match", "substitution", "deletion"):
            assert step.character == hypothesis[at] and step.position == at + 1
        assert (step.kind == "match") == (step.character is not None and step.character == step.reference_character)
        at = step.position
        characters += [] if step.reference_character is None else [step.reference_character]
    assert at == len(hypothesis) and "".join(characters) == target
    assert total == pytest.approx(distance)
    assert 0.3 * sum(abs(path.visits.count(i) - 1) for i in range(len(hypothesis) + 1)) == coverage


@given(text=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=3))
@examples(100)
def test_steps_show_the_numbers_of_the_definition(text, references):
    steps = METRIC.explain(text, references)
    score, distance, coverage, _, _ = oracle.row(
        oracle.Settings(), oracle.english(text), map(oracle.english, references)
    )
    assert steps.result.startswith(f"EED = {score:.4f}")
    assert f"({distance:.4f} + {coverage:.4f})" in str(steps)


def test_no_length_and_no_weight():
    metric = refscore.EED.preset("torchmetrics-ja", rho=0.0)
    assert metric.segments(["", "a", "a"], ["", "", "a"]).tolist() == [1, 1, 0]
    assert "nothing to divide by" in str(metric.explain("", ""))


def test_only_the_token_of_a_space_allows_jumps():
    words = ["a", "b", " ", "c", "d", " "]
    assert METRIC.segment(words, [[*words[3:], *words[:3]]]).distance < 4
    numbers = [1, 2, 32, 3, 4, 32]
    expected = oracle.one_row(oracle.Settings(), numbers, [*numbers[3:], *numbers[:3]])
    assert METRIC.segment(numbers, [[*numbers[3:], *numbers[:3]]]).row.tolist() == expected


def test_long_texts():
    """Thousands of characters, compared with the definition once, and a path that is too long."""
    generator = random.Random(4)
    text, other = ("".join(generator.choices("abcdef ", k=size)) for size in (700, 650))
    expected = oracle.one_row(oracle.Settings(), oracle.english(text), oracle.english(other))
    assert METRIC.segment(text, other).row.tolist() == expected
    long = text * 15
    with pytest.raises(refscore.InputError, match="too large"):
        METRIC.path(long, long)
    assert "too long to show the path" in str(METRIC.explain(long, long))
    with refscore.metrics.limits(max_tokens=1000), pytest.raises(refscore.errors.LimitError):
        METRIC.segment(long, long)
