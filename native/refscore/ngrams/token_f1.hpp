// Token F1: the overlap of a hypothesis with its best reference, as bags of tokens.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/segments/segments.hpp"

namespace refscore {

struct TokenF1Settings {
    bool skip_empty = false;  // skip references without tokens if there are others
    bool both_empty = false;  // a hypothesis and a reference without tokens match
};

// A row of statistics; rows can be summed.
struct TokenF1Row {
    static constexpr size_t kColumns = 5;
    double f1 = 0;
    double precision = 0;
    double recall = 0;
    double exact =
        0;  // whether any reference has the same tokens in the same order, which needs no second pass over the text
    double segments = 1;
};

// One instance per thread.
class TokenF1 {
  public:
    // Returns the row of the reference with the best F1, the first of equals. `exact` is about all references.
    TokenF1Row row(const TokenF1Settings& settings, std::span<const uint32_t> hypothesis,
                   const NumberedReferences& references);

  private:
    size_t common(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

    std::vector<uint32_t> left_;  // by token: occurrences in the reference without a match; all 0 between pairs
};

}  // namespace refscore
