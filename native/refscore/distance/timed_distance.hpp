// The edit distance of subtitles within a beam, as SubER defines it: words align only if their cues overlap in time,
// and line breaks only align with line breaks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/beam_distance.hpp"
#include "refscore/segments/token_positions.hpp"

namespace refscore {

// A word or a line break, with the times of its cue in microseconds.
struct TimedWord {
    uint32_t number;  // 0 if the references lack it
    bool is_break;
    int64_t start;
    int64_t end;

    bool may_align(const TimedWord& other) const {
        return is_break == other.is_break && (start < other.end) == (other.start < end);
    }
};

// One instance per thread. Words of the hypothesis are named by their indexes in `hypothesis`, so they take their times
// along when they move.
class TimedDistance {
  public:
    // Neither side may be empty.
    void start(std::span<const TimedWord> hypothesis, std::span<const TimedWord> reference, uint32_t vocabulary);

    // These are like those of BeamDistance.
    uint32_t keep(const uint32_t* words, size_t begin, size_t end);
    uint32_t after(const uint32_t* words, const BlockMove& move, uint32_t most);
    void find_free_words(const uint32_t*) const {}
    uint32_t fewest_after(const uint32_t*, const BlockMove&) const { return 0; }
    template <class Visit>
    void trace(const uint32_t* words, Visit visit) const;

    bool equal(uint32_t word, uint32_t place) const {
        const TimedWord &own = hypothesis_[word], &other = reference_[place];
        return own.number == other.number && own.may_align(other);
    }
    std::span<const uint32_t> places_of(uint32_t word) const { return positions_.of(hypothesis_[word].number); }

    // At least the distance if no path leads through the beam, which only happens if the lengths differ by a factor of
    // about 200.
    static constexpr uint32_t kFar = 1u << 30;

  private:
    // The beam width of SubER; part of the metric's definition. sacrebleu's TER has 25.
    static constexpr size_t kBeam = 100;
    // At most 16 MiB of costs are computed in advance.
    static constexpr size_t kTable = 1 << 24;

    // A row of the distance matrix: the columns from `base` to `end`.
    struct Limit {
        uint32_t base;
        uint32_t end;
        size_t first;  // of the cells in the kept rows
    };

    const uint8_t* costs(uint32_t word);
    void fill_costs(uint32_t word, uint8_t* out) const;
    void next_row(size_t row, uint32_t word, const uint32_t* above, uint32_t* cells);
    uint32_t least(size_t row, const uint32_t* cells) const;
    bool is_parallel(size_t row, const uint32_t* cells, uint32_t& distance) const;
    uint32_t cell(size_t row, size_t column) const {
        const Limit& limit = limits_[row];
        return column >= limit.base && column < limit.end ? kept_[limit.first + column - limit.base] : kFar;
    }
    TerEdit edit_at(const uint32_t* words, size_t i, size_t j) const;

    std::span<const TimedWord> hypothesis_;
    std::span<const TimedWord> reference_;
    TokenPositions positions_;
    std::vector<uint32_t> numbers_;  // of the reference
    std::vector<Limit> limits_;
    Buffer<uint32_t> kept_;
    uint32_t kept_distance_ = 0;
    bool has_table_ = false;
    Buffer<uint8_t> table_;  // by word and place: kEqual, kSubstitute or kForbidden
    Buffer<uint8_t> costs_;
    Buffer<uint32_t> row_, other_row_;
};

template <class Visit>
void TimedDistance::trace(const uint32_t* words, Visit visit) const {
    for (size_t i = hypothesis_.size(), j = reference_.size(); i > 0 || j > 0;) {
        TerEdit edit = i == 0 ? TerEdit::Insert : j == 0 ? TerEdit::Delete : edit_at(words, i, j);
        visit(edit, i, j);
        i -= edit != TerEdit::Insert;
        j -= edit != TerEdit::Delete;
    }
}

}  // namespace refscore
