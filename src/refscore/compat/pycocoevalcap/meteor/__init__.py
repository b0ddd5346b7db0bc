"""pycocoevalcap's `pycocoevalcap.meteor`."""
