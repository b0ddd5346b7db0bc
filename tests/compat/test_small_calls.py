"""The benchmark of small calls: it times every public function of the drop-ins, with equal results."""

import importlib
import pkgutil

import pytest

from bench import small_calls
from refscore import compat
from refscore.compat.overrides import LIBRARIES

# Functions that are not called for a segment, and names that are not functions.
NOT_TIMED = {
    "editdistance": "",
    "jiwer": "AbstractTransform CharacterOutput WordOutput name",
    "nltk": "bleu chrf gleu meteor nist ribes",  # modules
    "pycocoevalcap": "COCOEvalCap Meteor PTBTokenizer Spice",  # Java programs, and a set of captions
    "rouge": "FilesRouge",
    "rouge_chinese": "FilesRouge",
    "rouge_score": "BaseScorer Tokenizer",  # base classes
    "sacrebleu": "BaseTokenizer BLEUScore CHRFScore TERScore DATASETS METRICS SACREBLEU_DIR __version__ "
    "__version_tuple__ download_test_set get_available_testsets get_langpairs_for_testset "
    "get_reference_files get_source_file smart_open version version_tuple",
    "torchmetrics": "RIBESScore RowsScore functional ribes_score text",  # only refscore has these
}


def test_every_library_is_timed_or_has_a_reason():
    assert {*LIBRARIES} - {*small_calls.LIBRARIES} == {"evaluate", "lighteval", "lm_eval", "lmms_eval"}
    assert {*small_calls.LIBRARIES} == {*NOT_TIMED}


@pytest.mark.parametrize("library", small_calls.LIBRARIES)
def test_every_public_function_is_timed(library):
    pytest.importorskip(library)
    package = importlib.import_module(f"{compat.__name__}.{library}")
    names = {*getattr(package, "__all__", ())}
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            names |= {*getattr(importlib.import_module(module.name), "__all__", ())}
    timed = " ".join(call.name for call in small_calls.LIBRARIES[library]())
    lacking = {name for name in names if name not in timed} - {*NOT_TIMED[library].split()}
    assert not lacking


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", small_calls.LIBRARIES)
def test_equal_results(library):
    pytest.importorskip(library)
    for call in small_calls.LIBRARIES[library]():
        for length in small_calls.LENGTHS[:2]:
            assert not small_calls.ratio(call, length, 1)[2], (call.module, call.name, length)
