// RIBES of all pairs of a group of texts. Values that depend on one side or on lengths only are computed once.
#pragma once

#include <cstdint>
#include <vector>

#include "refscore/distance/ribes.hpp"
#include "refscore/segments/prepared.hpp"
#include "refscore/segments/sequences.hpp"

namespace refscore {

class RibesPairs {
  public:
    // One instance per thread.
    struct Scratch {
        Ribes ribes;
        std::vector<uint64_t> places;   // by word: its positions in the reference; all 0 between calls
        std::vector<double> penalties;  // by hypothesis length; negative if not yet computed
        uint64_t in_reference[kMostPlaces];
        uint32_t ranks[kMostPlaces];
    };

    // Whether every segment has exactly one reference, and none is empty.
    static bool takes(const PreparedReferences& references);

    void build(const RibesSettings& settings, const std::vector<TokenList>& hypotheses,
               const PreparedReferences& references, size_t threads);
    // The memory that stays allocated between calls.
    size_t bytes() const { return places_.capacity() * sizeof(uint64_t) + group_.bytes(); }

    // Writes the scores of all hypotheses with one reference.
    void scores(Scratch& scratch, size_t reference, std::span<double> out) const;

  private:
    RibesSettings settings_;
    size_t hypotheses_ = 0;
    size_t longest_ = 0;
    Sequences group_;                 // hypotheses first
    std::vector<uint64_t> places_;    // by hypothesis word: its positions in that hypothesis, unless it is too long
    std::vector<double> precisions_;  // the precision factor of short hypotheses, by length and number of aligned words
};

}  // namespace refscore
