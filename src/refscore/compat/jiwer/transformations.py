"""jiwer's `jiwer.transformations`: the chains of transforms that its measures apply unless told otherwise."""

from __future__ import annotations

from refscore.compat.jiwer import transforms

__all__ = [
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]


def _trimmed() -> list[transforms.AbstractTransform]:
    return [transforms.RemoveMultipleSpaces(), transforms.Strip()]


def _standardized() -> list[transforms.AbstractTransform]:
    return [
        transforms.ToLowerCase(),
        transforms.ExpandCommonEnglishContractions(),
        transforms.RemoveKaldiNonWords(),
        transforms.RemoveWhiteSpace(replace_by_space=True),
        *_trimmed(),
    ]


wer_default = transforms.Compose([*_trimmed(), transforms.ReduceToListOfListOfWords()])
"""Words, for sentences that go together one by one."""

wer_contiguous = transforms.Compose(
    [*_trimmed(), transforms.ReduceToSingleSentence(), transforms.ReduceToListOfListOfWords()]
)
"""Words of all sentences joined, where references and hypotheses are cut differently."""

wer_standardize = transforms.Compose([*_standardized(), transforms.ReduceToListOfListOfWords()])
"""Words in lower case, with contractions written out and without what is no word."""

wer_standardize_contiguous = transforms.Compose(
    [*_standardized(), transforms.ReduceToSingleSentence(), transforms.ReduceToListOfListOfWords()]
)
"""The same of all sentences joined."""

cer_default = transforms.Compose([transforms.Strip(), transforms.ReduceToListOfListOfChars()])
"""Characters, for sentences that go together one by one."""

cer_contiguous = transforms.Compose(
    [transforms.Strip(), transforms.ReduceToSingleSentence(), transforms.ReduceToListOfListOfChars()]
)
"""Characters of all sentences joined."""
