// RIBES of all pairs of a group of texts: what takes one side alone, or only the lengths, is worked out once.
#pragma once

#include <cstdint>
#include <vector>

#include "prepared.hpp"
#include "ribes.hpp"
#include "sequences.hpp"

namespace refscore {

class RibesPairs {
  public:
    // Scratch memory of one thread.
    struct Scratch {
        Ribes ribes;
        std::vector<uint64_t> places;   // of each word in the reference; all 0 between calls
        std::vector<double> penalties;  // by a hypothesis' length; negative if not known yet
        uint64_t in_reference[kMostPlaces];
        uint32_t ranks[kMostPlaces];
    };

    // Every segment of the references has to have exactly one, and that has to have words.
    static bool takes(const PreparedReferences& references);

    void build(const RibesSettings& settings, const std::vector<TokenList>& hypotheses, const PreparedReferences& references);
    // How much memory is kept for the next call.
    size_t bytes() const { return places_.capacity() * sizeof(uint64_t) + group_.bytes(); }

    // The scores of all hypotheses with one reference.
    void scores(Scratch& scratch, size_t reference, double* out) const;

  private:
    RibesSettings settings_;
    size_t hypotheses_ = 0;
    size_t longest_ = 0;
    Sequences group_;                // hypotheses first
    std::vector<uint64_t> places_;   // of each hypothesis word in its own hypothesis, if that is short enough
    std::vector<double> precisions_; // by length and number of aligned words, of short hypotheses: the factor of a score
};

}  // namespace refscore
