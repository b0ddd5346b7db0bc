// SARI: n-grams that the hypothesis keeps, deletes and adds, compared with those that the references keep, delete and
// add.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/pair_numbers.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/segments/vocabulary.hpp"

namespace refscore {

// How the kept and deleted n-grams of a segment are counted. Added n-grams are always counted once.
enum class SariCounting : uint8_t {
    Counts,  // sums of counts; source and hypothesis count once per reference
    Ratios,  // the mean of a ratio of such counts over the different n-grams
    Sets,    // each n-gram once, weighted by the share of references that have it
};

// The recall of kept n-grams with ratios: a ratio of sums of counts, or a mean of ratios.
using SariRecall = SariCounting;
enum class SariUndefined : uint8_t { Zero, One };  // the value of 0/0 in precision and recall
enum class SariDeletion : uint8_t { F1, Precision };
// F1 of each order before the mean, or F1 of the mean precision and recall.
enum class SariOrderAverage : uint8_t { Scores, Precisions };
// A corpus score is the score of summed counts, or the mean of segment scores.
enum class SariAverage : uint8_t { Corpus, Segments };
// A text without tokens has none, or one, which only such texts have.
enum class SariEmptyText : uint8_t { Nothing, Token };

struct SariSettings {
    size_t max_order = 4;
    SariCounting counting = SariCounting::Counts;
    SariRecall keep_recall = SariRecall::Counts;
    SariUndefined undefined = SariUndefined::Zero;
    SariDeletion deletion = SariDeletion::F1;
    SariOrderAverage order_average = SariOrderAverage::Scores;
    SariAverage average = SariAverage::Corpus;
    SariEmptyText empty_text = SariEmptyText::Nothing;

    void check() const {
        require_order(max_order);
        require(counting != SariCounting::Ratios || is_mean(), "ratios of a segment cannot be summed over a corpus");
    }
    bool is_mean() const { return average == SariAverage::Segments; }
    size_t columns() const { return is_mean() ? 4 : 9 * max_order; }
    bool has_counts() const { return !is_mean() && counting == SariCounting::Counts; }
};

// The n-grams of one order that one operation (keep, delete or add) concerns.
struct SariOperation {
    double correct = 0;   // selected by the hypothesis and by the references
    double selected = 0;  // by the hypothesis
    double relevant = 0;  // selected by the references
    double recalled = 0;  // like `correct`, in the unit of `relevant`
};

// In the order of a row.
enum SariOperationIndex : size_t { kSariKeep, kSariDelete, kSariAdd, kSariOperations };

// One instance per thread.
class Sari {
  public:
    // Writes the row of a segment. The first reference is the source.
    template <class T>
    void row(const SariSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
             const NumberedReferences& source_and_references, std::span<T> out);
    // Writes the scores of keep, delete and add of a row.
    void operation_scores(const SariSettings& settings, std::span<const double> row, std::span<double> out);
    double value(const SariSettings& settings, std::span<const double> row);

  private:
    struct NgramCounts {
        uint32_t source = 0;
        uint32_t hypothesis = 0;
        uint32_t references = 0;      // the sum over all references
        uint32_t reference_sets = 0;  // the number of references that have it
        uint32_t last_reference = 0;
    };

    void number_tokens(const SariSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                       const NumberedReferences& source_and_references);
    void count_order(size_t order);
    SariOperation* count_operations(const SariSettings& settings);
    void add_ngram(const SariSettings& settings, const NgramCounts& counts, SariOperation* operations) const;
    static void score_operations(const SariSettings& settings, const SariOperation* operations, std::span<double> out);

    // All texts, one after the other: the source, the references, the hypothesis.
    Buffer<uint32_t> tokens_;
    Buffer<uint32_t> ngrams_;  // the number of the n-gram that begins at each token
    Buffer<size_t> lengths_;
    size_t texts_ = 0;
    size_t positions_ = 0;
    uint32_t longest_ = 0;
    uint32_t token_count_ = 0;    // the number of different tokens
    uint32_t ngram_count_ = 0;    // of the current order
    double full_references_ = 0;  // the number of references with n-grams of the current order
    Vocabulary unknown_;
    PairNumbers pairs_;
    Buffer<NgramCounts> counts_;
    Buffer<SariOperation> operations_;  // keep, delete and add of each order
};

}  // namespace refscore
