#include "refscore/ngrams/exact_match.hpp"

namespace refscore {
namespace {

bool same_tokens(const TokenList& one, const TokenList& other) {
    if (one.tokens.size() != other.tokens.size()) return false;
    for (size_t i = 0; i < one.tokens.size(); ++i)
        if (!same_token(one.tokens[i], one.arena.data(), other.tokens[i], other.arena.data())) return false;
    return true;
}

}  // namespace

NumberedReferences SequenceNumberer::references(const Block& block, size_t segment) {
    size_t first = block.reference_starts[segment], last = block.reference_starts[segment + 1];
    require(first < last, kNoReference);
    if (references_.size() < last - first) references_.resize(last - first);
    lengths_.clear();
    size_t total = 0;
    for (size_t r = first; r < last; ++r) {
        read_reference(block, r, references_[r - first]);
        lengths_.push_back(static_cast<uint32_t>(references_[r - first].tokens.size()));
        total += lengths_.back();
    }
    if (total > UINT32_MAX) throw TooLarge();
    while (numbers_.size() < total) numbers_.push_back(static_cast<uint32_t>(numbers_.size() + 1));
    return {VocabularyView{}, static_cast<uint32_t>(total), {numbers_.data(), total}, lengths_, block.kind};
}

std::span<const uint32_t> SequenceNumberer::hypothesis(const Block& block, size_t segment,
                                                       const NumberedReferences& references) {
    if (references.vocabulary.slots != nullptr) return Numberer::hypothesis(block, segment, references);
    read_hypothesis(block, segment, hypothesis_);
    size_t begin = 0;
    for (size_t r = 0; r < lengths_.size(); ++r) {
        if (same_tokens(hypothesis_, references_[r])) return references.tokens.subspan(begin, lengths_[r]);
        begin += lengths_[r];
    }
    if (unknown_.size() < hypothesis_.tokens.size()) unknown_.resize(hypothesis_.tokens.size(), kUnknown);
    return {unknown_.data(), hypothesis_.tokens.size()};
}

}  // namespace refscore
