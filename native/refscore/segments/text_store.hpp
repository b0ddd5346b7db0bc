// Copies of texts that are read again later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "refscore/segments/segments.hpp"
#include "refscore/segments/slabs.hpp"

namespace refscore {

// The references of segments of text, unchanged.
class TextStore {
  public:
    // Adds the references of a block of text.
    void add(const Block& block);
    // Adds the segments of another store.
    void append(TextStore&& other);
    size_t size() const { return starts_.size() - 1; }
    // Adds views of consecutive segments to a block, as its references.
    void load(size_t begin, size_t end, Block& block) const;

  private:
    std::vector<TextView> texts_;
    std::vector<size_t> starts_{0};  // by segment, in texts_
    const uint16_t* lower_ = nullptr;
    Slabs slabs_;
};

}  // namespace refscore
