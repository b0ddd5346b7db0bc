"""Scripts written for the libraries run unchanged and print the same with refscore, even without the library."""

import pytest

from tests.compat.programs import EXAMPLES, check_script, run

MISSING = {
    "jiwer": ["jiwer", "rapidfuzz"],
    "nltk": ["nltk"],
    "rouge_score": ["rouge_score", "nltk", "absl"],
    "sacrebleu": ["sacrebleu"],
}


@pytest.mark.parametrize("library", MISSING)
def test_the_same_is_printed(library, capsys):
    output = check_script(library, capsys)
    code = f"""
        import runpy, sys
        class Refusing:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in {MISSING[library]}:
                    raise ModuleNotFoundError(name, name=name)
        sys.meta_path.insert(0, Refusing())
        from refscore import compat
        compat.install("{library}")
        runpy.run_path({str(EXAMPLES / f"{library}_script.py")!r})
        compat.uninstall("{library}")
        try:
            import {library}
        except ModuleNotFoundError:
            print("gone")
    """
    assert run(code).splitlines() == [*output.splitlines(), "gone"]
