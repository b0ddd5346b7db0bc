// Matches equal words of a hypothesis and a reference in stages: each stage sees the words that the previous ones left.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"

namespace refscore {

enum class MatchStage : uint8_t { None, Exact, Stem, Synonym };

struct MatchedWord {
    uint32_t rank;  // the position in the reference, if matched
    MatchStage stage;
};

// Within a stage, the hypothesis is processed from its end. Each word is matched with the last free reference word that
// fits. The time is linear in the number of words. One instance per thread.
class WordMatcher {
  public:
    // Resets: nothing is matched yet.
    void begin(size_t hypothesis, size_t reference);

    static constexpr size_t kPlaces = 64;  // bits of a machine word
    // Resets, and matches equal words with a reference of up to kPlaces words. The function returns the positions of a
    // hypothesis word in the reference, one bit each.
    template <class PlacesOf>
    void begin_by_places(MatchStage stage, size_t hypothesis, size_t reference, PlacesOf places_of) {
        begin(hypothesis, reference);
        uint64_t free = reference == 0 ? 0 : ~uint64_t{0} >> (kPlaces - reference);
        // Whether a word is found is unpredictable, so nothing branches on it.
        for (size_t i = hypothesis; i-- > 0;) {
            uint64_t fitting = places_of(i) & free;
            bool found = fitting != 0;
            auto place = static_cast<uint32_t>(kPlaces - 1) - static_cast<uint32_t>(std::countl_zero(fitting | 1));
            words_[i] = {place, found ? stage : MatchStage::None};
            free &= ~(uint64_t{found} << place);
        }
        for (size_t j = 0; j < reference; ++j) is_taken_[j] = (free >> j & 1) == 0;
        keep_unmatched();
    }

    // Matches words with equal keys, from 1 to `keys`. Key 0 matches nothing. The functions return the key at a
    // position.
    template <class HypothesisKey, class ReferenceKey>
    void match_equal(MatchStage stage, uint32_t keys, HypothesisKey hypothesis_key, ReferenceKey reference_key) {
        if (is_done()) return;
        uint32_t* last = last_.reserve(size_t{keys} + 1);
        uint32_t* own = own_keys_.reserve(hypothesis_left_);
        for (size_t k = 0; k < hypothesis_left_; ++k) last[own[k] = hypothesis_key(hypothesis_[k])] = kNone;
        chain_references(reference_key);
        last[0] = kNone;
        take(stage, [&](size_t k) { return own[k]; });
    }

    // Matches words with any of the keys that `hypothesis_keys` returns for a position.
    template <class HypothesisKeys, class ReferenceKey>
    void match_any(MatchStage stage, uint32_t keys, HypothesisKeys hypothesis_keys, ReferenceKey reference_key) {
        if (is_done()) return;
        uint32_t* last = last_.reserve(size_t{keys} + 1);
        std::fill_n(last, size_t{keys} + 1, kNone);
        chain_references(reference_key);
        take(stage, [&](size_t k) {
            uint32_t best = 0;
            for (uint32_t key : hypothesis_keys(hypothesis_[k]))
                if (last[key] != kNone && (best == 0 || last[key] > last[best])) best = key;
            return best;
        });
    }

    // One entry per hypothesis word.
    std::span<const MatchedWord> words() const { return {words_.data(), size_}; }
    size_t matches() const { return size_ - hypothesis_left_; }
    // The number of runs of matched words that are adjacent and in the same order on both sides.
    size_t chunks() const;

    // The positions that are not matched, in ascending order.
    std::span<const uint32_t> hypothesis_left() const { return {hypothesis_.data(), hypothesis_left_}; }
    std::span<const uint32_t> reference_left() const { return {reference_.data(), reference_left_}; }
    bool is_done() const { return hypothesis_left_ == 0 || reference_left_ == 0; }
    size_t left() const { return hypothesis_left_ + reference_left_; }

  private:
    static constexpr uint32_t kNone = UINT32_MAX;

    template <class Key>
    void chain_references(Key key_of) {
        uint32_t* keys = reference_keys_.reserve(reference_left_);
        for (size_t k = 0; k < reference_left_; ++k) last_[keys[k] = key_of(reference_[k])] = kNone;
        for (size_t k = 0; k < reference_left_; ++k) {
            earlier_[reference_[k]] = last_[keys[k]];
            last_[keys[k]] = reference_[k];
        }
    }

    template <class Key>
    void take(MatchStage stage, Key key_of) {
        size_t before = hypothesis_left_;
        for (size_t k = before; k-- > 0;) {
            uint32_t& place = last_[key_of(k)];
            if (place == kNone) continue;
            words_[hypothesis_[k]] = {place, stage};
            is_taken_[place] = true;
            place = earlier_[place];
        }
        keep_unmatched();
    }
    void keep_unmatched();

    size_t size_ = 0;
    size_t hypothesis_left_ = 0;
    size_t reference_left_ = 0;
    Buffer<MatchedWord> words_;
    Buffer<uint32_t> hypothesis_;  // unmatched positions, ascending
    Buffer<uint32_t> reference_;
    Buffer<uint32_t> own_keys_;
    Buffer<uint32_t> reference_keys_;
    Buffer<bool> is_taken_;     // by position in the reference
    Buffer<uint32_t> earlier_;  // by reference position: the previous free position with the same key
    Buffer<uint32_t> last_;     // by key: the last free position
};

}  // namespace refscore
