// NIST: the information of matching n-grams, based on their frequency in the references of fit().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "refscore/ngrams/ngram_counts.hpp"
#include "refscore/ngrams/ngrams.hpp"
#include "refscore/segments/collection.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/statistics/compensated_sum.hpp"

namespace refscore {

// The information weights of n-grams. The weight is log2 of the count of the n-gram without its last token, divided by
// its own count. N-grams that extend one with a single occurrence have weight 0 and are not stored.
class NistInformation {
  public:
    // Counts the n-grams of these texts. `ids`: tokens are ids, not strings. Tokens are renumbered.
    NistInformation(Lexicon lexicon, Collection collection, size_t max_order, bool ids);
    // Reads the result of bytes(). Throws std::invalid_argument for invalid bytes.
    explicit NistInformation(std::span<const char> bytes);

    // Equal counts give equal bytes, for any order of the texts.
    std::string bytes() const;

    bool takes(ItemKind kind) const { return counts_.takes(kind); }
    size_t max_order() const { return counts_.max_order(); }
    size_t size() const { return counts_.size(); }
    uint32_t token(const Token& token, const uint8_t* arena) const { return counts_.token(token, arena); }
    // Returns the number of the n-gram extended by a token, or kUnknown if it is not stored.
    uint32_t longer(uint32_t ngram, uint32_t token) const { return counts_.longer(ngram, token); }
    double weight(uint32_t ngram) const { return weights_[ngram]; }

  private:
    void weigh();

    NgramCounts counts_;           // the total is the number of tokens in all references
    std::vector<double> weights_;  // by number; 0 for kUnknown
};

// One instance per thread.
class Nist {
  public:
    // hyp_len, ref_len, information of each order, n-grams of each order
    static size_t columns(size_t max_order) { return 2 + 2 * max_order; }

    // For each order, the reference with the most matching information counts, the longest of equals. ref_len is the
    // sum of their lengths over the orders.
    void row(const NistInformation& information, std::span<const uint32_t> hypothesis,
             const NumberedReferences& references, std::span<double> row);

  private:
    // The best reference so far, for one order.
    struct Best {
        double information;
        uint32_t length;
    };

    Buffer<uint64_t> matched_;  // by token: one bit per matching order that ends there
    Buffer<uint32_t> tokens_;   // of the hypothesis, as numbered by NistInformation
    Buffer<uint32_t> ngrams_;   // n-grams that begin at each token, computed on demand
    Buffer<uint32_t> orders_;   // their current orders
    Buffer<double> weights_;    // by token and order, computed on demand
    std::vector<CompensatedSum> sums_;
    std::vector<Best> best_;
    NgramCounter counter_;
};

struct NistParts {
    double value = 0;
    double length_penalty = 0;
    std::vector<double> information;  // mean per n-gram of each order
};

void nist_score(size_t max_order, std::span<const double> row, NistParts& parts);

}  // namespace refscore
