// Agreement of metric scores with human scores, in groups of scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refscore {

// PairwisePearson is Pearson's correlation between the differences of all pairs of scores within groups.
enum class Agreement : uint8_t { Pearson, Spearman, TauB, TauC, Tau23, Acc23, KendallLike, PairwisePearson };

struct AgreementRule {
    Agreement statistic;
    // Tau23, Acc23: metric scores at most this far apart are tied. KendallLike: pairs of human scores less far apart do
    // not count.
    double threshold = 0;
    // A group without a value counts as 0, instead of being left out.
    bool zero_if_undefined = false;
    // Groups count by their pairs, instead of equally.
    bool weigh_by_pairs = false;
};

// The pairs of scores by order. A pair is concordant if both sides order it alike.
struct PairCounts {
    uint64_t concordant = 0, discordant = 0, metric_ties = 0, human_ties = 0, both_tie = 0;

    uint64_t all() const { return concordant + discordant + metric_ties + human_ties + both_tie; }
};

// Returns the statistic of a group with these pairs, and its weight in the mean. `classes` is the number of different
// scores of the side that has fewer; only TauC needs it.
double value_of_pairs(const AgreementRule& rule, const PairCounts& counts, size_t size, size_t classes, double& weight);

// The mean over groups; NaN if no group has a value.
class GroupMean {
  public:
    void add(const AgreementRule& rule, double value, double weight);
    double value() const;

  private:
    double sum_ = 0, weights_ = 0;
};

// Multiplies finite scores by a power of 2, so the largest one is from 1 to 2. Their squares then do not overflow.
void scale_near_one(std::span<double> scores);

// Computes agreement. Contains scratch memory: one object per thread.
class AgreementScorer {
  public:
    explicit AgreementScorer(const AgreementRule& rule) : rule_(rule) {}

    // Returns the mean over groups; group g has the scores from starts[g] to starts[g + 1]. NaN if no group has a
    // value. For PairwisePearson, the differences of all groups have one correlation.
    double score(std::span<const double> human, std::span<const double> metric, std::span<const size_t> starts);

    // Returns the value of one group; `weight` receives its weight in the mean. NaN if it is undefined, for example if
    // all scores of one side are equal.
    double group(std::span<const double> human, std::span<const double> metric, double& weight);

  private:
    PairCounts count(std::span<const double> human, std::span<const double> metric);
    PairCounts count_by_sorting(std::span<const double> human, std::span<const double> metric);
    void rank(std::span<const double> scores, std::vector<double>& ranks);
    size_t classes(std::span<const double> scores);

    AgreementRule rule_;
    std::vector<uint32_t> order_;
    std::vector<double> sorted_, merged_, human_ranks_, metric_ranks_;
};

}  // namespace refscore
