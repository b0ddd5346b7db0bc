// The edit distance of word sequences to one reference, along paths near the diagonal, as in sacrebleu's TER. After a
// block move, all rows before the block are reused from the cached sequence.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/segments/token_positions.hpp"

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

// Row i of the distance matrix belongs to the first i words. Its cells within the beam are the columns from `base` to
// `end`. Neighbouring cells differ by -1, 0 or 1, so a row fits into two 64-bit words (Myers 1999, Hyyrö 2003), with
// column base + b at bit b. Cells outside the beam must never beat those inside:
// - On the left, the cell before the base counts as base + 1, so a deletion is never worse.
// - On the right, no match may begin or end. Without matches, a path outside is not shorter than one along the border.
// References longer than 50 times the hypothesis need a wider beam; run_wide() then computes the cells one by one.
//
// Moving one word can save two edits only if an optimal alignment deletes the word, and one inserts it at its target.
// Proof: omit the word from an alignment of the moved words. This costs at most one edit, and gives an alignment in
// which the word is free to delete. Or omit the word at its target only, and delete it at its old position. In both,
// some words are one row away from their own. The alignments are therefore those in a looser beam, where each row also
// has the cells of the rows before and after it.
class BeamDistance {
  public:
    // All following sequences have `length` words, numbered up to `vocabulary`. Neither side may be empty.
    void start(std::span<const uint32_t> reference, size_t length, uint32_t vocabulary);

    // Returns the distance of the words and caches their rows. Only words from `begin` to `end` may differ from those
    // cached before. The first time, these are all words.
    uint32_t keep(const uint32_t* words, size_t begin, size_t end);

    // Returns the distance after moving a block of the cached words. If it is larger than `most`, any number that is
    // larger.
    uint32_t after(const uint32_t* words, const BlockMove& move, uint32_t most);

    // Finds the words that optimal alignments of the cached words delete or insert, for fewest_after().
    void find_free_words(const uint32_t* words);

    // Returns a lower bound of after(), after find_free_words().
    uint32_t fewest_after(const uint32_t* words, const BlockMove& move) const;

    // Calls visit(edit, i, j) for the cached words, from the last edit to the first. i and j are the numbers of words
    // up to the end of the edit, on each side. Ties: a match before a substitution, then a deletion, then an insertion.
    template <class Visit>
    void trace(const uint32_t* words, Visit visit) const;

  private:
    static constexpr size_t kBeam = 25;  // sacrebleu's (and tercom's) beam width; part of the metric's definition
    static constexpr size_t kSmall =
        63;  // longest reference whose columns, one more than its words, fit into a 64-bit word
    static constexpr size_t kSkipped = 10;  // as many lengths as TER tries
    // At most 2**18 masks, 2 MiB, are built in advance. A larger table would leave the L2 cache and be mostly zero, so
    // masks are then computed on demand. Results do not depend on it.
    static constexpr size_t kTable = 1 << 18;

    struct Limit {
        uint64_t allowed;  // bits of this row where a match may end: it begins within the previous row, and ends within
                           // this one
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
    // The cells of all rows, and the rows of the cached words.
    struct Beam {
        Buffer<Limit> limits;
        Buffer<KeptRow> kept;
        size_t plain_begin, plain_end;  // rows where the beam contains all columns, in this row and the one before

        bool is_plain(size_t row) const { return row >= plain_begin && row < plain_end; }
    };
    // The last row of words that were moved to the left, past a block that begins with word `begin`. The last one is
    // before `end`.
    struct Skipped {
        uint64_t round;  // of the words; others are out of date
        size_t begin;
        size_t end;
        State state;
    };
    // By row, on optimal alignments.
    struct FreeWords {
        uint64_t optimal;   // cells
        uint64_t inserted;  // columns of reference words that are inserted after this number of words
        bool is_deleted;    // the word of this row
    };

    void start_beam(Beam& beam);
    void find_limits();
    template <class ColumnsOf>
    void set_limits(Beam& beam, ColumnsOf columns_of) const;
    void loosen_limits();
    void make_masks(uint32_t vocabulary);
    const Beam& loose() const { return limited_ ? loose_ : tight_; }
    size_t base_of(const Beam& beam, size_t row) const { return limited_ ? beam.limits[row].base : 0; }
    size_t end_of(const Beam& beam, size_t row) const {
        return limited_ ? beam.limits[row].end : reference_.size() + 1;
    }
    uint64_t valid_of(const Beam& beam, size_t row) const;  // bits of the row within its beam

    static void move_base(State& state, uint32_t by);
    static Step advance_plain(State& state, uint64_t matches);
    Step advance(const Beam& beam, State& state, size_t row, uint32_t word) const;
    void run(State& state, size_t row, const uint32_t* words, size_t count) const;
    uint32_t run_kept(Beam& beam, const uint32_t* words, size_t begin, size_t end) const;
    bool is_parallel(const Beam& beam, const State& state, size_t row) const;
    uint64_t matches(uint32_t word, size_t base) const;
    int64_t fewest_from(const State& state, size_t row) const;
    uint32_t distance(const Beam& beam, const State& last) const;

    uint32_t run_wide(const uint32_t* words, TerEdit* edits);
    TerEdit edit_at(const uint32_t* words, size_t i, size_t j) const;

    std::span<const uint32_t> reference_;
    size_t length_ = 0;
    bool limited_ = false;  // the beam excludes some cells
    bool wide_ = false;
    bool small_ = false;
    uint64_t all_ = 0;
    Beam tight_;
    uint32_t kept_distance_ = 0;
    uint64_t round_ = 0;              // incremented when words are cached
    Skipped skipped_[kSkipped] = {};  // by length of the block

    Beam loose_;
    bool has_loose_ = false;                  // loose_ belongs to this reference
    bool fits_loose_ = false;                 // its rows fit into machine words
    size_t loose_begin_ = 0, loose_end_ = 0;  // the words that have changed since loose_.kept was computed
    uint32_t loose_distance_ = 0;
    bool has_free_ = false;  // free_ belongs to the cached words
    Buffer<FreeWords> free_;

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
    if (wide_) return wide_edits_[wide_starts_[i] + j - tight_.limits[i].base];
    size_t base = base_of(tight_, i - 1), end = end_of(tight_, i - 1);
    const Step& step = tight_.kept[i].step;
    size_t bit = j - base_of(tight_, i);
    if (j > base && j <= end) {
        if (words[i - 1] == reference_[j - 1]) return TerEdit::Match;
        if ((step.same >> bit & 1) == 0) return TerEdit::Substitute;
    }
    return j >= base && j < end && (step.down >> bit & 1) != 0 ? TerEdit::Delete : TerEdit::Insert;
}

}  // namespace refscore
