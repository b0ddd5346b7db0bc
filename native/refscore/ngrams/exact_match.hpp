// Exact match: whether a hypothesis has the tokens of one of its references, in the same order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// Calls visit(tokens) for each reference until it returns false. With `skip_empty`, references without tokens are
// skipped if the segment has others.
template <class Visit>
void for_each_answer(const NumberedReferences& references, bool skip_empty, Visit visit) {
    require(!references.lengths.empty(), kNoReference);
    bool skips = skip_empty && !references.tokens.empty();
    size_t begin = 0;
    for (uint32_t length : references.lengths) {
        if (!(skips && length == 0) && !visit(references.tokens.subspan(begin, length))) return;
        begin += length;
    }
}

struct ExactMatchSettings {
    bool skip_empty = false;
};

// Numbers tokens by position, for comparing whole sequences. This needs no hash table, which would take most of the
// time for answers. A hypothesis gets the numbers of the first reference with the same tokens, otherwise only unknown
// ones. Prepared references have a hash table, and hypotheses are then numbered as usual.
class SequenceNumberer : public Numberer {
  public:
    using Numberer::hypothesis;
    using Numberer::Numberer;

    NumberedReferences references(const Block& block, size_t segment);
    std::span<const uint32_t> hypothesis(const Block& block, size_t segment, const NumberedReferences& references);

  private:
    TokenList hypothesis_;
    std::vector<TokenList> references_;
    std::vector<uint32_t> lengths_;
    std::vector<uint32_t> numbers_;  // 1, 2, 3, …
    std::vector<uint32_t> unknown_;  // zeros
};

inline bool is_exact_match(const ExactMatchSettings& settings, std::span<const uint32_t> hypothesis,
                           const NumberedReferences& references) {
    bool is_match = false;
    for_each_answer(references, settings.skip_empty, [&](std::span<const uint32_t> reference) {
        is_match = std::ranges::equal(hypothesis, reference);
        return !is_match;
    });
    return is_match;
}

}  // namespace refscore
