// TER: insertions, deletions, substitutions and block moves, found by tercom's greedy search as implemented in
// sacrebleu.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/beam_distance.hpp"
#include "refscore/distance/move_search.hpp"
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

// The distance to a reference, as MoveSearch needs it.
class TerDistance : public BeamDistance {
  public:
    void start(std::span<const uint32_t> reference, size_t length, uint32_t vocabulary) {
        BeamDistance::start(reference, length, vocabulary);
        words_ = reference;
    }
    // Before the search.
    void find_places(uint32_t vocabulary) { positions_.build(words_, vocabulary); }

    bool equal(uint32_t word, uint32_t place) const { return word == words_[place]; }
    std::span<const uint32_t> places_of(uint32_t word) const { return positions_.of(word); }

  private:
    std::span<const uint32_t> words_;
    TokenPositions positions_;
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
    uint32_t fewest_edits();

    Renumberer renumberer_;
    std::span<const uint32_t> reference_;
    uint32_t vocabulary_ = 0;
    size_t length_ = 0;
    TerDistance beam_;
    MoveSearch<TerDistance> search_;
    std::vector<AppliedMove> moves_;
    Buffer<uint32_t> counts_;  // by word: occurrences in the reference
};

}  // namespace refscore
