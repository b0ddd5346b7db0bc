// Edits under a time constraint: two words can only match, or be a substitution, if their times overlap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/distance/edit_distance.hpp"

namespace refscore {

// Words with the times when they begin and end, in order of the transcript, which may differ from the order of their
// times.
struct TimedWords {
    std::span<const uint32_t> words;
    std::span<const double> begins;
    std::span<const double> ends;

    size_t size() const { return words.size(); }
    TimedWords subspan(size_t begin, size_t size) const {
        return {words.subspan(begin, size), begins.subspan(begin, size), ends.subspan(begin, size)};
    }
    // Throws std::invalid_argument unless there is a pair of finite times for each word.
    void check() const;
};

// Intervals that only touch do not overlap.
inline bool overlaps(const TimedWords& a, size_t i, const TimedWords& b, size_t j) {
    return a.begins[i] < b.ends[j] && b.begins[j] < a.ends[i];
}

// Computes edits under the constraint; one instance per thread.
//
// Only the cells of a table where words may overlap are computed. Beside them, each cell differs from its neighbour by
// one edit.
class TimedEdits {
  public:
    size_t distance(const TimedWords& hypothesis, const TimedWords& reference);
    // Counts the edits of the alignment that meeteval chooses. From the end: a hit or substitution if it is better than
    // both others, else a deletion if it is better than an insertion, else an insertion. If the words of both sides are
    // in order of time, from 0 on, meeteval computes only part of the table, and cells outside of it are never chosen.
    EditCounts count(const TimedWords& hypothesis, const TimedWords& reference);

  private:
    // The columns of a row, from the first to the last that is computed or stored.
    struct Range {
        size_t first, last;
    };
    // The cells of a column are not computed below a row. They grow by one edit per row.
    struct Below {
        size_t row;
        uint32_t value;
    };

    void set_ranges(const TimedWords& hypothesis, const TimedWords& reference);
    void set_visible(const TimedWords& hypothesis, const TimedWords& reference);
    void start();
    void advance(const TimedWords& hypothesis, const TimedWords& reference, size_t row);
    uint32_t value(size_t row, size_t column) const;

    std::vector<size_t> first_, last_;  // scratch memory of set_ranges
    std::vector<Range> ranges_;         // by row; row 0 is before the first reference word
    std::vector<Range> visible_;        // by row: the cells that meeteval computes; empty if it computes all
    std::vector<uint32_t> row_;         // by column: the current row, within its range
    std::vector<Below> below_;          // by column
    std::vector<uint32_t> stored_;      // the rows of a block, within their ranges
    std::vector<size_t> places_;        // by row of the block: the index in `stored_`
    size_t block_begin_ = 0;
};

}  // namespace refscore
