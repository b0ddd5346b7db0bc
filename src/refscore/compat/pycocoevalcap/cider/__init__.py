"""pycocoevalcap's `pycocoevalcap.cider`."""
