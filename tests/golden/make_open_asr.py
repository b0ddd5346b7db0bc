"""Record what the normalizers of the Open ASR Leaderboard return, as tests/golden/open_asr.json.

    python -m tests.golden.make_open_asr CLONE

CLONE is a clone of github.com/huggingface/open_asr_leaderboard. The script checks out files of two commits, d1e99b2
(21 August 2026) and 6a3e6d4 (11 September 2025), into a temporary folder. It needs regex, and num2words 0.5.14 for the
languages.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from num2words import num2words

from tests.normalizers.sentences import sentences

EDITIONS = {"open-asr-en-2026-06": "d1e99b2", "open-asr-en-2025-09": "6a3e6d4"}
LANGUAGES = ("de", "es", "fr", "it", "pt")
# What only these normalizers change.
TEXTS = [
    *("the b b c and 5 g", "i a m a b", "a b", "a i", "u s a", "x 1 y", "5 g é", "b b c"),
    *(
        "et cetera, et\tcetera",
        "al right all right",
        "how ever",
        "wi-fi hi fi lo\u00a0fi sci fi",
        "e-mail e book e commerce",
    ),
    *("x-ray t-shirts t shirt", "at 5 a.m. or p m", "o.k. ok okay kay", "flyer flyers", "travelogue archaeology"),
    *("Stephen's and Mohamed", "Katelyn, JON & Karl", "the cancellation of snowploughs", "pummelled pummelling"),
    *("it's he's she's what's that's who's here's there's how's", "when's where's why's this's John's dog's"),
    *("ah aha ahh ahm eh ehehe em hm huh hum mhum uhm umm uhuh", "ahem hums them"),
    *("10 000 Euro und 1 000 000", "3 4 2024 99", "1 23 456 789", "12345678901234567890123", "²½ ٣"),
]


def load(clone, commit, folder):
    """Return the module `normalizer` of a commit."""
    package = Path(folder, f"at_{commit}")
    package.mkdir()
    Path(package, "__init__.py").touch()
    for name in ("normalizer.py", "english_abbreviations.py"):
        show = ["git", "-C", clone, "show", f"{commit}:normalizer/{name}"]
        Path(package, name).write_bytes(subprocess.run(show, check=True, capture_output=True).stdout)
    sys.path.insert(0, folder)
    return __import__(f"at_{commit}.normalizer", fromlist=["normalizer"])


def spelled(text, language):
    """Write numbers as words, as the class MultilingualNormalizer in normalizer/data_utils.py does."""

    def word(found):
        try:
            return num2words(int(found[0]), lang=language)
        except Exception:
            return found[0]

    return re.sub(r"\d+", word, re.sub(r"(\d)\s+(\d{3})\b", r"\1\2", text))


def main(clone):
    texts = [*TEXTS, *sentences(160, seed=11)]
    texts = [text for text in texts if not re.search("[\ud800-\udfff]", text)]  # JSON in UTF-8
    with tempfile.TemporaryDirectory() as folder:
        modules = {name: load(clone, commit, folder) for name, commit in EDITIONS.items()}
        outputs = {name: [*map(module.EnglishTextNormalizer(), texts)] for name, module in modules.items()}
        basic = modules["open-asr-en-2026-06"].BasicMultilingualTextNormalizer(remove_diacritics=False)
    outputs["open-asr-multilingual-2025-08"] = [*map(basic, texts)]
    for language in LANGUAGES:
        outputs[f"open-asr-{language}-2026-03"] = [spelled(basic(text), language) for text in texts]
    golden = {
        "tool": "github.com/huggingface/open_asr_leaderboard and num2words 0.5.14",
        "commits": EDITIONS,
        "command": "python -m tests.golden.make_open_asr CLONE",
        "texts": texts,
        "outputs": outputs,
    }
    path = Path(__file__).with_name("open_asr.json")
    path.write_text(json.dumps(golden, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
