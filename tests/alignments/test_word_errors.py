"""The most frequent errors by word, compared with jiwer and with counts of the alignments."""

import json
from collections import Counter

import jiwer
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import WER
from refscore.alignments import word_errors
from tests.corpora import TEXT
from tests.examples import examples


@given(corpus=TEXT.drawn)
@examples(60)
def test_counts(corpus):
    references = [texts[0] for texts in corpus[1]]
    errors = word_errors(corpus[0], references)
    counts = Counter(edit for pair in zip(corpus[0], references, strict=True) for edit in WER().alignment(*pair))
    for kind, found in (
        ("substitution", errors.substitutions),
        ("deletion", errors.deletions),
        ("insertion", errors.insertions),
    ):
        assert {(error.reference, error.hypothesis): error.count for error in found} == {
            (edit.reference, edit.hypothesis): count for edit, count in counts.items() if edit.kind == kind
        }
        assert [error.count for error in found] == sorted((error.count for error in found), reverse=True)
    row = WER().stats(corpus[0], references).sum(0).tolist() if corpus[0] else [0] * 4
    assert [*errors.counts.values()] == row
    shares = [error.share for error in (*errors.substitutions, *errors.deletions, *errors.insertions)]
    assert sum(shares) == pytest.approx(1 if errors.errors else 0)
    for word in errors.words:
        occurrences = sum(count for edit, count in counts.items() if edit.reference == word.word)
        assert word.occurrences == occurrences and word.errors == word.substitutions + word.deletions > 0


@given(
    pairs=st.lists(
        st.tuples(st.sampled_from(["a b c", "c a", "b"]), st.sampled_from(["a", "b c", "a x c y"])), min_size=1
    )
)
@examples(30)
def test_single_words_as_in_jiwer(pairs):
    """jiwer joins neighbouring errors, so only alignments without neighbours compare."""
    references, hypotheses = map(list, zip(*pairs, strict=True))
    output = jiwer.process_words(references, hypotheses)
    if any(
        max(c.ref_end_idx - c.ref_start_idx, c.hyp_end_idx - c.hyp_start_idx) > 1 for a in output.alignments for c in a
    ):
        return
    substitutions, insertions, deletions = jiwer.collect_error_counts(output)
    errors = word_errors(hypotheses, references)
    assert {(e.reference, e.hypothesis): e.count for e in errors.substitutions} == dict(substitutions)
    assert {e.hypothesis: e.count for e in errors.insertions} == dict(insertions)
    assert {e.reference: e.count for e in errors.deletions} == dict(deletions)


def test_listed_words_only():
    errors = word_errors(["a x", "b"], ["a b", "b c"], WER(words=["b"]))
    assert (errors.errors, errors.counts["hit"]) == (1, 1)
    assert errors.substitutions[0].reference == "b" and not errors.deletions


def test_tables_and_data():
    errors = word_errors(["<b> a"] * 12 + [""], [f"w{i} a" for i in range(12)] + ["z"])
    assert "2 more" in str(errors) and "Deletions (1 of 13 errors)" in str(errors)
    assert len(errors.tables(None)[0].rows) == 12
    assert json.loads(json.dumps(errors.to_dict(3)))["errors"] == 13
    assert "<b>" not in errors._repr_html_() and "&lt;b&gt;" in errors._repr_html_()
    assert str(word_errors(["a"], ["a"])) == "no errors"
    assert str(word_errors([], [])) == "no errors"
    with pytest.raises(refscore.SettingError):
        errors.tables(0)
    assert word_errors(["a " * 100_000], ["a"]).insertions[0].count == 99_999
    assert word_errors([[1]], [[[2]]]).substitutions[0].reference == "2"


def test_tables_show_spaces():
    errors = refscore.alignments.word_errors(["abc"], ["a bc"], "cer")
    assert [error.reference for error in errors.deletions] == [" "]
    assert [str(table).splitlines()[3].split()[0] for table in errors.tables()] == ["␣", "␣"]
    assert str(errors.tables()[-1]).startswith("Errors by reference character\ncharacter  occurrences")
    assert repr(errors).startswith("<1 error by character: ")
    assert ">␣</del>" in refscore.alignments.alignment_view(["abc"], ["a bc"], "cer").to_html()
