// Common skip-bigrams: pairs of tokens in the same order in both texts, with a limited number of tokens between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/segments/token_positions.hpp"

namespace refscore {

constexpr size_t kUnlimitedSkip = SIZE_MAX;

// Returns the number of skip-bigrams of a text of `tokens` tokens, with at most `skip` tokens between the two.
constexpr size_t count_skip_bigrams(size_t tokens, size_t skip) {
    if (tokens < 2) return 0;
    size_t reach = skip >= tokens - 2 ? tokens - 1 : skip + 1;
    return (tokens - reach) * reach + reach * (reach - 1) / 2;
}

// One instance per thread.
//
// Pairs are counted by their first token: one array of counts by second token, for one first token at a time. Memory is
// therefore linear in the length of the texts, although unlimited skips give a quadratic number of pairs.
class SkipBigrams {
  public:
    // Returns the sum over distinct skip-bigrams of the smaller of their counts in both texts. Reference tokens are
    // from 1 to `vocabulary`, hypothesis tokens from 0.
    size_t matches(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary,
                   size_t skip);
    // Returns the sum over distinct tokens of the smaller of their counts.
    size_t common_tokens(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                         uint32_t vocabulary);

  private:
    TokenPositions in_hypothesis_;
    TokenPositions in_reference_;
    Buffer<uint64_t> left_;  // by token: unused pairs of the reference with this second token
};

}  // namespace refscore
