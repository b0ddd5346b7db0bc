"""Token F1: the metric, its presets and its worked steps."""
