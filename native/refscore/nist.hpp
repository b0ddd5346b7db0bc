// NIST: the information of matching n-grams, by how rare they are in the references that the metric was fitted on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collection.hpp"
#include "compensated_sum.hpp"
#include "ngrams.hpp"
#include "segments.hpp"

namespace refscore {

// What n-grams are worth. An n-gram's weight is log2 of how often the n-gram without its last token occurs over how often it
// occurs itself. What never follows an n-gram twice is worth nothing, so longer n-grams of such are not kept.
class NistInformation {
  public:
    // Of texts of these tokens, which are ids or else strings; the tokens get other numbers.
    NistInformation(Lexicon lexicon, Collection collection, size_t max_order, bool ids);
    // What bytes() wrote; throws std::invalid_argument for anything else.
    explicit NistInformation(std::span<const char> bytes);

    // The same for the same counts, whatever the order of the texts.
    std::string bytes() const;

    bool takes(ItemKind kind) const { return lexicon_.size() == 0 || (kind == ItemKind::Ids) == ids_; }
    size_t max_order() const { return max_order_; }
    // N-grams that are kept. They have numbers from 1: first the tokens, then longer ones.
    size_t size() const { return weights_.size() - 1; }
    uint32_t token(const Token& token, const uint8_t* arena) const { return lexicon_.find(token, arena); }
    // The number of the n-gram that is this one and a token more; kUnknown if it is not kept.
    uint32_t longer(uint32_t ngram, uint32_t token) const;
    double weight(uint32_t ngram) const { return weights_[ngram]; }

  private:
    struct Ngram {
        uint32_t shorter;  // the n-gram without its last token
        uint32_t last;
        uint32_t count;
    };
    struct Slot {
        uint64_t key;
        uint32_t ngram;  // kUnknown: free
    };
    static uint64_t key(uint32_t ngram, uint32_t token) { return static_cast<uint64_t>(ngram) << 32 | token; }
    size_t slot_of(uint64_t key) const;
    uint32_t count_of(uint32_t ngram) const;
    void build();

    Lexicon lexicon_;
    bool ids_;
    uint32_t max_order_;
    uint64_t words_ = 0;                // of all references
    std::vector<uint32_t> counts_;      // of tokens, by number
    std::vector<Ngram> ngrams_;         // longer ones
    std::vector<Slot> slots_;           // of longer ones
    std::vector<double> weights_;       // by number; 0 for kUnknown
};

// Scratch memory of one thread.
class Nist {
  public:
    // hyp_len, ref_len, information of each order, n-grams of each order
    static size_t columns(size_t max_order) { return 2 + 2 * max_order; }

    // For each order the reference with the most matching information counts, the longest of equally good ones; ref_len is the
    // sum of their lengths over the orders.
    void row(const NistInformation& information, std::span<const uint32_t> hypothesis, const NumberedReferences& references, double* row);

  private:
    // Of one order, the reference that counts so far.
    struct Best {
        double information;
        uint32_t length;
    };

    Buffer<uint64_t> matched_;  // by token, a bit for each order that matches up to it
    Buffer<uint32_t> tokens_;   // of the hypothesis, as the information numbers them
    Buffer<uint32_t> ngrams_;   // that begin at each token, as far as they were needed
    Buffer<uint32_t> orders_;   // of these
    Buffer<double> weights_;    // by token and order, as far as they were needed
    std::vector<CompensatedSum> sums_;
    std::vector<Best> best_;
    NgramCounter counter_;
};

struct NistParts {
    double value = 0;
    double length_penalty = 0;
    std::vector<double> information;  // mean of the n-grams of each order
};

void nist_score(size_t max_order, const double* row, NistParts& parts);

}  // namespace refscore
