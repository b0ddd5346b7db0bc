// CIDEr and CIDEr-D: the mean cosine similarity of a hypothesis and its references, as vectors of n-grams weighted by
// tf-idf.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/ngram_counts.hpp"
#include "refscore/ngrams/pair_numbers.hpp"
#include "refscore/segments/collection.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// The number of documents that contain each n-gram. A document is the references of one segment. An n-gram weighs the
// logarithm of the number of documents minus the logarithm of its own number. N-grams of at most one document weigh the
// same, so of those only tokens and prefixes of other n-grams are stored.
class DocumentFrequencies {
  public:
    // Counts the n-grams of these texts. `documents`: the document of each text, in ascending order, below `total`.
    DocumentFrequencies(Lexicon lexicon, Collection collection, std::span<const uint32_t> documents, uint64_t total,
                        size_t max_order, bool ids);
    // Reads the result of bytes(). Throws std::invalid_argument for invalid bytes.
    explicit DocumentFrequencies(std::span<const char> bytes);
    // Uses known numbers: each text of the collection is an n-gram, with its number of documents.
    static DocumentFrequencies of_ngrams(Lexicon lexicon, Collection ngrams, std::span<const uint32_t> frequencies,
                                         uint64_t total, size_t max_order, bool ids);

    // Equal numbers give equal bytes, for any order of the documents.
    std::string bytes() const;

    bool takes(ItemKind kind) const { return counts_.takes(kind); }
    size_t max_order() const { return counts_.max_order(); }
    size_t size() const { return counts_.size(); }
    uint64_t documents() const { return counts_.total(); }
    uint32_t token(const Token& token, const uint8_t* arena) const { return counts_.token(token, arena); }
    // Returns the number of the n-gram extended by a token, or kUnknown if it is not stored.
    uint32_t longer(uint32_t ngram, uint32_t token) const { return counts_.longer(ngram, token); }
    double weight(uint32_t ngram) const { return weights_[ngram]; }

  private:
    explicit DocumentFrequencies(NgramCounts counts);

    NgramCounts counts_;           // the total is the number of documents
    std::vector<double> weights_;  // by number; kUnknown has the weight of n-grams that are not stored
};

struct CiderSettings {
    bool clip = true;                 // whether a hypothesis n-gram weighs at most as much as in the reference
    std::optional<double> sigma = 6;  // of the Gaussian penalty for different lengths, if there is one

    void check() const {
        require(!sigma || (std::isfinite(*sigma) && *sigma > 0), "sigma must be a finite number above 0");
    }
};

// One instance per thread.
class Cider {
  public:
    static constexpr double kFactor = 10;  // all implementations multiply the mean similarity by 10

    // The similarity of each order, as a mean over the references, and 1 for the number of segments.
    static size_t columns(size_t max_order) { return max_order + 1; }
    void row(const CiderSettings& settings, const DocumentFrequencies& frequencies, const NumberedTexts& hypothesis,
             const NumberedReferences& references, std::span<double> row);
    static double value(size_t max_order, std::span<const double> row);

  private:
    // A distinct n-gram of the segment, of the current order.
    struct Ngram {
        uint32_t known;       // its number in DocumentFrequencies
        uint32_t hypothesis;  // occurrences in the hypothesis
        uint32_t reference;   // occurrences in the current reference
        double weight;
    };

    void number_tokens(const DocumentFrequencies& frequencies, const NumberedTexts& hypothesis,
                       const NumberedReferences& references);
    void number_ngrams(const DocumentFrequencies& frequencies, size_t order);

    Vocabulary others_;             // tokens that only the hypothesis has
    Buffer<uint32_t> known_;        // by token: its number in DocumentFrequencies
    Buffer<uint32_t> tokens_;       // of the hypothesis and all references
    Buffer<uint32_t> numbers_;      // of the n-grams that begin at each token
    std::vector<uint32_t> starts_;  // of the texts in tokens_, and the end
    PairNumbers pairs_;
    std::vector<Ngram> ngrams_, shorter_;  // by number; number 0 is unused
    std::vector<uint32_t> distinct_;       // n-grams of the current reference
    std::vector<double> penalties_;        // by reference
};

}  // namespace refscore
