// GLEU: matching n-grams of several orders over the larger of the two texts' numbers of n-grams.
#pragma once

#include <cstdint>
#include <span>

#include "ngrams.hpp"
#include "preconditions.hpp"
#include "segments.hpp"

namespace refscore {

struct GleuSettings {
    size_t min_order = 1;
    size_t max_order = 4;

    void check() const {
        require_order(min_order);
        require_order(max_order);
        require(min_order <= max_order, "the shortest n-grams must not be longer than the longest");
    }
};

// A row; they add up.
struct GleuRow {
    static constexpr size_t kColumns = 2;
    int64_t matches = 0;
    int64_t total = 0;

    double value() const { return total > 0 ? static_cast<double>(matches) / static_cast<double>(total) : 0; }
};

// Scratch memory of one thread.
class Gleu {
  public:
    // The row of the best reference, the first of equally good ones. Where neither text has n-grams, a reference does not count.
    GleuRow row(const GleuSettings& settings, std::span<const uint32_t> hypothesis, const NumberedReferences& references);

  private:
    NgramCounter counter_;
    Buffer<int64_t> matches_;
};

}  // namespace refscore
