"""pycocoevalcap's `pycocoevalcap.bleu`."""
