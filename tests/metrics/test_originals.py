"""Every metric compared with its originals: on all shared corpora, and on drawn ones with drawn options."""

import importlib

import pytest
from hypothesis import given

from tests.differential import compare
from tests.examples import examples
from tests.originals import originals


def drawn(original, inputs):
    @given(corpus=inputs.drawn, options=original.options)
    @examples(150)
    def check(corpus, options):
        compare(original, *corpus, **options)

    return check


ORIGINALS = originals()
CORPORA = [
    pytest.param(original, corpus, table, id=f"{name}|{corpus_name}", marks=marks)
    for name, original in ORIGINALS.items()
    for corpus_name, corpus, table, marks in original.cases()
]
DRAWN = [
    pytest.param(original, drawn(original, inputs), id=f"{name}|{inputs.name}")
    for name, original in ORIGINALS.items()
    for inputs in original.inputs
]


@pytest.mark.parametrize(("original", "corpus", "table"), CORPORA)
def test_corpora(original, corpus, table):
    importlib.import_module(original.needs)
    for options in table:
        compare(original, *corpus, **options)


@pytest.mark.slow
@pytest.mark.parametrize(("original", "check"), DRAWN)
@pytest.mark.generated
def test_drawn_corpora(original, check):
    importlib.import_module(original.needs)
    check()
