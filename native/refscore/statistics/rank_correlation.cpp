#include "refscore/statistics/rank_correlation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace refscore {
namespace {

constexpr size_t kBits = 64;  // of a machine word: one per rank

// For ranks below 64. seen[0] has a bit for each rank seen so far, seen[1] for each rank seen at least twice, and so
// on.
uint64_t count_by_bits(std::span<const uint32_t> ranks) {
    std::array<uint64_t, kBits> seen;
    seen[0] = 0;
    size_t depth = 1;
    uint64_t pairs = 0;
    for (size_t place = 0; place < ranks.size(); ++place) {
        uint64_t bit = uint64_t{1} << ranks[place];
        if (seen[0] < bit) {  // the usual case: all earlier ranks are smaller
            pairs += place;
            seen[0] |= bit;
            continue;
        }
        size_t level = depth;
        for (size_t i = depth; i-- > 0;) {
            pairs += static_cast<uint64_t>(std::popcount(seen[i] & (bit - 1)));
            if ((seen[i] & bit) == 0) level = i;
        }
        if (level == depth) seen[depth++] = 0;
        seen[level] |= bit;
    }
    return pairs;
}

}  // namespace

uint64_t AscendingPairs::count(std::span<const uint32_t> ranks, size_t limit) {
    return limit <= kBits && ranks.size() <= kBits ? count_by_bits(ranks) : count_by_tree(ranks, limit);
}

// A Fenwick tree counts the ranks seen so far.
uint64_t AscendingPairs::count_by_tree(std::span<const uint32_t> ranks, size_t limit) {
    tree_.assign(limit + 1, 0);
    uint64_t pairs = 0;
    for (uint32_t rank : ranks) {
        for (size_t i = rank; i > 0; i &= i - 1) pairs += tree_[i];
        for (size_t i = rank + size_t{1}; i <= limit; i += i & (~i + 1)) ++tree_[i];
    }
    return pairs;
}

uint64_t AscendingPairs::count(std::span<const int64_t> ranks) {
    std::vector<int64_t> values(ranks.begin(), ranks.end());
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<uint32_t> places;
    places.reserve(ranks.size());
    for (int64_t rank : ranks)
        places.push_back(static_cast<uint32_t>(std::lower_bound(values.begin(), values.end(), rank) - values.begin()));
    return count(places, values.size());
}

uint64_t pairs_in_runs(std::span<const uint32_t> ranks) {
    uint64_t pairs = 0, run = 0;  // each rank of a run forms a pair with every earlier rank of the run
    for (size_t i = 1; i < ranks.size(); ++i) {
        run = ranks[i] == ranks[i - 1] + 1 ? run + 1 : 0;
        pairs += run;
    }
    return pairs;
}

double SpearmanRho::of(std::span<const uint32_t> ranks) {
    size_t size = ranks.size();
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return ranks[a] < ranks[b]; });
    double squares = 0;
    for (size_t begin = 0, end; begin < size; begin = end) {
        for (end = begin + 1; end < size && ranks[order_[end]] == ranks[order_[begin]];) ++end;
        double own = static_cast<double>(begin + end - 1) / 2;
        for (size_t i = begin; i < end; ++i) {
            double difference = own - static_cast<double>(order_[i]);
            squares += difference * difference;
        }
    }
    double n = static_cast<double>(size);
    return 1 - squares / ((n + 1) * n * (n - 1) / 6);
}

}  // namespace refscore
