// Errors in the written form of words that are aligned: in punctuation marks, or in case.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/error_rate.hpp"
#include "refscore/distance/weighted_distance.hpp"
#include "refscore/segments/collection.hpp"

namespace refscore {

enum class CountedForm : uint8_t {
    Words,
    Punctuation,  // marks: two marks are aligned at no cost, also different ones
    Case          // of words that are equal without case
};

// Of several alignments with the fewest edits it takes the one of NeMo's punctuation error rate: from the end, equal
// words, then a substitution, then an insertion, then a deletion. One instance per thread.
class FormErrors {
  public:
    // Returns the counts of the reference with the lowest rate, the first of equals: marks that are equal, replaced by
    // others, missing or added, or words with the same and with different case.
    EditCounts count(const NumberedTexts& hypothesis, const NumberedReferences& references, CountedForm form,
                     const Lexicon& marks);

    struct Aligned {
        std::span<const EditRun> runs;
        size_t reference;
    };
    // Returns the alignment with the reference of count(), valid until the next call. A mark is never aligned with a
    // word.
    Aligned align(const NumberedTexts& hypothesis, const NumberedReferences& references, CountedForm form,
                  const Lexicon& marks);

  private:
    // A word's number, and the number under which words are aligned.
    struct Word {
        uint32_t number, aligned;
        bool is_mark;
    };
    void read(const NumberedTexts& hypothesis, const NumberedReferences& references, size_t begin, size_t size,
              CountedForm form, const Lexicon& marks);
    uint32_t lower_number(const Token& token, const uint8_t* arena, bool adds);
    void align_one();
    EditCounts counts(CountedForm form) const;

    std::vector<Word> hypothesis_, reference_;
    Lexicon lower_;
    Buffer<uint8_t> bytes_;
    Buffer<uint32_t> row_;
    std::vector<uint8_t> choices_;
    std::vector<EditRun> runs_;
};

}  // namespace refscore
