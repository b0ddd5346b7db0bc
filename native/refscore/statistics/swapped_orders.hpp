// The order of two metrics' scores that are swapped in some positions, in many draws at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/simd/swapped_ranks.hpp"
#include "refscore/statistics/agreement.hpp"

namespace refscore {

// The order of human scores in groups, computed once for all metrics.
class HumanOrder {
  public:
    // A group must not have more scores, because counts have 16 bits.
    static constexpr size_t kMost = (size_t{1} << 16) - 1;

    // Group g has the scores from starts[g] to starts[g + 1].
    HumanOrder(std::span<const double> human, std::span<const size_t> starts);

    struct Position {
        uint32_t position;
        bool is_last;  // of the positions with its score
    };
    struct Group {
        size_t begin, end;   // in positions()
        uint64_t ties = 0;   // pairs of equal scores
        size_t classes = 0;  // different scores
    };
    const std::vector<Group>& groups() const { return groups_; }
    // In ascending order of scores in each group.
    const std::vector<Position>& positions() const { return positions_; }

  private:
    std::vector<Group> groups_;
    std::vector<Position> positions_;
};

// Counts the pairs of each group for two metrics, for kRankDraws draws at a time. Contains scratch memory.
class SwappedOrders {
  public:
    // The order must exist as long as this object is used. Different scores are counted on request.
    void start(const HumanOrder& human, std::span<const double> one, std::span<const double> other,
               bool counts_classes);

    struct Counts {
        PairCounts pairs;
        size_t classes;  // different scores of the metric, on request
    };
    // Bit `shift` + d of swapped[i] is set if draw d swaps position i. Writes the counts of both metrics in the first
    // `draws` draws.
    void count(size_t group, const uint64_t* swapped, unsigned shift, size_t draws, Counts (&out)[2][kRankDraws]);

  private:
    // A score of the first metric (side 0) or of the second one, and its place in the order of human scores.
    struct Value {
        double score;
        uint32_t place, side;
    };
    // Classes of equal scores in a group: their members and ends for count_in_classes().
    struct Classes {
        size_t members, ends, count;
    };
    struct Group {
        size_t ranks;
        uint64_t unequal;     // pairs of positions with different human scores
        Classes equal, both;  // scores that are equal, and those that are also at positions with equal human scores
    };
    // Adds the classes of at least `least` neighbours in values_ that are equal.
    template <class IsEqual>
    Classes add_classes(const HumanOrder::Position* positions, size_t least, IsEqual is_equal);

    const HumanOrder* human_ = nullptr;
    std::vector<Group> groups_;
    std::vector<RankStep> steps_;
    std::vector<uint32_t> members_, ends_;
    std::vector<Value> values_;
    std::vector<uint32_t> human_classes_, lower_;
    std::vector<uint16_t> tree_;
};

}  // namespace refscore
