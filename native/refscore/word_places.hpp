// Where each word of a sequence stands.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "buffer.hpp"

namespace refscore {

class WordPlaces {
  public:
    // Words are numbered up to the vocabulary's size.
    void list(std::span<const uint32_t> words, uint32_t vocabulary) {
        size_t numbers = size_t{vocabulary} + 1;
        uint32_t* starts = starts_.room(numbers + 2);
        uint32_t* places = places_.room(words.size());
        std::memset(starts, 0, (numbers + 2) * sizeof(uint32_t));
        for (uint32_t word : words) ++starts[word + 2];
        for (size_t number = 2; number < numbers + 2; ++number) starts[number] += starts[number - 1];
        for (size_t i = 0; i < words.size(); ++i) places[starts[words[i] + 1]++] = static_cast<uint32_t>(i);
    }

    // In ascending order.
    std::span<const uint32_t> of(uint32_t word) const { return {places_.data() + starts_[word], places_.data() + starts_[word + 1]}; }

  private:
    Buffer<uint32_t> places_;  // word by word
    Buffer<uint32_t> starts_;
};

}  // namespace refscore
