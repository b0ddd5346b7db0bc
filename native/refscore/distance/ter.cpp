#include "refscore/distance/ter.hpp"

#include <algorithm>
#include <cstring>

namespace refscore {

TerRow Ter::row(std::span<const uint32_t> hypothesis, const NumberedReferences& references) {
    TerRow row;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
        begin += reference.size();
        double edits = this->edits(hypothesis, reference, references.vocabulary_size);
        if (r == 0 || edits < row.edits) row.edits = edits;
    }
    row.reference_length = static_cast<double>(begin) / static_cast<double>(references.lengths.size());
    return row;
}

uint32_t Ter::edits(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary,
                    std::vector<AppliedMove>* moves) {
    vocabulary_ = vocabulary = renumberer_.renumber(hypothesis, reference, vocabulary);
    reference_ = reference;
    length_ = hypothesis.size();
    if (hypothesis.empty() || reference.empty()) return static_cast<uint32_t>(hypothesis.size() + reference.size());
    uint32_t* words = search_.words(length_);
    std::copy(hypothesis.begin(), hypothesis.end(), words);
    beam_.start(reference, length_, vocabulary);
    uint32_t distance = beam_.keep(words, 0, length_), fewest = fewest_edits();
    if (distance == fewest) return distance;
    beam_.find_places(vocabulary);
    moves_.clear();
    distance = search_.run(beam_, reference.size(), distance, fewest, moves_);
    if (moves != nullptr) moves->insert(moves->end(), moves_.begin(), moves_.end());
    return distance + static_cast<uint32_t>(moves_.size());
}

std::vector<TerEdit> Ter::last_edits() const {
    std::vector<TerEdit> edits;
    if (length_ == 0 || reference_.empty()) {
        edits.assign(length_, TerEdit::Delete);
        edits.insert(edits.end(), reference_.size(), TerEdit::Insert);
        return edits;
    }
    beam_.trace(search_.words(), [&](TerEdit edit, size_t, size_t) { edits.push_back(edit); });
    std::reverse(edits.begin(), edits.end());
    return edits;
}

// A lower bound for any order of the words: the words of the longer side that the other side lacks.
uint32_t Ter::fewest_edits() {
    uint32_t* counts = counts_.reserve(vocabulary_ + size_t{1});
    std::memset(counts, 0, (vocabulary_ + size_t{1}) * sizeof(uint32_t));
    for (uint32_t word : reference_) ++counts[word];
    size_t common = 0;
    for (size_t i = 0; i < length_; ++i) {
        bool found = counts[search_.words()[i]] > 0;
        counts[search_.words()[i]] -= found;
        common += found;
    }
    return static_cast<uint32_t>(std::max(length_, reference_.size()) - common);
}

}  // namespace refscore
