"""Record the results of NLTK 3.9.1 in ribes_nltk391.json, for the sentences of ribes_pairs.

Run from the root of the repository, with a Python that has nltk==3.9.1:
`python -m tests.golden.make_ribes_nltk391`
"""

import json
from pathlib import Path

import nltk
from nltk.translate.ribes_score import corpus_ribes, sentence_ribes, word_rank_alignment

from tests.golden import ribes_pairs

CORPORA = [(1, 1800, 12), (2, 900, 25), (3, 120, 45)]
SETTINGS = [(0.25, 0.10), (0.0, 0.0), (1.0, 2.5)]
# Few segments for settings other than the default, because the alignments are the same.
FEWER = 250


def record(seed, size, longest):
    hypotheses, references = ribes_pairs.corpus(seed, size, longest)
    result = {
        "seed": seed,
        "size": size,
        "longest": longest,
        "digest": ribes_pairs.digest(hypotheses, references),
        "checksums": "".join(
            ribes_pairs.checksum(word_rank_alignment(refs[0], hypothesis))
            for hypothesis, refs in zip(hypotheses, references, strict=True)
        ),
        "runs": [],
    }
    for i, (alpha, beta) in enumerate(SETTINGS):
        here = slice(None) if i == 0 else slice(FEWER)
        result["runs"].append(
            {
                "alpha": alpha,
                "beta": beta,
                "corpus": corpus_ribes(references[here], hypotheses[here], alpha, beta),
                "sentences": [
                    sentence_ribes(refs, hypothesis, alpha, beta)
                    for hypothesis, refs in zip(hypotheses[here], references[here], strict=True)
                ],
            }
        )
    return result


def main():
    if nltk.__version__ != "3.9.1":
        raise SystemExit(f"this records NLTK 3.9.1, not {nltk.__version__}")
    data = {
        "tool": "nltk",
        "version": nltk.__version__,
        "command": "python -m tests.golden.make_ribes_nltk391",
        "origin": "run for this record: nltk.translate.ribes_score of NLTK 3.9.1 on sentences of ribes_pairs.corpus",
        "corpora": [record(*arguments) for arguments in CORPORA],
    }
    text = json.dumps(data, separators=(",", ":")).replace('{"seed"', '\n{"seed"').replace('{"alpha"', '\n{"alpha"')
    (Path(__file__).parent / "ribes_nltk391.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
