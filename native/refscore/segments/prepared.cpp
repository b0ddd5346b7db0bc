#include "refscore/segments/prepared.hpp"

namespace refscore {

void PreparedReferences::add(const Block& block, Numberer& numberer) {
    has_lines_ = numberer.rules().lines;
    has_alternatives_ = numberer.rules().alternatives;
    for (size_t i = 0; i + 1 < block.reference_starts.size(); ++i) {
        NumberedReferences references = numberer.references(block, i);
        const VocabularyView& vocabulary = references.vocabulary;
        // 3 to 6 slots per token instead of the 8 to 16 of a temporary segment, because these stay in memory.
        size_t slots = 4;
        while (slots < 3 * size_t{references.vocabulary_size}) slots *= 2;
        segments_.push_back({slots_.size(), slots - 1, tokens_.size(), references.vocabulary_size, numbers_.size(),
                             references.tokens.size(), lengths_.size(), references.lengths.size()});
        slots_.resize(slots_.size() + slots);
        fill_slots(vocabulary.tokens, references.vocabulary_size, slots_.data() + slots_.size() - slots,
                   static_cast<uint32_t>(slots - 1));
        for (uint32_t n = 0; n <= references.vocabulary_size; ++n) {
            Token token = vocabulary.tokens[n];
            if (token.is_long()) {
                const uint8_t* bytes = vocabulary.arena + token.high;
                token.high = bytes_.size();
                bytes_.insert(bytes_.end(), bytes, bytes + token.size);
            }
            tokens_.push_back(token);
        }
        numbers_.insert(numbers_.end(), references.tokens.begin(), references.tokens.end());
        lengths_.insert(lengths_.end(), references.lengths.begin(), references.lengths.end());
    }
}

void PreparedReferences::append(const PreparedReferences& other) {
    has_lines_ = other.has_lines_;
    has_alternatives_ = other.has_alternatives_;
    for (Entry entry : other.segments_) {
        entry.slots += slots_.size();
        entry.tokens += tokens_.size();
        entry.numbers += numbers_.size();
        entry.lengths += lengths_.size();
        segments_.push_back(entry);
    }
    for (Token token : other.tokens_) {
        if (token.is_long()) token.high += bytes_.size();
        tokens_.push_back(token);
    }
    slots_.insert(slots_.end(), other.slots_.begin(), other.slots_.end());
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    numbers_.insert(numbers_.end(), other.numbers_.begin(), other.numbers_.end());
    lengths_.insert(lengths_.end(), other.lengths_.begin(), other.lengths_.end());
}

void PreparedReferences::finish() {
    segments_.shrink_to_fit();
    slots_.shrink_to_fit();
    tokens_.shrink_to_fit();
    bytes_.shrink_to_fit();
    numbers_.shrink_to_fit();
    lengths_.shrink_to_fit();
}

NumberedReferences PreparedReferences::operator[](size_t segment) const {
    const Entry& entry = segments_[segment];
    return {
        {slots_.data() + entry.slots, static_cast<uint32_t>(entry.mask), tokens_.data() + entry.tokens, bytes_.data()},
        static_cast<uint32_t>(entry.vocabulary_size),
        {numbers_.data() + entry.numbers, entry.numbers_size},
        {lengths_.data() + entry.lengths, entry.lengths_size},
        kind_};
}

}  // namespace refscore
