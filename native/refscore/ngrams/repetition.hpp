// Repetition: the tokens inside loops, in which the same n-gram occurs several times in a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/preconditions.hpp"

namespace refscore {

struct RepetitionSettings {
    size_t max_order = 100;    // the longest n-gram
    size_t repeats = 4;        // occurrences in a row that make a loop
    bool of_segments = false;  // the score is the share of segments with a loop, instead of tokens inside loops

    void check() const {
        require_order(max_order);
        require(repeats >= 2 && repeats <= kMostOrders, "a loop must have from 2 to 1000000 repeats");
    }
};

// A row of statistics; rows can be summed.
struct RepetitionRow {
    static constexpr size_t kColumns = 4;
    size_t looped = 0;  // tokens inside loops
    size_t tokens = 0;
    size_t loops = 0;  // whether there is a loop
    size_t segments = 1;
};

// A longest stretch of tokens [begin, end) in which each equals the one `order` tokens before, and that is long enough.
struct Loop {
    size_t begin;
    size_t end;
    size_t order;
};

// One instance per thread.
class Repetition {
  public:
    RepetitionRow row(const RepetitionSettings& settings, std::span<const uint32_t> tokens);

    // Returns the loops by order and position. Loops of different orders may overlap.
    const std::vector<Loop>& find(const RepetitionSettings& settings, std::span<const uint32_t> tokens);

  private:
    std::vector<Loop> loops_;
};

}  // namespace refscore
