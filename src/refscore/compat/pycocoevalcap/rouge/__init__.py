"""pycocoevalcap's `pycocoevalcap.rouge`."""

__all__: list[str] = []
