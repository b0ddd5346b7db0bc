"""Record the GLEU of corrections by two programs, as tests/golden/gec_gleu.json.

    python -m tests.golden.make_gec_gleu GEC_METRICS GEC_RANKING

The arguments are the folder gec_metrics/metrics of gec-metrics 0.1.1 and scripts/gleu.py of github.com/cnap/gec-ranking
(50b5032), for Python 2, which is changed by lib2to3. Packages that gec-metrics imports but does not need for these
functions are replaced by empty ones.
"""

import importlib
import json
import random
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock

from tests.golden.make_sari import TEXT, load


def corpus():
    """Return sources, hypotheses and two references of each segment."""
    vocabulary = TEXT.split()[:12]
    generator = random.Random(8)

    def change(text):
        words = [generator.choice(vocabulary) if generator.random() < 0.15 else word for word in text.split()]
        return " ".join(word for word in words if generator.random() > 0.1) or "a"

    sources = [" ".join(generator.choices(vocabulary, k=generator.choice([1, 3, 6, 9, 14]))) for _ in range(60)]
    references = [[change(source), change(source)] for source in sources]
    hypotheses = [change(generator.choice([source, *refs])) for source, refs in zip(sources, references, strict=True)]
    return sources, hypotheses, references


def python3(path):
    """Return a file for Python 2 as a module."""
    from lib2to3.refactor import RefactoringTool, get_fixers_from_package

    tool = RefactoringTool(get_fixers_from_package("lib2to3.fixes"))
    text = str(tool.refactor_string(Path(path).read_text(encoding="utf-8") + "\n", str(path)))
    changed = Path(tempfile.mkdtemp(), "gleu.py")
    changed.write_text(text, encoding="utf-8")
    return load("official_gleu", changed)


def official(module, sources, hypotheses, references):
    """Return the corpus scores of 500 draws, and the segment scores with each reference."""
    folder = Path(tempfile.mkdtemp())

    def write(name, lines):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return folder / name

    gleu = module.GLEU(4)
    gleu.load_sources(write("sources", sources))
    gleu.load_references([write(str(r), [refs[r] for refs in references]) for r in range(2)])
    stats = []
    for i, hypothesis in enumerate(hypotheses):
        gleu.load_hypothesis_sentence(hypothesis.split())
        stats.append([[*gleu.gleu_stats(i, r)] for r in range(2)])
    draws = []
    for draw in range(500):
        random.seed(draw * 101)
        chosen = [random.randint(0, 1) for _ in hypotheses]
        total = [sum(column) for column in zip(*(rows[r] for rows, r in zip(stats, chosen, strict=True)), strict=True)]
        draws.append(gleu.gleu(total))
    return {
        "corpus": sum(draws) / len(draws),
        "segments": [[gleu.gleu(row, smooth=True) for row in rows] for rows in stats],
    }


def main(gec_metrics, gec_ranking):
    for name in ("gecommon", "trueskill"):
        sys.modules[name] = MagicMock()
    package = ModuleType("gec_metrics_files")
    package.__path__ = [gec_metrics]
    sys.modules[package.__name__] = package
    module = importlib.import_module("gec_metrics_files.gleu")
    sources, hypotheses, references = corpus()
    streams = [[refs[r] for refs in references] for r in range(2)]
    record = {
        "command": "python -m tests.golden.make_gec_gleu",
        "sources": sources,
        "hypotheses": hypotheses,
        "references": references,
        "official": official(python3(gec_ranking), sources, hypotheses, references),
    }
    for name, kind in (("gec-metrics", module.GLEU), ("gec-metrics-official", module.GLEUOfficial)):
        record[name] = {
            "corpus": kind().score_corpus(sources, hypotheses, streams),
            "one": kind().score_corpus(sources, hypotheses, streams[:1]),
            "segments": kind().score_sentence(sources, hypotheses, streams[:1]),
        }
    path = Path(__file__).parent / "gec_gleu.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
