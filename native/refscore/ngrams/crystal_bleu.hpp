// CrystalBLEU: BLEU without the most frequent n-grams of a set of texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "refscore/ngrams/bleu.hpp"
#include "refscore/ngrams/ngram_counts.hpp"
#include "refscore/segments/collection.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// The most frequent n-grams. Of equally frequent ones, shorter n-grams come first, then those that occur first, as in
// Python's Counter if the n-grams of each order are added after all shorter ones. Every part of a frequent n-gram is
// therefore frequent too.
class FrequentNgrams {
  public:
    // Finds the `most` most frequent n-grams of these texts. `ids`: tokens are ids, not strings.
    FrequentNgrams(const Lexicon& lexicon, const Collection& collection, size_t max_order, size_t most, bool ids);
    // Reads the result of bytes(). Throws std::invalid_argument for invalid bytes.
    explicit FrequentNgrams(std::span<const char> bytes);

    // Equal n-grams with equal counts give equal bytes.
    std::string bytes() const;

    bool takes(ItemKind kind) const { return counts_.takes(kind); }
    size_t max_order() const { return counts_.max_order(); }
    size_t size() const { return counts_.size(); }
    uint32_t token(const Token& token, const uint8_t* arena) const { return counts_.token(token, arena); }
    // Returns the number of the n-gram extended by a token, or kUnknown if it is not frequent.
    uint32_t longer(uint32_t ngram, uint32_t token) const { return counts_.longer(ngram, token); }
    // Returns how often the n-gram occurs, or 0 for kUnknown.
    uint32_t weight(uint32_t ngram) const { return counts_.count(ngram); }

  private:
    NgramCounts counts_;
};

// One instance per thread.
class CrystalBleu {
  public:
    // Writes a row with the columns of BLEU. N-grams of `ignored` count neither as matches nor as n-grams of the
    // hypothesis.
    void row(const BleuSettings& settings, const FrequentNgrams& ignored, const NumberedTexts& hypothesis,
             const NumberedReferences& references, std::span<int64_t> row);

  private:
    NgramCounter counter_;
    Buffer<uint64_t> matched_;  // by hypothesis token: one bit per matching order that ends there
    Buffer<uint32_t> tokens_;   // by hypothesis token: its number in FrequentNgrams
};

}  // namespace refscore
