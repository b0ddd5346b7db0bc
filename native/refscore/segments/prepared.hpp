// References that are numbered once for many hypotheses.
#pragma once

#include <cstdint>
#include <vector>

#include "refscore/segments/segments.hpp"
#include "refscore/segments/slabs.hpp"

namespace refscore {

class PreparedReferences {
  public:
    using Rules = TextRules;
    using Reader = Numberer;

    explicit PreparedReferences(ItemKind kind) : kind_(kind) {}

    // Adds the block's segments.
    void add(const Block& block, Numberer& numberer);
    // Adds the segments of other references of the same kind.
    void append(PreparedReferences&& other);

    ItemKind kind() const { return kind_; }
    // Whether no reference has a token, so no hypothesis of any kind can match.
    bool is_empty() const { return is_empty_; }
    bool takes(ItemKind kind) const {
        return kind == kind_ || (is_empty() && kind_ != ItemKind::Text && kind != ItemKind::Text);
    }
    // Whether tokens read with these rules can be compared with the references.
    bool fits(const TextRules& rules) const {
        return size() == 0 || (has_lines_ == rules.lines && has_alternatives_ == rules.alternatives);
    }
    // The same for texts that are prepared with these rules later.
    static bool fits(const TextRules& prepared, const TextRules& rules) {
        return prepared.lines == rules.lines && prepared.alternatives == rules.alternatives;
    }
    size_t size() const { return segments_.size(); }
    NumberedReferences operator[](size_t segment) const;
    // Prefetches a segment, during the work on the previous one.
    void prefetch(size_t segment) const;

  private:
    // A segment: its tokens, their places, the slots of its vocabulary, the numbers and lengths of its references, and
    // the bytes of tokens that are too long to be stored inline, one after another. Close together, so few cache lines
    // are read.
    struct Entry {
        const uint64_t* data;
        size_t size;  // in words
        size_t slots;
        uint32_t vocabulary_size, numbers, lengths;
        bool has_places;
    };

    ItemKind kind_;
    bool is_empty_ = true;
    bool has_lines_ = false;         // the numbers include kLineEnd
    bool has_alternatives_ = false;  // the numbers include the marks of alternatives
    std::vector<Entry> segments_;
    Slabs slabs_;
};

}  // namespace refscore
