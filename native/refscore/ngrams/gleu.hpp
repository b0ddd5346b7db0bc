// GLEU: matching n-grams of several orders, divided by the number of n-grams of the longer text.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/ngrams.hpp"
#include "refscore/segments/segments.hpp"

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

// A row of statistics; rows can be summed.
struct GleuRow {
    static constexpr size_t kColumns = 2;
    int64_t matches = 0;
    int64_t total = 0;

    double value() const { return total > 0 ? static_cast<double>(matches) / static_cast<double>(total) : 0; }
};

// One instance per thread.
class Gleu {
  public:
    // Returns the row of the best reference, the first of equals. A reference is skipped if neither text has n-grams.
    GleuRow row(const GleuSettings& settings, std::span<const uint32_t> hypothesis,
                const NumberedReferences& references);

  private:
    NgramCounter counter_;
    Buffer<int64_t> matches_;
};

}  // namespace refscore
