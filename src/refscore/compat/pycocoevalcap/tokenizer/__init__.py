"""pycocoevalcap's `pycocoevalcap.tokenizer`."""
