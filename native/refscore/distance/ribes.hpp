// RIBES: the rank correlation of the aligned words, times powers of their share and of a brevity penalty.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "refscore/base/preconditions.hpp"
#include "refscore/distance/alignment.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/statistics/rank_correlation.hpp"

namespace refscore {

// Tau is the share of ascending pairs. TauNltk rounds like NLTK, and TauRuns counts only pairs within runs.
enum class Correlation : uint8_t { Tau, TauNltk, TauRuns, Rho };
enum class SingleWord : uint8_t { Reference, Zero };
enum class EmptyReferenceRule : uint8_t { Error, Skip, Zero };

struct RibesSettings {
    double alpha = 0.25;
    double beta = 0.10;
    AlignmentSettings alignment;
    Correlation correlation = Correlation::Tau;
    SingleWord single_word = SingleWord::Reference;
    EmptyReferenceRule empty_reference = EmptyReferenceRule::Error;

    void check() const {
        require(alpha >= 0 && std::isfinite(alpha), "alpha must be finite and at least 0");
        require(beta >= 0 && std::isfinite(beta), "beta must be finite and at least 0");
    }
};

// A row of statistics; rows can be summed.
struct RibesRow {
    static constexpr size_t kColumns = 5;
    double score = 0;
    double correlation = 0;  // normalized: from 0 to 1
    double precision = 0;
    double brevity_penalty = 0;
    double segments = 0;
};

// The other factors of a score.
inline double ribes_precision(const RibesSettings& settings, double precision) {
    return std::pow(precision, settings.alpha);
}
inline double ribes_penalty(const RibesSettings& settings, double brevity_penalty) {
    return std::pow(brevity_penalty, settings.beta);
}
inline double ribes_brevity(double hypothesis_length, double reference_length) {
    return reference_length <= hypothesis_length ? 1 : std::exp(1 - reference_length / hypothesis_length);
}

// One instance per thread.
class Ribes {
  public:
    // Returns the row of the best reference. Throws EmptyReference if the settings forbid empty references.
    RibesRow row(const RibesSettings& settings, std::span<const uint32_t> hypothesis,
                 const NumberedReferences& references);

    RibesRow row_of_one(const RibesSettings& settings, std::span<const uint32_t> hypothesis,
                        std::span<const uint32_t> reference, uint32_t vocabulary, const uint64_t* places = nullptr);
    // The correlation of the aligned words' ranks.
    double correlation(const RibesSettings& settings, std::span<const uint32_t> ranks, size_t reference_length);

  private:
    Aligner aligner_;
    Buffer<uint32_t> ranks_;
    AscendingPairs ascending_;
    SpearmanRho rho_;
};

}  // namespace refscore
