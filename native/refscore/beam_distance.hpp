// The edit distance of word sequences to one reference, along paths near the diagonal, as in sacrebleu's TER. After a block move,
// all rows before the block are reused from the cached sequence.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "token_positions.hpp"

namespace refscore {

// The edits that turn the hypothesis into the reference.
enum class TerEdit : uint8_t { Match, Substitute, Insert, Delete };

// Removes `length` words at `begin` and inserts them so that the first one is at position `to`.
struct BlockMove {
    uint32_t begin;
    uint32_t length;
    uint32_t to;
};

void apply(const BlockMove& move, uint32_t* words);

// Row i of the distance matrix belongs to the first i words. Its cells within the beam are the columns from `base` to `end`.
// Neighbouring cells differ by -1, 0 or 1, so a row fits into two 64-bit words (Myers 1999, Hyyrö 2003), with column base + b at
// bit b. Cells outside the beam must never beat those inside:
// - On the left, the cell before the base counts as base + 1, so a deletion is never worse.
// - On the right, cells count as insertions, and no match may begin there.
// References longer than 50 times the hypothesis need a wider beam; run_wide() then computes the cells one by one.
class BeamDistance {
  public:
    // All following sequences have `length` words, numbered up to `vocabulary`. Neither side may be empty.
    void start(std::span<const uint32_t> reference, size_t length, uint32_t vocabulary);

    // Returns the distance of the words and caches their rows. The first `unchanged` words must equal those cached before.
    uint32_t keep(const uint32_t* words, size_t unchanged);

    // Returns the distance after moving a block of the cached words.
    uint32_t after(const uint32_t* words, const BlockMove& move);

    // Calls visit(edit, i, j) for the cached words, from the last edit to the first. i and j are the numbers of words up to the
    // end of the edit, on each side. Ties: a match before a substitution, then a deletion, then an insertion.
    template <class Visit>
    void trace(const uint32_t* words, Visit visit) const;

  private:
    static constexpr size_t kBeam = 25;   // sacrebleu's (and tercom's) beam width; part of the metric's definition
    static constexpr size_t kSmall = 63;  // longest reference whose columns, one more than its words, fit into a 64-bit word
    // At most 2**18 masks, 2 MiB, are built in advance. A larger table would leave the L2 cache and be mostly zero, so masks are then
    // computed on demand. Results do not depend on it.
    static constexpr size_t kTable = 1 << 18;

    struct Limit {
        uint64_t right;  // bits of the previous row that are outside its beam
        uint64_t valid;  // bits of this row within its beam
        uint32_t base;
        uint32_t end;
        uint32_t shift;  // of the base, relative to the previous row
    };
    struct State {
        uint64_t more;   // cells that are one more than their left neighbour
        uint64_t less;   // cells that are one less
        uint32_t value;  // of the cell at the base
    };
    struct Step {
        uint64_t same;  // cells equal to their upper left neighbour
        uint64_t down;  // cells that are one more than the cell above
    };
    struct KeptRow {
        State state;
        Step step;
    };

    void find_limits();
    void make_masks(uint32_t vocabulary);
    bool is_plain(size_t row) const { return row >= plain_begin_ && row < plain_end_; }
    size_t base_of(size_t row) const { return limited_ ? limits_[row].base : 0; }
    size_t end_of(size_t row) const { return limited_ ? limits_[row].end : reference_.size() + 1; }
    uint64_t valid_of(size_t row) const { return limited_ ? limits_[row].valid : all_; }

    static Step advance_plain(State& state, uint64_t matches);
    Step advance(State& state, size_t row, uint32_t word) const;
    void run(State& state, size_t row, const uint32_t* words, size_t count) const;
    uint64_t matches(uint32_t word, size_t base) const;
    uint32_t distance(const State& last) const;

    uint32_t run_wide(const uint32_t* words, TerEdit* edits);
    TerEdit edit_at(const uint32_t* words, size_t i, size_t j) const;

    std::span<const uint32_t> reference_;
    size_t length_ = 0;
    bool limited_ = false;  // the beam excludes some cells
    bool wide_ = false;
    bool small_ = false;
    uint64_t all_ = 0;
    size_t plain_begin_ = 0, plain_end_ = 0;  // rows where the beam contains all columns, in this row and the one before
    Buffer<Limit> limits_;
    Buffer<KeptRow> kept_;
    uint32_t kept_distance_ = 0;

    size_t blocks_ = 0;       // masks per word; 0 if they are computed on demand
    Buffer<uint64_t> masks_;  // by word, the columns that contain it
    TokenPositions places_;

    Buffer<uint32_t> wide_row_;
    Buffer<uint32_t> wide_words_;
    Buffer<size_t> wide_starts_;
    Buffer<TerEdit> wide_edits_;
};

template <class Visit>
void BeamDistance::trace(const uint32_t* words, Visit visit) const {
    for (size_t i = length_, j = reference_.size(); i > 0 || j > 0;) {
        TerEdit edit = i == 0 ? TerEdit::Insert : j == 0 ? TerEdit::Delete : edit_at(words, i, j);
        visit(edit, i, j);
        i -= edit != TerEdit::Insert;
        j -= edit != TerEdit::Delete;
    }
}

inline TerEdit BeamDistance::edit_at(const uint32_t* words, size_t i, size_t j) const {
    if (wide_) return wide_edits_[wide_starts_[i] + j - limits_[i].base];
    size_t base = base_of(i - 1), end = end_of(i - 1);
    const Step& step = kept_[i].step;
    size_t bit = j - base_of(i);
    if (j > base && j <= end) {
        if (words[i - 1] == reference_[j - 1]) return TerEdit::Match;
        if ((step.same >> bit & 1) == 0) return TerEdit::Substitute;
    }
    return j >= base && j < end && (step.down >> bit & 1) != 0 ? TerEdit::Delete : TerEdit::Insert;
}

}  // namespace refscore
