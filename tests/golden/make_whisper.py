"""Compute compression ratios with Whisper's own function, for tests/golden/whisper.json.

    pip download --no-deps --no-binary :all: openai-whisper==20250625
    tar xzf openai_whisper-20250625.tar.gz
    python -m tests.golden.make_whisper openai_whisper-20250625

The package imports PyTorch, so only the module with the function is loaded. Whisper strips texts before it calls it.
"""

import importlib.util
import json
import platform
import sys
import zlib
from pathlib import Path

TARGET = Path(__file__).with_name("whisper.json")
TEXTS = [
    "",
    "a",
    " Thank you.",
    "It rained for three days, and then the boat sank.",
    " Thank you." * 20,
    "so so so so so so so so",
    "ご視聴ありがとうございました。" * 12,
    "Ändern Sie die Einstellungen, ändern Sie sie nicht. " * 5,
    "".join(chr(33 + 7 * k % 90) for k in range(700)),
    " ".join(f"{k} and {k + 1}" for k in range(300)),
]


def main(folder):
    file = Path(folder) / "whisper" / "utils.py"
    spec = importlib.util.spec_from_file_location("whisper_utils", file)
    utils = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(utils)
    content = {
        "tool": {
            "openai-whisper": (Path(folder) / "whisper" / "version.py").read_text().split('"')[1],
            "zlib": zlib.ZLIB_RUNTIME_VERSION,
            "python": platform.python_version(),
        },
        "command": "python -m tests.golden.make_whisper openai_whisper-20250625",
        "ratios": [[text, utils.compression_ratio(text.strip())] for text in TEXTS],
    }
    TARGET.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
