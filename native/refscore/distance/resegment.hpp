// Cuts a hypothesis into as many segments as the references have, with the fewest edits in total.
//
// The cost of a segment is the edit distance to the closest of its references. With one reference per segment, the cuts
// are read from the alignment of the whole texts (see edit_distance.hpp). With several, costs[s][j] is the least cost
// of the first s segments on the first j hypothesis tokens. Neighboring values differ by at most one, because each
// reference's values do and the least of them is taken. So the bit-parallel rows of an edit distance compute one column
// from the previous one. If cuts are forbidden at some positions, values can differ by more. Then columns are computed
// value by value, unless the best cuts are allowed anyway.
//
// If the columns need much memory, they are stored for one block of segments at a time, and for the beginning of each
// block. With s segments and j tokens, that is about 2 * sqrt(s) * j values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/edit_distance.hpp"
#include "refscore/simd/strip_rows.hpp"

namespace refscore {

// Where punctuation at a cut belongs.
enum class PunctuationSide : uint8_t { None, Closing, Opening };

struct ResegmentInput {
    std::span<const uint32_t> hypothesis;     // from 0 to `vocabulary`; 0 is in no reference
    std::span<const uint32_t> tokens;         // of all references, from 1 to `vocabulary`
    std::span<const int64_t> reference_ends;  // where each reference ends in `tokens`
    std::span<const int64_t>
        segment_ends;  // where each segment ends in `reference_ends`; it has at least one reference
    uint32_t vocabulary = 0;
    std::span<const uint8_t>
        allowed;  // by position, from 0 to the hypothesis' size: may a cut be here? Empty: anywhere
    std::span<const PunctuationSide> sides;  // by hypothesis token; empty: no punctuation
};

// The end of each segment in the hypothesis, and its cost.
struct Cuts {
    std::vector<int64_t> ends;
    std::vector<int64_t> costs;
};

class Resegmenter {
  public:
    explicit Resegmenter(const StripRows& rows = kStripRows) : edits_(rows) {}

    // Of the cuts with the least cost, returns the latest: the last cut is as late as possible, then the one before it,
    // and so on. `earliest` starts with the first cut, as early as possible. `by_segments` uses the algorithm for
    // several references always.
    //
    // Then a cut moves over closing punctuation after it, or over opening punctuation before it, unless that raises the
    // cost.
    Cuts cut(const ResegmentInput& input, bool earliest = false, bool by_segments = false);

  private:
    struct Segment {
        size_t first, last;  // its references
    };

    void read(const ResegmentInput& input, bool reversed);
    std::span<const uint32_t> reference(size_t index) const;
    bool is_allowed(std::span<const int64_t> ends) const;
    std::vector<int64_t> by_alignment();
    std::vector<int64_t> by_columns(bool masked);
    void next_column(size_t segment, size_t rows, const int32_t* before, int32_t* after, bool masked);
    void bit_parallel_column(std::span<const uint32_t> reference, size_t rows, const int32_t* before, int32_t* after);
    void masked_column(std::span<const uint32_t> reference, size_t rows, const int32_t* before, int32_t* after);
    size_t begin_of(size_t segment, size_t end, const int32_t* before, int32_t cost);
    void run_reference(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint8_t* carries);
    int64_t cost_of(const ResegmentInput& input, size_t segment, size_t begin, size_t end);
    void move_over_punctuation(const ResegmentInput& input, Cuts& cuts);

    EditDistance edits_;
    StripMasks masks_;
    uint32_t vocabulary_ = 0;
    // The input, in reverse for the earliest cuts.
    std::vector<uint32_t> hypothesis_;
    std::vector<uint32_t> backwards_;  // the hypothesis from its end
    std::vector<uint32_t> tokens_;
    std::vector<size_t> reference_ends_;
    std::vector<Segment> segments_;
    std::vector<uint8_t> allowed_;
    Buffer<uint8_t> carries_;
    Buffer<int32_t> column_;
    std::vector<uint32_t> reversed_reference_;
};

}  // namespace refscore
