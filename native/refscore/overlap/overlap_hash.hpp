// Hashes of tokens and of n-grams of tokens.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/segments/vocabulary.hpp"

namespace refscore {

// Hashes tokens with given seeds, so a saved filter can be queried by other processes. The seeds should be odd.
class TokenHash {
  public:
    explicit TokenHash(HashSeeds seeds) : seeds_(seeds) {}

    uint64_t operator()(const Token& token, const uint8_t* arena) const {
        if (token.is_long()) return hash_long(arena + token.high, token.size);
        // The second round separates tokens that differ only in trailing zero bytes.
        return fold_multiply(fold_multiply(token.low ^ seeds_.first, token.high ^ seeds_.second) ^ token.size,
                             seeds_.first);
    }

  private:
    uint64_t hash_long(const uint8_t* bytes, size_t size) const;

    HashSeeds seeds_;
};

// Rolls a polynomial over the hashes of tokens. The last step mixes the bits, because the low bits of a polynomial
// modulo 2**64 depend on few bits of its terms.
class NgramHash {
  public:
    explicit NgramHash(size_t order) : order_(order) {
        require_order(order);
        for (size_t i = 1; i < order; ++i) last_ *= kBase;
    }

    size_t order() const { return order_; }

    // Calls take(hash) for each n-gram of the tokens, in order. hash_of(i) is the hash of token i; it is called twice
    // for most tokens.
    template <class HashOf, class Take>
    void roll(size_t tokens, HashOf hash_of, Take take) const {
        if (tokens < order_) return;
        uint64_t sum = 0;
        for (size_t i = 0; i < order_; ++i) sum = sum * kBase + hash_of(i);
        take(mixed(sum));
        for (size_t i = order_; i < tokens; ++i) {
            sum = (sum - hash_of(i - order_) * last_) * kBase + hash_of(i);
            take(mixed(sum));
        }
    }

  private:
    // Any odd number with irregular bits would do. They are the fractions of pi and e.
    static constexpr uint64_t kBase = 0x243f6a8885a308d3, kMix = 0xb7e151628aed2a6b;
    static uint64_t mixed(uint64_t sum) { return fold_multiply(sum ^ kMix, kBase); }

    size_t order_;
    uint64_t last_ = 1;  // the factor of the first token
};

// Reused for many documents.
struct NgramScratch {
    std::vector<uint64_t> tokens;   // hashes of the tokens of one document
    std::vector<uint64_t> ngrams;   // hashes of the n-grams of a few documents
    std::vector<size_t> starts;     // of each document in `ngrams`
    std::vector<size_t> passed;     // n-grams that may occur
    std::vector<uint32_t> numbers;  // of the tokens of one document in the vocabulary of the test set
    std::vector<uint32_t> matches;  // slots
};

// Appends the hashes of a document's n-grams to `scratch.ngrams`.
void append_ngrams(const TokenHash& hash, const NgramHash& ngrams, const TokenList& document, NgramScratch& scratch);

// The counts of a segment.
struct OverlapCounts {
    int64_t tokens = 0;
    int64_t ngrams = 0;
    int64_t matches = 0;  // n-grams that occur in the corpus
    int64_t covered = 0;  // tokens that are part of one

    // Counts one n-gram after another. `at` is its first token.
    void match(size_t at, size_t order) {
        ++matches;
        auto begin = static_cast<int64_t>(at), end = static_cast<int64_t>(at + order);
        covered += end - (begin > last_ ? begin : last_);
        last_ = end;
    }

  private:
    int64_t last_ = 0;  // the end of the last match
};

}  // namespace refscore
