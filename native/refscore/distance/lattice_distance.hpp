// The edit distance between a hypothesis and a reference with alternatives (see reference_markup.hpp).
//
// The reference is a lattice: a graph of words from one beginning to one end. Of all its paths, the one with the fewest
// errors counts. Of several, the one with the most hits; then the longest, which has the most substitutions; then the
// first as written. The first three determine all counts, so counting needs no path: each cell of the table contains
// errors, hits and substitutions in one number, and the smaller number is better. The table has one row per word, and
// the rows of alternatives are joined at their end. The time is proportional to the number of words, not of paths.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/base/input_error.hpp"
#include "refscore/distance/edit_distance.hpp"

namespace refscore {

// Whether a reference has alternatives.
bool has_marks(std::span<const uint32_t> reference);

// Throws an InputError unless all braces are paired and not nested too deeply. Its location is reference `r`, or the
// only one.
void check_marks(std::span<const uint32_t> reference, size_t r, bool is_only);

// One instance per thread.
class LatticeDistance {
  public:
    // Alternatives within alternatives. NIST's references have two or three levels; each needs two rows of memory.
    static constexpr size_t kMostLevels = 32;

    // Counts the best path. `reference` contains words from 1 and marks that check_marks() accepts.
    EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

    // Returns the edits of the best path in order, valid until the next call. path() then returns its words.
    std::span<const Edit> align(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);
    std::span<const uint32_t> path() const { return path_; }

  private:
    template <class Word, class Close>
    const int64_t* run(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, Word word,
                       Close close);

    Buffer<int64_t> current_, next_;
    std::vector<Buffer<int64_t>> starts_,
        bests_;  // by level: the row before the alternatives, and the best row of their ends
    std::vector<Edit> edits_;
    std::vector<uint32_t> path_;
};

}  // namespace refscore
