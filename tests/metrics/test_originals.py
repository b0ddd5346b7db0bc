"""Every metric compared with its originals: on all shared corpora, and on drawn ones with drawn options."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.differential import compare
from tests.examples import examples
from tests.originals import originals

ORIGINALS = originals()
CORPORA = [
    pytest.param(original, corpus, table, id=f"{name}|{corpus_name}", marks=marks)
    for name, original in ORIGINALS.items()
    for corpus_name, corpus, table, marks in original.cases()
]


@pytest.mark.parametrize(("original", "corpus", "table"), CORPORA)
def test_corpora(original, corpus, table):
    for options in table:
        compare(original, *corpus, **options)


@pytest.mark.parametrize("original", ORIGINALS.values(), ids=ORIGINALS)
@given(data=st.data())
@examples(300)
def test_drawn_corpora(original, data):
    corpus = data.draw(st.one_of([inputs.drawn for inputs in original.inputs]))
    compare(original, *corpus, **data.draw(original.options))
