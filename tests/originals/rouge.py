"""Other implementations of ROUGE."""

from functools import cache

import pytest
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score import rouge_scorer

from refscore import ROUGE
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, each
from tests.reference import rouge as oracle, tokenizers
from tests.strategies import text_settings

VARIANTS = ("1", "2", "5", "L", "Lsum")
WITH_NUMBERS = ("W-1.2", "W-2", "W-1", "S4", "S0", "S*", "SU4", "SU2", "SU*")
WITH_LINES = ("Lsum", "W-1.2", "W-2", "W-1.7")
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


def split(
    text, variant="L", *, tokenizer="rouge", lowercase=True, normalize="none", stem=False, beta=1.0, combine="best"
):
    """Return the tokens of a text; lines end with a token for Lsum and W."""
    # Lowercased as a whole, because the end of a line can affect a sigma.
    text = tokenizers.prepare_text(text, lowercase=lowercase, normalize=normalize)
    tokens = []
    for number, line in enumerate(text.split("\n") if variant[0] == "W" or variant == "Lsum" else [text]):
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


def definition(hypotheses, references, variant="L", *, beta=1.0, combine="best", **text_options):
    lines = lines_of if variant in WITH_LINES else lambda tokens: [tokens]

    def row(text, refs):
        return oracle.row(variant, lines(text), [*map(lines, refs)], beta, combine)[:3]

    return expected(each(row, hypotheses, references))


def rouge_metric_scores(hypotheses, references, variant, *, combine="pool", beta=1.0):
    """Return the numbers of rouge-metric, a port of ROUGE-1.5.5 to Python. It takes texts as lists of lines."""
    reason = "needs rouge-metric, which also installs a package named tests: see .ci/run"
    PyRouge = pytest.importorskip("rouge_metric", reason=reason).PyRouge
    number = variant.lstrip("WSU-")
    port = PyRouge(
        rouge_n=[],
        rouge_l=variant == "Lsum",
        rouge_w=variant[0] == "W",
        rouge_w_weight=float(number) if variant[0] == "W" else 1.2,
        rouge_s=variant[0] == "S" and variant[1] != "U",
        rouge_su=variant[:2] == "SU",
        skip_gap=int(number) if variant[0] == "S" and number != "*" else None,
        multi_ref_mode={"pool": "average", "recall": "best"}[combine],
        alpha=1 / (1 + beta**2),
        mode="individual",
    )
    results = port.evaluate_tokenized(
        [lines_of(text) for text in hypotheses], [[lines_of(text) for text in refs] for refs in references]
    )
    return expected([[scores[key] for key in "prf"] for result in results for scores in result.values()])


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
                {
                    "variant": st.sampled_from(variants),
                    "stem": st.booleans(),
                    "beta": st.sampled_from([0.0, 0.5, 1.0, 1.2, 8.0]),
                    "combine": st.sampled_from(["best", "recall", "pool"]),
                    **text_settings,
                }
            ),
            split=split,
            clean=lambda text: text[:150],  # the table is quadratic
            long=False,
        )
        # Among mixed tokens, a line break could also be a word, so variants with lines reject them.
        for variants, inputs in [
            (("1", "2", "9", "L", "S4", "S0", "S*", "SU4", "SU2", "SU*"), (TEXT, TOKENS, IDS, OBJECTS)),
            (WITH_LINES, (TEXT, TOKENS, IDS)),
        ]
    ),
    Original(
        name="rouge-metric",
        metric=ROUGE,
        scores=rouge_metric_scores,
        table=[
            *({"variant": variant, "combine": "pool"} for variant in WITH_NUMBERS),
            # For W, the port compares references by a different number than ROUGE-1.5.5.
            *({"variant": variant, "combine": "recall"} for variant in WITH_NUMBERS if variant[0] == "S"),
        ],
        options=st.fixed_dictionaries(
            {
                "variant": st.sampled_from(["Lsum", *WITH_NUMBERS]),
                "combine": st.just("pool"),
                "beta": st.sampled_from([0.0, 0.5, 1.0, 1.2, 8.0]),
            }
        ),
        split=split,
        clean=lambda text: text[:150],
        long=False,
    ),
]
