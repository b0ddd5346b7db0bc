"""In a subinterpreter, importing refscore raises a clear error before anything is loaded."""

import sys

import pytest

from tests.children import printed_by

CODE = """
import sys
try:
    import _interpreters as interpreters
    run = interpreters.exec
except ImportError:
    import _xxsubinterpreters as interpreters
    run = interpreters.run_string
if {first!r}:
    import refscore
code = '''
import sys
sys.path[:] = {path!r}
try:
    import refscore
except ImportError as error:
    print(error, flush=True)
print("numpy" in sys.modules, flush=True)
'''
run(interpreters.create(), code)
import refscore
print(refscore.bleu(["a b c d"], ["a b c d"]).value)
"""


@pytest.mark.parametrize("first", [True, False])
def test_importing_it_is_refused(first):
    pytest.importorskip("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
    code = CODE.format(first=first, path=sys.path)
    said, numpy, value = printed_by("-c", code).splitlines()
    assert said.startswith("refscore cannot be imported in a subinterpreter")
    assert (numpy, value) == ("False", "1.0")
