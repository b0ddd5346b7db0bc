// BLEU of all pairs of a group of texts, and with a whole group at once: each text's n-grams are counted once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bleu.hpp"
#include "common_counts.hpp"
#include "prepared.hpp"
#include "ngram_index.hpp"

namespace refscore {

// The scores of hypotheses without the brevity penalty, from tables of logarithms: a hypothesis has few possible precisions. They
// are the same to the last bit as those of bleu_score.
class BleuTables {
  public:
    // Whether there are tables for these settings at all: each order's precision has to depend on its own matches, and on how many
    // orders before have none; and the brevity penalty has to be the usual one.
    static bool take(const BleuSettings& settings) {
        return settings.smoothing < Smoothing::Nltk1 && settings.smoothing != Smoothing::Coco && settings.require_match != RequireMatch::EveryOrder;
    }

    // Tables for hypotheses of these lengths; false if they would be too large to pay for `pairs`.
    bool build(const BleuSettings& settings, std::span<const size_t> lengths, size_t pairs);

    // How many lengths there are, each, and which one a hypothesis has.
    size_t size() const { return of_length_.size(); }
    size_t length(size_t number) const { return of_length_[number].length; }
    uint32_t number_of(size_t hypothesis) const { return numbers_[hypothesis]; }

    // For a length's number and the matches of all orders, `step` apart. With one reference, an n-gram that matches has a prefix that
    // does.
    double score(uint32_t number, const uint32_t* matches, size_t step) const;

  private:
    struct OfLength {
        size_t length;
        size_t terms;         // where its logarithms begin: by order and matches, then by order and orders without matches
        size_t orders;        // that count
        bool is_zero;         // whatever the matches
        double redistributed; // the weight of orders that do not exist, as a factor for the others
    };

    void fill(OfLength& one);

    BleuSettings settings_;
    std::vector<OfLength> of_length_;
    std::vector<uint32_t> numbers_;
    std::vector<double> terms_;  // weight times logarithm; infinite where the score is 0
};

class BleuPairs {
  public:
    // Scratch memory of one thread.
    struct Scratch {
        CommonCounts::Scratch common;
        std::vector<uint32_t> matches;  // by order and hypothesis
        std::vector<double> penalties;  // by length
        std::vector<double> row;
        BleuParts parts;
    };

    // Every segment of the references has to have exactly one.
    static bool takes(const PreparedReferences& references);

    void build(const BleuSettings& settings, const std::vector<TokenList>& hypotheses, const PreparedReferences& references);
    // How much memory is kept for the next call.
    size_t bytes() const { return index_.bytes() + common_.bytes(); }

    // The scores of all hypotheses with one reference.
    void scores(Scratch& scratch, size_t reference, double* out) const;

  private:
    BleuSettings settings_;
    size_t hypotheses_ = 0;
    std::vector<size_t> lengths_;  // hypotheses first
    NgramIndex index_;
    CommonCounts common_;
    BleuTables tables_;
    bool has_tables_ = false;
};

// The scores of all hypotheses with the mean of the references' counts and lengths, weighted unless `weights` is empty; every segment
// of the references has to have exactly one.
void bleu_with_all(const BleuSettings& settings, const std::vector<TokenList>& hypotheses, const PreparedReferences& references,
                   std::span<const double> weights, double* scores);

}  // namespace refscore
