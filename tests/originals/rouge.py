"""Other implementations of ROUGE."""

from functools import cache

from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score import rouge_scorer

from refscore import ROUGE
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, each
from tests.reference import rouge as oracle
from tests.reference import tokenizers
from tests.strategies import text_settings

VARIANTS = ("1", "2", "5", "L", "Lsum")
STEMMER = PorterStemmer()


@cache
def scorer(variant, stem):
    return rouge_scorer.RougeScorer([f"rouge{variant}"], use_stemmer=stem)


def expected(rows):
    """Return the numbers for rows of precision, recall and F; a corpus has their means."""
    names = ("precision", "recall", "value")
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Expected(
        segments=[dict(zip(names, row, strict=True)) for row in rows],
        corpus=dict(zip(names, means, strict=True)),
        rows=[[*row, 1] for row in rows],
    )


def original_scores(hypotheses, references, variant="L", *, stem=False):
    original = scorer(variant, stem)
    scores = each(lambda text, refs: original.score_multi(refs, text), hypotheses, references)
    return expected([list(score[f"rouge{variant}"]) for score in scores])


def split(text, variant="L", *, tokenizer="rouge", lowercase=True, normalize="none", stem=False):
    """Return the tokens of a text; lines end with a token for Lsum."""
    # Lowercased as a whole, because the end of a line can affect a sigma.
    text = tokenizers.prepare_text(text, lowercase=lowercase, normalize=normalize)
    tokens = []
    for number, line in enumerate(text.split("\n") if variant == "Lsum" else [text]):
        words = tokenizers.tokenize(line, tokenizer)
        tokens += ["\n"] if number else []
        tokens += [STEMMER.stem(word, to_lowercase=False) if stem and len(word) > 3 else word for word in words]
    return tokens


def lines_of(tokens):
    lines = [[]]
    for token in tokens:
        if token == "\n":
            lines.append([])
        else:
            lines[-1].append(token)
    return lines


def definition(hypotheses, references, variant="L", **options):
    lines = lines_of if variant == "Lsum" else lambda tokens: [tokens]
    return expected(
        each(lambda text, refs: oracle.row(variant, lines(text), [*map(lines, refs)])[:3], hypotheses, references)
    )


ORIGINALS = [
    Original(
        name="rouge-score",
        metric=ROUGE,
        scores=original_scores,
        table=[{"variant": variant, "stem": stem} for variant in VARIANTS for stem in (False, True)],
        options=st.fixed_dictionaries({"variant": st.sampled_from(VARIANTS), "stem": st.booleans()}),
        long=False,
    ),
    *(
        Original(
            name=f"definition of {', '.join(variants)}",
            metric=ROUGE,
            scores=definition,
            inputs=inputs,
            table=[{"variant": variant} for variant in variants],
            options=st.fixed_dictionaries(
                {"variant": st.sampled_from(variants), "stem": st.booleans(), **text_settings}
            ),
            split=split,
            clean=lambda text: text[:150],  # the table is quadratic
            long=False,
        )
        # Among mixed tokens, a line break could also be a word, so Lsum rejects them.
        for variants, inputs in [(("1", "2", "9", "L"), (TEXT, TOKENS, IDS, OBJECTS)), (("Lsum",), (TEXT, TOKENS, IDS))]
    ),
]
