"""WER and CER: word and character error rates."""
