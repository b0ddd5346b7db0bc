"""Drop-ins: the interfaces of other libraries on refscore, and `install`, which overrides the libraries."""

from refscore.compat.overrides import LIBRARIES as _LIBRARIES, install, uninstall
from refscore.compat.strictness import DropInWarning
from refscore.data_warnings import keep_silent as _keep_silent
from refscore.lazy_names import lazy_modules as _lazy_modules

__all__ = ["DropInWarning", "install", "uninstall"]

_keep_silent(__name__)  # drop-ins warn about what the originals warn about

__getattr__ = _lazy_modules(__name__, *_LIBRARIES, "sacrebleu_r")  # the module of a library is imported on first use
