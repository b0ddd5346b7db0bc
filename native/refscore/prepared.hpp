// References numbered once, for many hypotheses.
#pragma once

#include <cstdint>
#include <vector>

#include "segments.hpp"

namespace refscore {

class PreparedReferences {
  public:
    PreparedReferences(ItemKind kind, Tokenizer tokenizer) : kind_(kind), numberer_(tokenizer) {}

    // Adds the block's segments.
    void add(const Block& block);

    ItemKind kind() const { return kind_; }
    size_t size() const { return segments_.size(); }
    NumberedReferences operator[](size_t segment) const;

  private:
    struct Entry {
        size_t slots, mask, tokens, vocabulary_size, numbers, numbers_size, lengths, lengths_size;
    };
    ItemKind kind_;
    Numberer numberer_;
    std::vector<Entry> segments_;
    std::vector<uint32_t> slots_;
    std::vector<Token> tokens_;
    std::vector<uint8_t> bytes_;  // of tokens too long to be their own identity
    std::vector<uint32_t> numbers_;
    std::vector<uint32_t> lengths_;
};

}  // namespace refscore
