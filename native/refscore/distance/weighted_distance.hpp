// Edit distances with costs, and with compounds that match at no cost. Bits of machine words cannot represent either,
// so each cell of the table is a number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/compounds.hpp"
#include "refscore/distance/edit_distance.hpp"

namespace refscore {

enum class EditCosts : uint8_t {
    Equal,   // 1 for each edit
    Sclite,  // 4 for a substitution, 3 for a deletion or an insertion
};

// Consecutive edits of one kind, or a compound.
struct EditRun {
    Edit edit;
    bool is_compound;
    uint32_t reference;  // how many words
    uint32_t hypothesis;
};

// Of several alignments with the lowest cost, it takes the one of a program. From the beginning, each cell prefers
// - with compounds, as kaldialign 0.12: an insertion, then a deletion, then a pair, then a compound
// - without compounds, as sclite 2.4.10: a pair, then an insertion, then a deletion.
// One instance per thread.
class WeightedDistance {
  public:
    // Words together: 20 bits, so a cost of 3 per word fits in 22.
    static constexpr size_t kMostWords = (size_t{1} << 20) - 1;

    EditCounts count(const Words& hypothesis, const Words& reference, EditCosts costs, bool compounds);
    // Returns the edits in order, valid until the next call.
    std::span<const EditRun> align(const Words& hypothesis, const Words& reference, EditCosts costs, bool compounds);

  private:
    template <bool kTrace>
    uint64_t run(const Words& hypothesis, const Words& reference, EditCosts costs, bool compounds);
    template <class Rules, bool kTrace>
    uint64_t fill(const Words& hypothesis, const Words& reference);
    void find_compounds(const Words& hypothesis, const Words& reference);

    CompoundFinder in_reference_, in_hypothesis_;
    std::vector<uint32_t> equal_in_reference_;             // by reference word: its index in in_hypothesis_.places + 1
    std::vector<std::vector<const Compound*>> ends_here_;  // by that index: compounds of the hypothesis
    size_t longest_ = 1;                                   // the most words of a compound in the reference
    std::vector<uint32_t> of_reference_, of_hypothesis_;   // for one row, by hypothesis word: the size of a compound
    Buffer<uint64_t> rows_;
    Buffer<uint8_t> choices_;
    std::vector<EditRun> runs_;
};

}  // namespace refscore
