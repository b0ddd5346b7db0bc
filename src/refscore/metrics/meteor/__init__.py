"""METEOR: the metric, its presets and its worked steps."""
