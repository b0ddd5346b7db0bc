// References that are numbered once for many hypotheses.
#pragma once

#include <cstdint>
#include <vector>

#include "refscore/segments/segments.hpp"

namespace refscore {

class PreparedReferences {
  public:
    explicit PreparedReferences(ItemKind kind) : kind_(kind) {}

    // Adds the block's segments.
    void add(const Block& block, Numberer& numberer);
    // Adds the segments of other references of the same kind.
    void append(const PreparedReferences& other);
    // Releases unused capacity.
    void finish();

    ItemKind kind() const { return kind_; }
    // Whether no reference has a token, so no hypothesis of any kind can match.
    bool is_empty() const { return numbers_.empty(); }
    bool takes(ItemKind kind) const {
        return kind == kind_ || (is_empty() && kind_ != ItemKind::Text && kind != ItemKind::Text);
    }
    // Whether tokens read with these rules can be compared with the references.
    bool fits(const TextRules& rules) const {
        return size() == 0 || (has_lines_ == rules.lines && has_alternatives_ == rules.alternatives);
    }
    size_t size() const { return segments_.size(); }
    NumberedReferences operator[](size_t segment) const;

  private:
    struct Entry {
        size_t slots, mask, tokens, vocabulary_size, numbers, numbers_size, lengths, lengths_size;
    };
    ItemKind kind_;
    bool has_lines_ = false;         // the numbers include kLineEnd
    bool has_alternatives_ = false;  // the numbers include the marks of alternatives
    std::vector<Entry> segments_;
    std::vector<uint32_t> slots_;
    std::vector<Token> tokens_;
    std::vector<uint8_t> bytes_;  // of tokens that are too long to be stored inline
    std::vector<uint32_t> numbers_;
    std::vector<uint32_t> lengths_;
};

}  // namespace refscore
