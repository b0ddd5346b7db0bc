"""pycocoevalcap's `pycocoevalcap.rouge`."""
