"""An evaluation of speech recognition, written for jiwer, without any reference to refscore."""

import jiwer

references = [
    "the harbour office opens at nine",
    "please bring the blue folder",
    "she didn't hear the second bell",
    "three boats left before noon",
]
hypotheses = [
    "the harbor office opens at nine",
    "please bring blue folder",
    "She did not hear a second bell!",
    "three boats left before noon",
]

print(f"WER {jiwer.wer(references, hypotheses):.6f}")
print(f"MER {jiwer.mer(references, hypotheses):.6f}")
print(f"WIL {jiwer.wil(references, hypotheses):.6f}")
print(f"CER {jiwer.cer(references, hypotheses):.6f}")
for reference, hypothesis in zip(references, hypotheses):  # noqa: B905 - like typical scripts
    print(f"{jiwer.wer(reference, hypothesis):.4f} {hypothesis}")

clean = jiwer.Compose(
    [
        jiwer.ToLowerCase(),
        jiwer.ExpandCommonEnglishContractions(),
        jiwer.RemovePunctuation(),
        jiwer.RemoveMultipleSpaces(),
        jiwer.Strip(),
        jiwer.ReduceToListOfListOfWords(),
    ]
)
output = jiwer.process_words(references, hypotheses, reference_transform=clean, hypothesis_transform=clean)
print(f"cleaned: WER {output.wer:.6f}, {output.substitutions} substitutions, {output.deletions} deletions")
print(jiwer.visualize_alignment(output, skip_correct=True, line_width=60))
print(jiwer.visualize_error_counts(output, top_k=3))
