// ROUGE: overlap of n-grams, or longest common subsequences, of a hypothesis with its best reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "edit_distance.hpp"
#include "ngrams.hpp"
#include "preconditions.hpp"
#include "renumber.hpp"
#include "segments.hpp"

namespace refscore {

// N counts n-grams, L is the longest common subsequence, Lsum the union of those of all lines.
enum class RougeVariant : uint8_t { N, L, Lsum };

struct RougeSettings {
    RougeVariant variant = RougeVariant::L;
    size_t order = 1;  // of the n-grams

    void check() const { require_order(order); }
};

// A row; they add up.
struct RougeRow {
    static constexpr size_t kColumns = 4;
    double precision = 0;
    double recall = 0;
    double f = 0;
    double segments = 0;
};

// Scratch memory of one thread.
class Rouge {
  public:
    // The row of the reference with the best F, the first one of equals.
    RougeRow row(const RougeSettings& settings, std::span<const uint32_t> hypothesis, const NumberedReferences& references);

  private:
    struct Overlap {
        size_t matches;
        size_t hypothesis;
        size_t reference;
    };
    Overlap overlap(const RougeSettings& settings, std::span<const uint32_t> hypothesis, NumberedReferences reference);
    Overlap overlap_of_lines(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);

    NgramCounter counter_;
    std::vector<int64_t> counts_;
    CommonSubsequence subsequence_;
    std::vector<std::span<const uint32_t>> hypothesis_lines_;
    std::vector<std::span<const uint32_t>> reference_lines_;
    Renumberer renumberer_;
    std::vector<uint32_t> left_;  // by token, the occurrences in the hypothesis that are not used up; all 0 between pairs
    Buffer<uint8_t> in_any_;      // whether a token of the line is in any of its common subsequences
};

}  // namespace refscore
