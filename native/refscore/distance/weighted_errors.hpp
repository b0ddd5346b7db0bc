// Word error rates with costs or compounds.
#pragma once

#include "refscore/distance/error_rate.hpp"
#include "refscore/distance/weighted_distance.hpp"

namespace refscore {

// Words that one side writes together and the other one apart.
enum class Compounds : uint8_t {
    None,            // are errors
    Merge,           // match at no cost (WeightedDistance)
    Regions,         // are joined where both sides differ (RegionJoiner)
    RegionsAndMerge  // both, one after the other
};

// Segments whose reference has no words.
enum class EmptyReferences : uint8_t {
    Count,  // have the words of the hypothesis as errors
    Skip    // have no errors
};

struct WeightedSettings {
    EditCosts costs = EditCosts::Equal;
    Compounds compounds = Compounds::None;
    EmptyReferences empty = EmptyReferences::Count;
    bool alternatives = false;  // of references, without compounds
};

// One instance per thread.
class WeightedErrors {
  public:
    // Returns the counts of the reference with the lowest rate, the first of equals. Each original word of a compound
    // in the reference is a hit, and joined words are one hit.
    EditCounts count(const NumberedTexts& hypothesis, const NumberedReferences& references, WeightedSettings settings);

    struct Aligned {
        std::span<const EditRun> runs;
        size_t reference;
        bool has_path;                   // whether the reference has alternatives
        std::span<const uint32_t> path;  // the words of its best path
    };
    // Returns the alignment with the reference of count(), in original words, valid until the next call.
    Aligned align(const NumberedTexts& hypothesis, const NumberedReferences& references, WeightedSettings settings);

  private:
    template <class Visit>
    void for_each_reference(const NumberedTexts& hypothesis, const NumberedReferences& references, Visit visit);
    void read_reference(const NumberedReferences& references, size_t r, size_t begin);
    // The words to compare, joined if the settings say so.
    struct Pair {
        const Words& hypothesis;
        const Words& reference;
        uint32_t vocabulary;
    };
    Pair joined(uint32_t vocabulary);
    bool merges() const {
        return settings_.compounds == Compounds::Merge || settings_.compounds == Compounds::RegionsAndMerge;
    }
    // Whether the plain distance suffices, which chooses among alignments as jiwer does.
    bool is_plain() const { return settings_.costs == EditCosts::Equal && !merges(); }
    EditCounts count_one(uint32_t vocabulary);
    template <class Lattice>
    std::span<const EditRun> align_lattice(Lattice& lattice);
    bool is_skipped(const EditCounts& counts) const {
        return settings_.empty == EmptyReferences::Skip && counts.errors() == counts.insertions && counts.hits == 0;
    }
    std::span<const EditRun> align_one(uint32_t vocabulary);

    WeightedSettings settings_;
    Words hypothesis_, reference_;
    RegionJoiner regions_;
    WeightedDistance weighted_;
    EditDistance distance_;
    LatticeDistance plain_lattice_;
    ScliteLattice sclite_lattice_;
    std::span<const uint32_t> marked_;  // the reference, if it has alternatives
    std::vector<EditRun> runs_;
};

}  // namespace refscore
