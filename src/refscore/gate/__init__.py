"""Test new outputs against a saved baseline, as `refscore gate` does: did a change make the system worse?"""

from refscore.gate.checking import check
from refscore.gate.criteria import Configuration, Criteria
from refscore.gate.history import History
from refscore.gate.model import Check, Gate, LostSegment
from refscore.lazy_names import lazy_modules as _lazy_modules

__all__ = ["Check", "Configuration", "Criteria", "Gate", "History", "LostSegment", "check"]

__getattr__ = _lazy_modules(__name__, "formats")
