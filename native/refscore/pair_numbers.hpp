// A segment's vocabulary is that of all its references. Kernels that look at one of them at a time, and whose time depends on the
// vocabulary, number the pair anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.hpp"
#include "vocabulary.hpp"

namespace refscore {

class PairNumbers {
  public:
    // Numbers the reference's words from 1, and the hypothesis' others kUnknown; returns how many there are. Words were numbers up to
    // `vocabulary`. The spans are valid until the next call.
    uint32_t renumber(std::span<const uint32_t>& hypothesis, std::span<const uint32_t>& reference, uint32_t vocabulary) {
        if (new_numbers_.size() <= vocabulary) new_numbers_.resize(vocabulary + size_t{1}, kUnknown);
        uint32_t* hypothesis_words = hypothesis_words_.room(hypothesis.size());
        uint32_t* reference_words = reference_words_.room(reference.size());
        uint32_t count = 0;
        for (size_t p = 0; p < reference.size(); ++p) {
            uint32_t& number = new_numbers_[reference[p]];
            if (number == kUnknown) number = ++count;
            reference_words[p] = number;
        }
        for (size_t i = 0; i < hypothesis.size(); ++i) hypothesis_words[i] = new_numbers_[hypothesis[i]];
        for (uint32_t word : reference) new_numbers_[word] = kUnknown;
        hypothesis = {hypothesis_words, hypothesis.size()};
        reference = {reference_words, reference.size()};
        return count;
    }

  private:
    std::vector<uint32_t> new_numbers_;  // all kUnknown between pairs
    Buffer<uint32_t> hypothesis_words_;
    Buffer<uint32_t> reference_words_;
};

}  // namespace refscore
