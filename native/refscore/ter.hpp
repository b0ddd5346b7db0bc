// TER: insertions, deletions, substitutions and moves of blocks of words, by the greedy search of tercom as sacrebleu has it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "beam_distance.hpp"
#include "buffer.hpp"
#include "renumber.hpp"
#include "segments.hpp"
#include "token_positions.hpp"

namespace refscore {

// A row; they add up.
struct TerRow {
    static constexpr size_t kColumns = 2;
    double edits = 0;
    double reference_length = 0;  // the mean of all references'
};

// A move, and the distance after it.
struct AppliedMove {
    BlockMove block;
    uint32_t distance;
};

// Scratch memory of one thread.
class Ter {
  public:
    // The edits of the reference that needs the fewest.
    TerRow row(std::span<const uint32_t> hypothesis, const NumberedReferences& references);

    // Words are numbered from 1 up to the vocabulary's size, and 0 where the reference has none such. Adds the moves to `moves`.
    uint32_t edits(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary,
                   std::vector<AppliedMove>* moves = nullptr);

    // The edits after all moves of the last call of `edits`, in order.
    std::vector<TerEdit> last_edits() const;

  private:
    struct Candidate {
        uint32_t begin;
        uint32_t length;
        uint32_t target;
    };
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
    Buffer<uint32_t> words_;  // of the hypothesis, as the moves so far have left them
    size_t length_ = 0;
    BeamDistance beam_;

    Buffer<uint32_t> counts_;          // of each word in the reference
    TokenPositions places_;                // in the reference
    Buffer<uint32_t> aligned_;         // for each word of the reference, how many of the hypothesis come up to it
    Buffer<uint8_t> right_words_;      // for each word of the hypothesis, how many from it on are right; up to kLongestBlock
    Buffer<uint8_t> right_reference_;  // the same for the reference
    std::vector<Candidate> candidates_;
    uint32_t checked_ = 0;  // candidates so far, of all moves
};

}  // namespace refscore
