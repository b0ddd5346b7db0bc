// A slow definition of TER's distance within the beam: the complete matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "refscore/distance/ter.hpp"

namespace refscore {

struct Matrix {
    static constexpr uint32_t kNone = 1u << 30;
    std::vector<std::vector<uint32_t>> cost;
    std::vector<TerEdit> edits;  // in order

    Matrix(std::span<const uint32_t> words, std::span<const uint32_t> reference)
        : cost(words.size() + 1, std::vector<uint32_t>(reference.size() + 1, kNone)) {
        std::vector<std::vector<TerEdit>> edit(words.size() + 1,
                                               std::vector<TerEdit>(reference.size() + 1, TerEdit::Insert));
        double ratio = static_cast<double>(reference.size()) / static_cast<double>(words.size());
        int64_t beam = 25 < ratio / 2 ? static_cast<int64_t>(std::ceil(ratio / 2 + 25)) : 25;
        for (size_t j = 0; j <= reference.size(); ++j) cost[0][j] = static_cast<uint32_t>(j);
        for (size_t i = 1; i <= words.size(); ++i)
            for (size_t j = 0; j <= reference.size(); ++j) {
                int64_t diagonal = static_cast<int64_t>(std::floor(static_cast<double>(i) * ratio)),
                        column = static_cast<int64_t>(j);
                if (column < diagonal - beam || (column >= diagonal + beam && i < words.size())) continue;
                auto take = [&](uint32_t next, TerEdit by) {
                    if (next < cost[i][j]) cost[i][j] = next, edit[i][j] = by;
                };
                bool match = j > 0 && words[i - 1] == reference[j - 1];
                if (j > 0) take(cost[i - 1][j - 1] + !match, match ? TerEdit::Match : TerEdit::Substitute);
                take(cost[i - 1][j] + 1, TerEdit::Delete);
                if (j > 0) take(cost[i][j - 1] + 1, TerEdit::Insert);
            }
        for (size_t i = words.size(), j = reference.size(); i > 0 || j > 0;) {
            edits.push_back(edit[i][j]);
            i -= edits.back() != TerEdit::Insert;
            j -= edits.back() != TerEdit::Delete;
        }
        std::reverse(edits.begin(), edits.end());
    }
    uint32_t distance() const { return cost.back().back(); }
};

}  // namespace refscore
