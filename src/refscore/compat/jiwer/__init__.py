"""jiwer over refscore: the names, arguments, defaults and numbers of jiwer 4.0.

`from refscore.compat import jiwer` takes the place of `import jiwer`; `refscore.compat.install("jiwer")` does it for
code that is not to be changed. jiwer itself is not needed. Words and alignments of an output are made when they are
first asked for.
"""

from refscore.compat.jiwer.alignment import collect_error_counts, visualize_alignment, visualize_error_counts
from refscore.compat.jiwer.measures import cer, mer, wer, wil, wip
from refscore.compat.jiwer.process import (
    AlignmentChunk,
    CharacterOutput,
    WordOutput,
    process_characters,
    process_words,
)
from refscore.compat.jiwer.transformations import (
    cer_contiguous,
    cer_default,
    wer_contiguous,
    wer_default,
    wer_standardize,
    wer_standardize_contiguous,
)
from refscore.compat.jiwer.transforms import (
    AbstractTransform,
    Compose,
    ExpandCommonEnglishContractions,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    ReduceToSingleSentence,
    RemoveEmptyStrings,
    RemoveKaldiNonWords,
    RemoveMultipleSpaces,
    RemovePunctuation,
    RemoveSpecificWords,
    RemoveWhiteSpace,
    Strip,
    SubstituteRegexes,
    SubstituteWords,
    ToLowerCase,
    ToUpperCase,
)

__all__ = [
    "AbstractTransform",
    "AlignmentChunk",
    "CharacterOutput",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
    "WordOutput",
    "cer",
    "cer_contiguous",
    "cer_default",
    "collect_error_counts",
    "mer",
    "name",
    "process_characters",
    "process_words",
    "visualize_alignment",
    "visualize_error_counts",
    "wer",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
    "wil",
    "wip",
]

name = "jiwer"
