"""pycocoevalcap's `pycocoevalcap.cider`."""

__all__: list[str] = []
