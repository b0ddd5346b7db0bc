// Renumbers the words of a hypothesis and one reference if their vocabulary covers many references. Kernels may then
// use time and memory proportional to the largest number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/segments/vocabulary.hpp"

namespace refscore {

class Renumberer {
  public:
    // Numbers the words of both sides from 1 if the vocabulary is larger than the reference. Words that only the
    // hypothesis has become kUnknown. Returns the largest number. The spans are valid until the next call.
    uint32_t renumber(std::span<const uint32_t>& hypothesis, std::span<const uint32_t>& reference,
                      uint32_t vocabulary) {
        if (vocabulary <= reference.size()) return vocabulary;
        if (numbers_.size() <= vocabulary) numbers_.resize(vocabulary + size_t{1}, kUnknown);
        uint32_t* hypothesis_words = hypothesis_words_.reserve(hypothesis.size());
        uint32_t* reference_words = reference_words_.reserve(reference.size());
        uint32_t count = 0;
        for (size_t p = 0; p < reference.size(); ++p) {
            uint32_t& number = numbers_[reference[p]];
            if (number == kUnknown) number = ++count;
            reference_words[p] = number;
        }
        for (size_t i = 0; i < hypothesis.size(); ++i) hypothesis_words[i] = numbers_[hypothesis[i]];
        for (uint32_t word : reference) numbers_[word] = kUnknown;
        hypothesis = {hypothesis_words, hypothesis.size()};
        reference = {reference_words, reference.size()};
        return count;
    }

  private:
    std::vector<uint32_t> numbers_;  // all 0 between calls
    Buffer<uint32_t> hypothesis_words_;
    Buffer<uint32_t> reference_words_;
};

}  // namespace refscore
