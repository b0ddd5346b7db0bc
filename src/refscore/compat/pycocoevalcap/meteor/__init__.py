"""pycocoevalcap's `pycocoevalcap.meteor`."""

__all__: list[str] = []
