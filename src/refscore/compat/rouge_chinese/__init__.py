"""rouge-chinese on refscore, with the names, arguments, defaults and numbers of rouge-chinese 1.0.3."""

from refscore.compat.overrides import take_missing_names as _take_missing_names
from refscore.compat.rouge_chinese.rouge import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]

_take_missing_names(__name__)
