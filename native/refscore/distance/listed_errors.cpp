#include "refscore/distance/listed_errors.hpp"

namespace refscore {

EditCounts count_listed_errors(const NumberedTexts& hypothesis, const NumberedReferences& references, bool alternatives,
                               const Lexicon& words, CountedWords counted, ErrorScratch& scratch) {
    if (references.kind == ItemKind::Ids)
        throw InputError(std::nullopt, "the tokens are integers, but the listed words are strings",
                         "pass text, or tokens that are strings");
    AlignedReference aligned = align_best(hypothesis.numbers, references, alternatives, scratch);
    const VocabularyView& vocabulary = references.vocabulary;
    auto counts_here = [&](const Token& token, const uint8_t* arena) {
        return (words.find(token, arena) != kUnknown) == (counted == CountedWords::Listed);
    };
    EditCounts counts;
    size_t ref = 0, hyp = 0;
    for (Edit edit : aligned.edits) {
        bool is_counted = edit == Edit::Insertion
                              ? counts_here(hypothesis.texts.tokens[hyp], hypothesis.texts.arena)
                              : counts_here(vocabulary.tokens[aligned.words[ref]], vocabulary.arena);
        switch (edit) {
            case Edit::Hit: counts.hits += is_counted; break;
            case Edit::Substitution: counts.substitutions += is_counted; break;
            case Edit::Deletion: counts.deletions += is_counted; break;
            case Edit::Insertion: counts.insertions += is_counted; break;
        }
        ref += edit != Edit::Insertion;
        hyp += edit != Edit::Deletion;
    }
    return counts;
}

}  // namespace refscore
