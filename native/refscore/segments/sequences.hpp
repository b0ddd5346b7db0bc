// Many token sequences with common numbers, concatenated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "refscore/segments/collection.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

class Sequences {
  public:
    Sequences() = default;
    // Sequences with numbers up to `vocabulary`.
    Sequences(std::vector<uint32_t> codes, std::vector<size_t> ends, uint32_t vocabulary)
        : codes_(std::move(codes)), ends_(std::move(ends)), vocabulary_(vocabulary) {}

    void add(const TokenList& list) {
        for (const Token& token : list.tokens) codes_.push_back(numbers_.add(token, list.arena.data()));
        ends_.push_back(codes_.size());
    }
    void add(std::span<const uint32_t> tokens, const VocabularyView& vocabulary) {
        for (uint32_t token : tokens) codes_.push_back(numbers_.add(vocabulary.tokens[token], vocabulary.arena));
        ends_.push_back(codes_.size());
    }
    // Adds tokens that already have numbers.
    void add(std::span<const uint32_t> codes) {
        codes_.insert(codes_.end(), codes.begin(), codes.end());
        ends_.push_back(codes_.size());
    }

    size_t size() const { return ends_.size(); }
    std::span<const uint32_t> codes() const { return codes_; }
    std::span<const size_t> ends() const { return ends_; }
    size_t begin(size_t sequence) const { return sequence > 0 ? ends_[sequence - 1] : 0; }
    size_t length(size_t sequence) const { return ends_[sequence] - begin(sequence); }
    std::span<const uint32_t> operator[](size_t sequence) const {
        return codes().subspan(begin(sequence), length(sequence));
    }
    std::vector<size_t> lengths() const {
        std::vector<size_t> lengths;
        for (size_t i = 0; i < size(); ++i) lengths.push_back(length(i));
        return lengths;
    }
    // The memory of the sequences.
    size_t bytes() const { return codes_.capacity() * sizeof(uint32_t) + ends_.capacity() * sizeof(size_t); }
    // The largest token number.
    uint32_t vocabulary() const { return std::max(vocabulary_, numbers_.size()); }

  private:
    Lexicon numbers_;
    std::vector<uint32_t> codes_;
    std::vector<size_t> ends_;
    uint32_t vocabulary_ = 0;
};

}  // namespace refscore
