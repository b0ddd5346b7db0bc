"""CIDEr and CIDEr-D: the metric, its presets and its worked steps."""
