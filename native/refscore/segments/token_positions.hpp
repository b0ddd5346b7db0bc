// The positions of each word in a sequence.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "refscore/base/buffer.hpp"

namespace refscore {

class TokenPositions {
  public:
    // Words are numbered up to `vocabulary`.
    void build(std::span<const uint32_t> words, uint32_t vocabulary) {
        size_t numbers = size_t{vocabulary} + 1;
        uint32_t* starts = starts_.reserve(numbers + 2);
        uint32_t* positions = positions_.reserve(words.size());
        std::memset(starts, 0, (numbers + 2) * sizeof(uint32_t));
        for (uint32_t word : words) ++starts[word + 2];
        for (size_t number = 2; number < numbers + 2; ++number) starts[number] += starts[number - 1];
        for (size_t i = 0; i < words.size(); ++i) positions[starts[words[i] + 1]++] = static_cast<uint32_t>(i);
    }

    // In ascending order.
    std::span<const uint32_t> of(uint32_t word) const {
        return {positions_.data() + starts_[word], positions_.data() + starts_[word + 1]};
    }

  private:
    Buffer<uint32_t> positions_;  // word by word
    Buffer<uint32_t> starts_;
};

}  // namespace refscore
