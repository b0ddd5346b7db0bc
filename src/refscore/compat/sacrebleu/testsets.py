"""sacrebleu's test sets, which its own package downloads and reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refscore.compat.sacrebleu.original import original

_PURPOSE = "test sets are downloaded and read by"


def _utils() -> Any:
    return original("utils", _PURPOSE)


def dataset() -> Any:
    """The module `dataset` of sacrebleu."""
    return original("dataset", _PURPOSE)


def print_test_set(
    test_set: str,
    langpair: str,
    requested_fields: Sequence[str],
    origlang: str | None = None,
    subset: str | None = None,
) -> None:
    """Prints fields of a test set, separated by tabs."""
    _utils().print_test_set(test_set, langpair, requested_fields, origlang, subset)


def get_source_file(test_set: str, langpair: str) -> str:
    """The file with a test set's source text, downloaded if it is not there.

    Args:
        test_set: Its name, such as "wmt19".
        langpair: The languages, such as "de-en".

    Returns:
        The path.

    Example:
        >>> from refscore.compat import sacrebleu
        >>> sacrebleu.get_source_file("wmt19", "de-en")  # doctest: +SKIP
        '/home/me/.sacrebleu/wmt19/wmt19.de-en.src'
    """
    path: str = _utils().get_source_file(test_set, langpair)
    return path


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files with a test set's references, downloaded if they are not there.

    Args:
        test_set: Its name, such as "wmt19".
        langpair: The languages, such as "de-en".

    Returns:
        The paths.

    Example:
        >>> from refscore.compat import sacrebleu
        >>> sacrebleu.get_reference_files("wmt19", "de-en")  # doctest: +SKIP
        ['/home/me/.sacrebleu/wmt19/wmt19.de-en.ref']
    """
    paths: list[str] = _utils().get_reference_files(test_set, langpair)
    return paths


def get_files(test_set: str, langpair: str) -> list[str]:
    """All files of a test set, downloaded if they are not there."""
    paths: list[str] = _utils().get_files(test_set, langpair)
    return paths


def extract_tarball(filepath: str, destdir: str) -> None:
    """Unpacks an archive."""
    _utils().extract_tarball(filepath, destdir)


def get_md5sum(dest_path: str) -> str:
    """The MD5 sum of a file."""
    found: str = _utils().get_md5sum(dest_path)
    return found


def download_file(
    source_path: str, dest_path: str, extract_to: str | None = None, expected_md5: str | None = None
) -> None:
    """Downloads a file unless it is there, and unpacks it."""
    _utils().download_file(source_path, dest_path, extract_to, expected_md5)


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Downloads a test set.

    Args:
        test_set: Its name, such as "wmt19".
        langpair: The languages, such as "de-en".

    Returns:
        The paths of its files.

    Example:
        >>> from refscore.compat import sacrebleu
        >>> len(sacrebleu.download_test_set("wmt19", "de-en"))  # doctest: +SKIP
        3
    """
    paths: list[str] = _utils().download_test_set(test_set, langpair)
    return paths


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The pairs of languages of a test set.

    Args:
        testset: Its name, such as "wmt19".

    Returns:
        The pairs; none for a test set that does not exist.

    Example:
        >>> from refscore.compat import sacrebleu
        >>> "de-en" in sacrebleu.get_langpairs_for_testset("wmt19")
        True
    """
    pairs: list[str] = _utils().get_langpairs_for_testset(testset)
    return pairs


def get_available_testsets() -> list[str]:
    """The names of all test sets.

    Returns:
        The names, from the last in the alphabet to the first.

    Example:
        >>> from refscore.compat import sacrebleu
        >>> "wmt19" in sacrebleu.get_available_testsets()
        True
    """
    names: list[str] = _utils().get_available_testsets()
    return names


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The names of the test sets of a pair of languages, in either direction."""
    names: list[str] = _utils().get_available_testsets_for_langpair(langpair)
    return names


def get_available_origlangs(test_sets: str | None, langpair: str) -> list[str]:
    """The languages in which parts of test sets were written first."""
    found: list[str] = _utils().get_available_origlangs(test_sets, langpair)
    return found


def get_available_subsets(test_sets: str | None, langpair: str) -> list[str]:
    """The domains and countries that parts of test sets are marked with."""
    found: list[str] = _utils().get_available_subsets(test_sets, langpair)
    return found


def filter_subset(
    systems: list[Any],
    test_sets: str | None,
    langpair: str | None,
    origlang: str | None,
    subset: str | None = None,
) -> list[Any]:
    """Of each list of segments those that are of an original language or a subset."""
    if origlang is None and subset is None:
        return systems
    found: list[Any] = _utils().filter_subset(systems, test_sets, langpair, origlang, subset)
    return found
