#include "refscore/statistics/swapped_orders.hpp"

#include <algorithm>
#include <numeric>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Nanoseconds per score and draw, for checkpoint(). Only the order of magnitude matters.
constexpr size_t kRankWork = 2;

}  // namespace

HumanOrder::HumanOrder(std::span<const double> human, std::span<const size_t> starts) {
    std::vector<uint32_t> order;
    for (size_t g = 0; g + 1 < starts.size(); ++g) {
        size_t size = starts[g + 1] - starts[g];
        require(size <= kMost, "a group has too many scores");
        order.resize(size);
        std::iota(order.begin(), order.end(), static_cast<uint32_t>(starts[g]));
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return human[a] < human[b]; });
        Group group{positions_.size(), positions_.size() + size};
        for (size_t i = 0, run = 1; i < size; ++i, ++run) {
            bool is_last = i + 1 == size || human[order[i]] != human[order[i + 1]];
            positions_.push_back({order[i], is_last});
            if (!is_last) continue;
            group.ties += run * (run - 1) / 2;
            ++group.classes;
            run = 0;
        }
        groups_.push_back(group);
    }
}

void SwappedOrders::start(const HumanOrder& human, std::span<const double> one, std::span<const double> other,
                          bool counts_classes) {
    human_ = &human;
    groups_.clear();
    steps_.clear();
    members_.clear();
    ends_.clear();
    for (const HumanOrder::Group& from : human.groups()) {
        const HumanOrder::Position* positions = human.positions().data() + from.begin;
        size_t size = from.end - from.begin, most_ranks = 0;
        checkpoint(size * kRankWork * kRankDraws);
        values_.clear();
        human_classes_.clear();
        for (size_t i = 0, human_class = 0; i < size; ++i) {
            values_.push_back({one[positions[i].position], static_cast<uint32_t>(i), 0});
            values_.push_back({other[positions[i].position], static_cast<uint32_t>(i), 1});
            human_classes_.push_back(static_cast<uint32_t>(human_class));
            human_class += positions[i].is_last;
            steps_.push_back({positions[i].position, {}, {}, positions[i].is_last});
        }
        // Equal scores in the order of human scores.
        std::sort(values_.begin(), values_.end(), [](const Value& a, const Value& b) {
            return a.score != b.score ? a.score < b.score : a.place < b.place;
        });
        RankStep* steps = steps_.data() + from.begin;
        for (size_t i = 0; i < values_.size(); ++i) {
            most_ranks += i == 0 || values_[i].score != values_[i - 1].score;
            steps[values_[i].place].rank[values_[i].side] = static_cast<uint32_t>(most_ranks);
        }
        Group group{most_ranks, size * (size - std::min<size_t>(size, 1)) / 2 - from.ties, {}, {}};
        group.equal = add_classes(positions, counts_classes ? 1 : 2,
                                  [](const Value& a, const Value& b) { return a.score == b.score; });
        group.both = add_classes(positions, 2, [&](const Value& a, const Value& b) {
            return a.score == b.score && human_classes_[a.place] == human_classes_[b.place];
        });
        groups_.push_back(group);
        // The same tree as for draws, with the scores of both metrics.
        lower_.assign(most_ranks + 1, 0);
        for (size_t begin = 0, end; begin < size; begin = end) {
            for (end = begin + 1; steps[end - 1].is_last == 0;) ++end;
            for (size_t i = begin; i < end; ++i)
                for (size_t side = 0; side < 2; ++side)
                    for (size_t rank = steps[i].rank[side]; rank > 0; rank &= rank - 1)
                        steps[i].at_most[side] += lower_[rank];
            for (size_t i = begin; i < end; ++i)
                for (uint32_t own : steps[i].rank)
                    for (size_t rank = own; rank <= most_ranks; rank += rank & (~rank + 1)) ++lower_[rank];
        }
        tree_.resize(std::max(tree_.size(), (most_ranks + 1) * kRankDraws));
    }
}

template <class IsEqual>
SwappedOrders::Classes SwappedOrders::add_classes(const HumanOrder::Position* positions, size_t least,
                                                  IsEqual is_equal) {
    Classes classes{members_.size(), ends_.size(), 0};
    for (size_t begin = 0, end; begin < values_.size(); begin = end) {
        for (end = begin + 1; end < values_.size() && is_equal(values_[begin], values_[end]);) ++end;
        if (end - begin < least) continue;
        for (size_t i = begin; i < end; ++i)
            members_.push_back(2 * positions[values_[i].place].position + values_[i].side);
        ends_.push_back(static_cast<uint32_t>(members_.size() - classes.members));
        ++classes.count;
    }
    return classes;
}

void SwappedOrders::count(size_t group, const uint64_t* swapped, unsigned shift, size_t draws,
                          Counts (&out)[2][kRankDraws]) {
    static const auto best_ascending = best_function(&count_ascending, REFSCORE_IF_X86(&count_ascending_avx2),
                                                     REFSCORE_IF_X86(&count_ascending_avx512));
    static const auto best_in_classes = best_function(&count_in_classes, REFSCORE_IF_X86(&count_in_classes_avx2),
                                                      REFSCORE_IF_X86(&count_in_classes_avx512));
    const HumanOrder::Group& from = human_->groups()[group];
    const Group& own = groups_[group];
    size_t size = from.end - from.begin;
    uint64_t all = own.unequal + from.ties;
    checkpoint(size * kRankWork * kRankDraws);
    DrawCounts at_most, ties, both, classes, unused;
    best_ascending(steps_.data() + from.begin, size, own.ranks, swapped, shift, tree_.data(), at_most);
    auto count_classes = [&](const Classes& of, DrawCounts& pairs, DrawCounts& filled) {
        best_in_classes(members_.data() + of.members, ends_.data() + of.ends, of.count, swapped, shift, pairs, filled);
    };
    count_classes(own.equal, ties, classes);
    count_classes(own.both, both, unused);
    for (size_t side = 0; side < 2; ++side)
        for (size_t d = 0; d < draws; ++d) {
            uint64_t discordant = own.unequal - at_most[side][d], metric_ties = ties[side][d], both_tie = both[side][d];
            uint64_t concordant = all - from.ties - metric_ties + both_tie - discordant;
            out[side][d] = {{concordant, discordant, metric_ties - both_tie, from.ties - both_tie, both_tie},
                            classes[side][d]};
        }
}

}  // namespace refscore
