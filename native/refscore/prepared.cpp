#include "prepared.hpp"

namespace refscore {

void PreparedReferences::add(const Block& block) {
    for (size_t i = 0; i + 1 < block.reference_starts.size(); ++i) {
        NumberedReferences made = numberer_.references(block, i);
        const VocabularyView& vocabulary = made.vocabulary;
        segments_.push_back({slots_.size(), vocabulary.mask, tokens_.size(), made.vocabulary_size, numbers_.size(), made.tokens.size(),
                             lengths_.size(), made.lengths.size()});
        slots_.insert(slots_.end(), vocabulary.slots, vocabulary.slots + vocabulary.mask + 1);
        for (uint32_t n = 0; n <= made.vocabulary_size; ++n) {
            Token token = vocabulary.tokens[n];
            if (token.is_long()) {
                const uint8_t* bytes = vocabulary.arena + token.high;
                token.high = bytes_.size();
                bytes_.insert(bytes_.end(), bytes, bytes + token.size);
            }
            tokens_.push_back(token);
        }
        numbers_.insert(numbers_.end(), made.tokens.begin(), made.tokens.end());
        lengths_.insert(lengths_.end(), made.lengths.begin(), made.lengths.end());
    }
}

NumberedReferences PreparedReferences::operator[](size_t segment) const {
    const Entry& entry = segments_[segment];
    return {{slots_.data() + entry.slots, static_cast<uint32_t>(entry.mask), tokens_.data() + entry.tokens, bytes_.data()},
            static_cast<uint32_t>(entry.vocabulary_size),
            {numbers_.data() + entry.numbers, entry.numbers_size},
            {lengths_.data() + entry.lengths, entry.lengths_size}};
}

}  // namespace refscore
