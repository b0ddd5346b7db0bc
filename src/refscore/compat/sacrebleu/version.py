"""The version of sacrebleu whose interface and numbers these are."""

__all__ = ["__version__", "__version_tuple__", "version", "version_tuple"]

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
