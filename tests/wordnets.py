"""WordNets for the tests: an empty one, a small handmade one, and the real one if its data is installed."""

import shutil
from pathlib import Path

# The folder of WordNet 3.0 in Debian's package wordnet-base.
DEBIAN = Path("/usr/share/wordnet")
MISSING = "WordNet 3.0 is not there: python -m nltk.downloader wordnet, or Debian's package wordnet-base"


class Lemma:
    def __init__(self, name):
        self._name = name

    def name(self):
        return self._name


class Synset:
    def __init__(self, names):
        self._lemmas = [Lemma(name) for name in names]

    def lemmas(self):
        return self._lemmas


class HandmadeWordNet:
    """The methods of a WordNet that `meteor_score` calls, for groups of synonyms."""

    def __init__(self, groups):
        self.groups = [group.split() for group in groups]

    def synsets(self, word):
        return [Synset(group) for group in self.groups if word in group]


WITHOUT_SYNONYMS = HandmadeWordNet([])
# Some of the words are stems, because NLTK looks up stems.
SMALL = HandmadeWordNet(
    [
        "big larg large great",
        "great fine Good",
        "run hurri hurry go",
        "go leav leave",
        "dog hound domestic_dog",
        "home hous house",
        "a b c",
        "c d",
    ]
)


def make_nltk_data(folder):
    """Create an NLTK data folder with Debian's files; the two that the package omits do not affect synonyms."""
    corpus = Path(folder) / "corpora" / "wordnet"
    corpus.mkdir(parents=True)
    for path in DEBIAN.iterdir():
        if path.is_file():
            shutil.copy(path, corpus)
    kinds = [3, 3, 4] + [1] * 26 + [2] * 15 + [3]
    names = [f"{number:02d}\tname{number}\t{kind}\n" for number, kind in enumerate(kinds)]
    (corpus / "lexnames").write_text("".join(names))
    if not (corpus / "index.sense").exists():
        (corpus / "index.sense").touch()
