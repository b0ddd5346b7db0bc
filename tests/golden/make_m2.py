"""Record the M² scores of m2scorer, as tests/golden/m2.json.

    python -m tests.golden.make_m2 SCRIPTS

The argument is the folder `scripts` of github.com/nusnlp/m2scorer (cb874a7), for Python 2, which is changed by lib2to3.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

WORDS = "the a cat sat on mat".split()  # noqa: SIM905


def corpus():
    """Return sources, hypotheses and, for each segment, the edits of one to three annotators."""
    generator = random.Random(12)

    def change(words):
        changed = []
        for word in words:
            draw = generator.random()
            if draw > 0.12:
                changed.append(generator.choice(WORDS) if draw < 0.25 else word)
            if draw > 0.9:
                changed.append(generator.choice(WORDS))
        return changed

    sources, hypotheses, annotators = [], [], []
    for _ in range(150):
        words = generator.choices(WORDS, k=generator.choice([0, 1, 3, 5, 8, 12]))
        own = change(words)
        sources.append(" ".join(words))
        hypotheses.append(" ".join(own))
        annotators.append([edits(generator, words, own) for _ in range(generator.choice([1, 2, 3]))])
    return sources, hypotheses, annotators


def edits(generator, words, own):
    """Return an annotator's edits: begin, end and corrections. Some are those of the hypothesis."""
    found, at = [], 0
    for _ in range(generator.choice([0, 1, 2, 4])):
        if at > len(words):
            break
        begin = generator.randint(at, min(len(words), at + 3))
        end = min(len(words), begin + generator.choice([0, 0, 1, 1, 2]))
        texts = [" ".join(generator.choices(WORDS, k=generator.choice([0, 1, 1, 2])))]
        if own and generator.random() < 0.6:
            first = generator.randrange(len(own))
            texts.append(" ".join(own[first : first + generator.choice([1, 1, 2])]))
        found.append([begin, end, texts])
        at = end if generator.random() < 0.8 else begin
    return found


def lines(annotation):
    """Return edits as lines of an M² file."""
    written = [
        f"A {begin} {end}|||T|||{'||'.join(text or '-NONE-' for text in texts)}|||REQUIRED|||-NONE-|||0"
        for begin, end, texts in annotation
    ]
    return "\n".join(written or ["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"])


def python3(folder):
    """Import m2scorer's levenshtein.py, changed for Python 3."""
    from lib2to3.refactor import RefactoringTool, get_fixers_from_package

    tool = RefactoringTool(get_fixers_from_package("lib2to3.fixes"))
    changed = Path(tempfile.mkdtemp())
    for name in ("levenshtein.py", "util.py"):
        text = Path(folder, name).read_text(encoding="utf-8").replace("from itertools import izip\n", "")
        (changed / name).write_text(str(tool.refactor_string(text + "\n", name)), encoding="utf-8")
    sys.path.insert(0, str(changed))
    import levenshtein

    return levenshtein


def counts(module, source, hypothesis, gold):
    """Return the numbers of correct, proposed and gold edits, with the functions that m2scorer calls."""
    graphs = []
    for cost in (1, 2):
        matrix = module.levenshtein_matrix(source, hypothesis, 1, 1, cost)
        graphs.append(module.edit_graph(*matrix))
    merged = module.merge_graph(*(part for pair in zip(*graphs, strict=True) for part in pair))
    vertices, arcs, distances, found = module.transitive_arcs(*merged, 2)
    weights = module.set_weights(arcs, distances, found, gold)
    path = module.best_edit_seq_bf(vertices, arcs, weights, found)
    return [len(module.matchSeq(path, gold)), len(path), len(gold)]


def main(scripts):
    module = python3(scripts)
    sources, hypotheses, annotators = corpus()

    def gold(source, annotation):
        words = source.split()
        return [(begin, end, " ".join(words[begin:end]), texts) for begin, end, texts in annotation]

    segments = [*zip(sources, hypotheses, annotators, strict=True)]
    total = module.batch_multi_pre_rec_f1(
        hypotheses,
        sources,
        [dict(enumerate(gold(source, each) for each in several)) for source, _, several in segments],
    )
    record = {
        "command": "python -m tests.golden.make_m2",
        "sources": sources,
        "hypotheses": hypotheses,
        "references": [[*map(lines, several)] for several in annotators],
        "counts": [
            [counts(module, source.split(), text.split(), gold(source, each)) for each in several]
            for source, text, several in segments
        ],
        "corpus": total,
    }
    path = Path(__file__).parent / "m2.json"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
