"""pycocoevalcap's `pycocoevalcap.spice`."""
