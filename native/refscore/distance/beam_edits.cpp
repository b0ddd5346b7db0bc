#include "refscore/distance/beam_edits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kBeam = 25;  // tercom's beam width; part of the definition
constexpr uint64_t kFar =
    std::numeric_limits<uint64_t>::max() / 2;  // an unreachable cell; half of the range, so costs can be added

}  // namespace

uint64_t beam_edits(std::span<const int32_t> hypothesis, std::span<const int32_t> reference,
                    uint32_t substitution_cost) {
    size_t rows = hypothesis.size(), columns = reference.size() + 1;
    std::vector<uint64_t> above(columns), cells(columns, kFar);
    for (size_t j = 0; j < columns; ++j) above[j] = j;
    double ratio = rows == 0 ? 1 : static_cast<double>(reference.size()) / static_cast<double>(rows);
    size_t beam = ratio / 2 > kBeam ? static_cast<size_t>(std::ceil(ratio / 2 + kBeam)) : kBeam;
    for (size_t i = 1; i <= rows; ++i) {
        size_t diagonal = static_cast<size_t>(static_cast<double>(i) * ratio);
        size_t first = diagonal > beam ? diagonal - beam : 0;
        size_t end = i == rows ? columns : std::min(columns, diagonal + beam);
        checkpoint(end - first);
        std::fill(cells.begin() + static_cast<ptrdiff_t>(first > 0 ? first - 1 : 0), cells.end(), kFar);
        for (size_t j = first; j < end; ++j) {
            uint64_t cell = above[j] + 1;
            if (j > 0) {
                uint64_t replaced = above[j - 1] + (hypothesis[i - 1] == reference[j - 1] ? 0 : substitution_cost);
                cell = std::min({cell, replaced, cells[j - 1] + 1});
            }
            cells[j] = cell;
        }
        above.swap(cells);
    }
    return above.back();
}

}  // namespace refscore
