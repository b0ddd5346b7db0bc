from __future__ import annotations

import contextlib
import io
from typing import Any

from refscore.errors import InputError, NotInstalledError, SettingError, UnknownNameError


def reference_files(test_set: str, languages: str | None) -> list[str]:
    """Return the reference files of a test set (wmt23) for a language pair (en-de), downloading them if needed."""
    try:
        from sacrebleu.dataset import DATASETS
    except ModuleNotFoundError:
        raise NotInstalledError(
            "test sets need the sacrebleu package, which is not installed: pip install 'refscore[testsets]'"
        ) from None
    if test_set not in DATASETS:
        raise UnknownNameError.suggest("test set", test_set, DATASETS)
    dataset: Any = DATASETS[test_set]
    known = sorted(dataset.langpairs)
    if languages is None:
        raise SettingError(f"-t {test_set} needs -l: add a language pair (there are: {', '.join(known)})")
    if languages not in known:
        raise UnknownNameError.suggest(f"language pair of {test_set}", languages, known)
    try:
        # sacrebleu prints its downloads to stderr, and exits if one fails.
        with contextlib.redirect_stderr(io.StringIO()):
            return [str(path) for path in dataset.get_reference_files(languages)]
    except (Exception, SystemExit) as error:
        reason = str(error) if isinstance(error, OSError) and str(error) else "the download failed"
        raise InputError(
            None,
            f"cannot get the test set {test_set} {languages} ({reason})",
            "connect to the network, or name reference files with -r",
        ) from None
