// TER: insertions, deletions, substitutions and block moves, found by tercom's greedy search as implemented in
// sacrebleu.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/beam_distance.hpp"
#include "refscore/segments/renumber.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/segments/token_positions.hpp"

namespace refscore {

// A row of statistics; rows can be summed.
struct TerRow {
    static constexpr size_t kColumns = 2;
    double edits = 0;
    double reference_length = 0;  // the mean over all references
};

// A move, and the distance after it.
struct AppliedMove {
    BlockMove block;
    uint32_t distance;
};

// One instance per thread.
class Ter {
  public:
    // Returns the edits of the reference that needs the fewest.
    TerRow row(std::span<const uint32_t> hypothesis, const NumberedReferences& references);

    // Words are numbered from 1 to `vocabulary`; 0 means that the reference lacks the word. Appends the moves to
    // `moves`.
    uint32_t edits(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary,
                   std::vector<AppliedMove>* moves = nullptr);

    // Returns the edits that remain after the moves of the last call of edits(), in order.
    std::vector<TerEdit> last_edits() const;

  private:
    struct Candidate {
        uint32_t begin;
        uint32_t length;
        uint32_t target;
    };
    // Limits of sacrebleu's lib_ter.py, which change scores: _MAX_SHIFT_SIZE, _MAX_SHIFT_DIST, _MAX_SHIFT_CANDIDATES.
    static constexpr uint32_t kLongestBlock = 10;
    static constexpr uint32_t kFarthest = 50;
    static constexpr uint32_t kMostCandidates = 1000;

    uint32_t fewest_edits();
    void read_trace();
    bool find_candidates();
    void add_candidates(uint32_t begin, uint32_t place);
    BlockMove move_of(const Candidate& candidate) const;
    bool best_move(uint32_t distance, BlockMove& best);

    Renumberer renumberer_;
    std::span<const uint32_t> reference_;
    uint32_t vocabulary_ = 0;
    Buffer<uint32_t> words_;  // the hypothesis after the moves so far
    size_t length_ = 0;
    BeamDistance beam_;

    Buffer<uint32_t> counts_;      // by word: occurrences in the reference
    TokenPositions places_;        // in the reference
    Buffer<uint32_t> aligned_;     // by reference word: the number of hypothesis words up to it
    Buffer<uint8_t> right_words_;  // by hypothesis word: the number of correct words from it on, up to kLongestBlock
    Buffer<uint8_t> right_reference_;  // the same for the reference
    std::vector<Candidate> candidates_;
    uint32_t checked_ = 0;  // candidates so far, for all moves
};

}  // namespace refscore
