// The edits of one speaker's words, counted as meeteval counts them.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/edit_distance.hpp"

namespace refscore {

// Counts the fewest edits that turn a reference into a hypothesis; one instance per thread.
//
// Of several optimal alignments it chooses the one of kaldialign, and therefore of meeteval. From the end: an insertion
// where possible, else a deletion, else a hit or substitution. `EditDistance` chooses the one of rapidfuzz instead.
class KaldiEdits {
  public:
    // Tokens are from 1 to `vocabulary`.
    EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);

  private:
    // The differences of neighbouring cells of one column, 64 rows at a time: bits are set where the cell is larger
    // by 1.
    struct Column {
        uint64_t above;  // than the cell of the previous row
        uint64_t left;   // than the cell of the previous column
    };

    void set_masks(std::span<const uint32_t> strip);
    void clear_masks(std::span<const uint32_t> strip);
    template <class Visit>
    void run_strip(std::span<const uint32_t> hypothesis, const uint8_t* above, Visit visit);

    Buffer<uint64_t> masks_;  // by token: its positions in the strip; all 0 between strips
    size_t tokens_ = 0;
    Buffer<uint8_t> carries_;  // by strip and column: the difference that the strip passes on
    Buffer<Column> columns_;
};

}  // namespace refscore
