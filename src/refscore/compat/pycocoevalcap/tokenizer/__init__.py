"""pycocoevalcap's `pycocoevalcap.tokenizer`."""

__all__: list[str] = []
