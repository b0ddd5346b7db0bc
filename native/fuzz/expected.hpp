// The expected results of the kernels, by slow and simple definitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace refscore::fuzzing {

using Words = std::vector<uint32_t>;
using Sequence = std::span<const uint32_t>;
using Counts = std::map<Words, int64_t>;

inline Counts ngrams(Sequence tokens, size_t order) {
    Counts counts;
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        ++counts[Words(tokens.begin() + static_cast<ptrdiff_t>(i), tokens.begin() + static_cast<ptrdiff_t>(i + order))];
    return counts;
}

inline int64_t common(const Counts& left, const Counts& right) {
    int64_t total = 0;
    for (const auto& [ngram, count] : left)
        if (auto found = right.find(ngram); found != right.end()) total += std::min(count, found->second);
    return total;
}

inline int64_t count_of(size_t length, size_t order) {
    return length < order ? 0 : static_cast<int64_t>(length - order + 1);
}

// Matches of one order. Each n-gram counts at most as often as in a reference.
inline int64_t matches(Sequence hypothesis, const std::vector<Sequence>& references, size_t order) {
    Counts most;
    for (Sequence reference : references)
        for (const auto& [ngram, count] : ngrams(reference, order)) most[ngram] = std::max(most[ngram], count);
    return common(ngrams(hypothesis, order), most);
}

inline size_t edit_distance(Sequence hypothesis, Sequence reference) {
    std::vector<size_t> row(hypothesis.size() + 1);
    for (size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= reference.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 1; j <= hypothesis.size(); ++j) {
            size_t pair = diagonal + (reference[i - 1] != hypothesis[j - 1]);
            diagonal = row[j];
            row[j] = std::min({pair, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

// Lengths of the longest common subsequences of all prefixes, by reference and hypothesis.
inline std::vector<std::vector<size_t>> subsequences(Sequence hypothesis, Sequence reference) {
    std::vector<std::vector<size_t>> table(reference.size() + 1, std::vector<size_t>(hypothesis.size() + 1));
    for (size_t i = 1; i <= reference.size(); ++i)
        for (size_t j = 1; j <= hypothesis.size(); ++j)
            table[i][j] = reference[i - 1] == hypothesis[j - 1] ? table[i - 1][j - 1] + 1
                                                                : std::max(table[i - 1][j], table[i][j - 1]);
    return table;
}

inline bool is_close(double one, double other) {
    return std::fabs(one - other) <= 1e-12 * std::max({1.0, std::fabs(one), std::fabs(other)});
}

}  // namespace refscore::fuzzing
