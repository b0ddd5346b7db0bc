// BLEU of all pairs of a group of texts, and with a whole group at once. The n-grams of each text are counted only
// once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/ngrams/bleu.hpp"
#include "refscore/ngrams/common_counts.hpp"
#include "refscore/ngrams/ngram_index.hpp"
#include "refscore/segments/prepared.hpp"

namespace refscore {

// Scores hypotheses without the brevity penalty, from tables of logarithms: a hypothesis of a given length has few
// possible precisions. The scores equal those of bleu_score to the last bit.
class BleuTables {
  public:
    // Whether these settings allow tables. The precision of an order must depend only on its matches and on the number
    // of lower orders without matches, and the brevity penalty must be the usual one.
    static bool take(const BleuSettings& settings) {
        return settings.smoothing < Smoothing::Nltk1 && settings.smoothing != Smoothing::Coco &&
               settings.no_match != NoMatch::ZeroIfAny;
    }

    // Builds tables for hypotheses of these lengths. Returns false if `pairs` are too few to pay for them.
    bool build(const BleuSettings& settings, std::span<const size_t> lengths, size_t pairs);

    // The number of distinct lengths, each of them, and the one that a hypothesis has.
    size_t size() const { return of_length_.size(); }
    size_t length(size_t number) const { return of_length_[number].length; }
    uint32_t number_of(size_t hypothesis) const { return numbers_[hypothesis]; }

    // The score for a length and the matches of all orders, `step` apart. With one reference, the prefix of a matching
    // n-gram always matches too.
    double score(uint32_t number, const uint32_t* matches, size_t step) const;

  private:
    struct OfLength {
        size_t length;
        size_t terms;   // offset of its logarithms: by order and matches, then by order and number of orders without
                        // matches
        size_t orders;  // the number of orders that count
        bool is_zero;   // the score is 0 for any matches
        double redistributed;  // factor that gives the weight of missing orders to the others
    };

    void fill(OfLength& one);

    BleuSettings settings_;
    std::vector<OfLength> of_length_;
    std::vector<uint32_t> numbers_;
    std::vector<double> terms_;  // weight times logarithm; -infinity if the score is 0
};

class BleuPairs {
  public:
    // One instance per thread.
    struct Scratch {
        CommonCounts::Scratch common;
        std::vector<uint32_t> matches;  // by order and hypothesis
        std::vector<double> penalties;  // by length
        std::vector<double> row;
        BleuParts parts;
    };

    // Whether every segment has exactly one reference.
    static bool takes(const PreparedReferences& references);

    void build(const BleuSettings& settings, const std::vector<TokenList>& hypotheses,
               const PreparedReferences& references, size_t threads);
    // The memory that stays allocated between calls.
    size_t bytes() const { return index_.bytes() + common_.bytes(); }

    // Writes the scores of all hypotheses with one reference.
    void scores(Scratch& scratch, size_t reference, std::span<double> out) const;

  private:
    BleuSettings settings_;
    size_t hypotheses_ = 0;
    std::vector<size_t> lengths_;  // hypotheses first
    NgramIndex index_;
    CommonCounts common_;
    BleuTables tables_;
    bool has_tables_ = false;
};

// Scores all hypotheses with the mean of the references' counts and lengths, weighted unless `weights` is empty. Every
// segment must have exactly one reference.
void bleu_with_all(const BleuSettings& settings, const std::vector<TokenList>& hypotheses,
                   const PreparedReferences& references, std::span<const double> weights, std::span<double> scores);

}  // namespace refscore
