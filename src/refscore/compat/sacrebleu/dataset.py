"""sacrebleu's `dataset`. All its names come from the installed sacrebleu."""
