#include "refscore/ngrams/word_matching.hpp"

#include <algorithm>

namespace refscore {

void WordMatcher::begin(size_t hypothesis, size_t reference) {
    size_ = hypothesis_left_ = hypothesis;
    reference_left_ = reference;
    words_.reserve(hypothesis);
    hypothesis_.reserve(hypothesis);
    for (size_t i = 0; i < hypothesis; ++i) {
        words_[i] = {0, MatchStage::None};
        hypothesis_[i] = static_cast<uint32_t>(i);
    }
    reference_.reserve(reference);
    earlier_.reserve(reference);
    std::fill_n(is_taken_.reserve(reference), reference, false);
    for (size_t j = 0; j < reference; ++j) reference_[j] = static_cast<uint32_t>(j);
}

void WordMatcher::keep_unmatched() {
    size_t kept = 0;
    for (size_t k = 0; k < hypothesis_left_; ++k) {
        hypothesis_[kept] = hypothesis_[k];
        kept += words_[hypothesis_[k]].stage == MatchStage::None;
    }
    hypothesis_left_ = kept;
    kept = 0;
    for (size_t k = 0; k < reference_left_; ++k) {
        reference_[kept] = reference_[k];
        kept += !is_taken_[reference_[k]];
    }
    reference_left_ = kept;
}

size_t WordMatcher::chunks() const {
    size_t found = 0;
    uint64_t expected = UINT64_MAX;  // the rank that would continue a run
    for (size_t i = 0; i < size_; ++i) {
        bool matched = words_[i].stage != MatchStage::None;
        found += matched && words_[i].rank != expected;
        expected = matched ? uint64_t{words_[i].rank} + 1 : UINT64_MAX;
    }
    return found;
}

}  // namespace refscore
