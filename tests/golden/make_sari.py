"""Record the SARI scores of four programs, as tests/golden/sari.json.

    python -m tests.golden.make_sari EASSE TENSOR2TENSOR EVALUATE XU

The arguments are the programs' files: easse/sari.py (easse 0.2.4), tensor2tensor/utils/sari_hook.py (1.15.7),
metrics/sari/sari.py of evaluate (0.4.6) and SARI.py of github.com/cocoxu/simplification (3557046). Modules that they
import but do not need for these functions are replaced by empty ones.
"""

import importlib.util
import itertools
import json
import random
import sys
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock

TEXT = "the a cat dog sat ran on in mat , . about 95 species are currently accepted known now it rained"


def corpus():
    """Return sources, hypotheses and lists of one to three references."""
    vocabulary = TEXT.split()
    generator = random.Random(5)

    def change(text):
        words = [generator.choice(vocabulary) if generator.random() < 0.2 else word for word in text.split()]
        return " ".join(word for word in words if generator.random() > 0.2)

    sources = [" ".join(generator.choices(vocabulary, k=generator.choice([1, 2, 5, 9, 14]))) for _ in range(40)]
    references = [[change(source) for _ in range(generator.randint(1, 3))] for source in sources]
    hypotheses = [change(generator.choice([source, *refs])) for source, refs in zip(sources, references, strict=True)]
    edges = itertools.product(["", "a cat", "The CAT sat, on 3.5% mats."], repeat=3)
    for source, hypothesis, reference in edges:
        sources.append(source)
        hypotheses.append(hypothesis)
        references.append([reference, "a cat sat"])
    return sources, hypotheses, references


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def normalizer():
    """Return easse's `normalize` for the default tokenizer: sacrebleu's 13a."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize = Tokenizer13a()
    return lambda text, lowercase=True, tokenizer="13a": tokenize(text.lower() if lowercase else text)


def main(easse_file, tensor2tensor_file, evaluate_file, xu_file):
    preprocessing = ModuleType("easse.utils.preprocessing")
    preprocessing.normalize = normalizer()
    for name in ("easse", "easse.utils"):
        sys.modules[name] = ModuleType(name)
    sys.modules["easse"].utils = sys.modules["easse.utils"]
    sys.modules["easse.utils"].preprocessing = sys.modules["easse.utils.preprocessing"] = preprocessing
    sys.modules.setdefault("sacremoses", MagicMock())
    easse, evaluate, xu = load("easse_sari", easse_file), load("evaluate_sari", evaluate_file), load("xu_sari", xu_file)
    for name in ("tensorflow", "tensorflow.compat", "tensorflow.compat.v1"):
        sys.modules.setdefault(name, MagicMock())
    hook = load("sari_hook", tensor2tensor_file)

    sources, hypotheses, references = corpus()
    same = [i for i, refs in enumerate(references) if len(refs) == 2]  # easse needs the same number for all
    chosen = [[side[i] for i in same] for side in (sources, hypotheses)]
    streams = [[references[i][r] for i in same] for r in range(2)]
    segments = [*zip(sources, hypotheses, references, strict=True)]
    numbers = {}

    def ids(text):  # 0 is padding
        return [numbers.setdefault(word, len(numbers) + 1) for word in text.split()]

    result = {
        "command": "python -m tests.golden.make_sari",
        "sources": sources,
        "hypotheses": hypotheses,
        "references": references,
        "easse 0.2.4": {
            "segments": [easse.corpus_sari([s], [h], [[r] for r in refs]) for s, h, refs in segments],
            "paper": [
                easse.corpus_sari([s], [h], [[r] for r in refs], use_paper_version=True) for s, h, refs in segments
            ],
            "precision": [
                easse.corpus_sari([s], [h], [[r] for r in refs], use_f1_for_deletion=False) for s, h, refs in segments
            ],
            "corpus of segments": same,
            "corpus": easse.corpus_sari(*chosen, streams),
        },
        "tensor2tensor 1.15.7": [
            hook.get_sari_score(ids(s), ids(h), [ids(r) for r in refs])[0] for s, h, refs in segments
        ],
        "evaluate 0.4.6": [
            evaluate.SARIsent(*(evaluate.normalize(text) for text in (s, h)), [*map(evaluate.normalize, refs)])
            for s, h, refs in segments
        ],
        "xu": [xu.SARIsent(s, h, refs) for s, h, refs in segments],
    }
    path = Path(__file__).with_name("sari.json")
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
