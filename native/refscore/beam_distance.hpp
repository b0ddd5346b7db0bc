// The edit distance of word sequences to one reference along paths that stay near the diagonal, as sacrebleu's TER has it; and
// of sequences with a block of words moved, which share all rows before the block with the sequence that was kept.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "token_positions.hpp"

namespace refscore {

// What is done to the hypothesis to get the reference.
enum class TerEdit : uint8_t { Match, Substitute, Insert, Delete };

// The words from `begin` on are taken out and put in again so that the first of them stands at `to`.
struct BlockMove {
    uint32_t begin;
    uint32_t length;
    uint32_t to;
};

void apply(const BlockMove& move, uint32_t* words);

// Row i of the distance matrix is that of the first i words; its cells within the beam are those from column `base` to `end`.
// In steps of -1, 0 and 1 they fit into two words of 64 bits (Myers 1999, Hyyrö 2003), with column base + b at bit b. A step to the
// next row has to keep cells beyond the beam from being better than those in it:
// - on the left, the cell before the base counts as one more than the base, so that going down is never worse;
// - on the right, cells count as if words were inserted, and no match may begin in them.
// Where a beam is wider (references of more than 50 times the length), cells are numbers, one by one.
class BeamDistance {
  public:
    // All sequences that follow have that many words, numbered up to the vocabulary's size; neither is empty.
    void start(std::span<const uint32_t> reference, size_t length, uint32_t vocabulary);

    // The distance of the words. Their rows are kept; the first `unchanged` words are the same as those kept before.
    uint32_t keep(const uint32_t* words, size_t unchanged);

    // The distance after a move of some of the words that are kept.
    uint32_t after(const uint32_t* words, const BlockMove& move);

    // Calls visit(edit, i, j) from the last edit to the first for the words that are kept: i and j words are before the edit's
    // end in them and in the reference. A word that fits is preferred to a substitution, that to a deletion, that to an insertion.
    template <class Visit>
    void trace(const uint32_t* words, Visit visit) const;

  private:
    static constexpr size_t kBeam = 25;
    static constexpr size_t kSmall = 63;       // reference words whose columns fit into one word of bits
    static constexpr size_t kTable = 1 << 18;  // words of bits that masks may take before they are made as needed

    struct Limit {
        uint64_t right;  // bits of the row before that are beyond its beam
        uint64_t valid;  // bits of this row within its beam
        uint32_t base;
        uint32_t end;
        uint32_t shift;  // of the base, from the row before
    };
    struct State {
        uint64_t more;   // cells that are one more than the cell before
        uint64_t less;   // cells that are one less
        uint32_t value;  // of the cell at the base
    };
    struct Step {
        uint64_t same;  // cells that equal the one diagonally before
        uint64_t down;  // cells that are one more than the one above
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
    bool limited_ = false;  // the beam leaves out some cells
    bool wide_ = false;
    bool small_ = false;
    uint64_t all_ = 0;
    size_t plain_begin_ = 0, plain_end_ = 0;  // rows that all of the reference's columns are in, as are those before them
    Buffer<Limit> limits_;
    Buffer<KeptRow> kept_;
    uint32_t kept_distance_ = 0;

    size_t blocks_ = 0;       // of masks per word; 0 if they are made as needed
    Buffer<uint64_t> masks_;  // of the columns whose word it is
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
