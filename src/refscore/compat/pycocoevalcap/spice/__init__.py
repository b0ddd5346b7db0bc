"""pycocoevalcap's `pycocoevalcap.spice`."""

__all__: list[str] = []
