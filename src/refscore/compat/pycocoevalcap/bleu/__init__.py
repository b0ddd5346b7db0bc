"""pycocoevalcap's `pycocoevalcap.bleu`."""

__all__: list[str] = []
