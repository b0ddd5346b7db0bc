#include "refscore/statistics/unit_means.hpp"

#include <algorithm>
#include <limits>

#include "refscore/text/text.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kPlaceWork = 16;  // nanoseconds per position, for checkpoint(); only the order of magnitude matters

}  // namespace

// Whether an n-gram is new or occurs on the other side is unpredictable, so places are filtered without branches.

size_t UnitMeans::number_left(size_t places, size_t order) {
    uint32_t classes = 0;
    Place* left = left_.data();
    for (size_t k = 0; k < places; ++k) {
        uint32_t symbol = units_[left[k].position + order - 1];
        // After the end of a sequence there is no n-gram: class 0, which has no tally.
        uint32_t ngram = symbol == SymbolMap::kNone ? 0 : table_.add(left[k].ngram, symbol, classes + 1);
        classes += ngram > classes;
        left[k].ngram = ngram;
    }
    return classes;
}

size_t UnitMeans::tally_right(size_t order, std::span<const double> weights) {
    size_t kept = 0;
    Place* right = right_.data();
    Tally* tallies = tallies_.data();
    for (size_t s = 0; s + 1 < right_starts_.size(); ++s) {
        size_t begin = right_starts_[s], end = right_starts_[s + 1];
        double weight = weights.empty() ? 1 : weights[s];
        right_starts_[s] = kept;
        for (size_t k = begin; k < end; ++k) {
            uint32_t position = right[k].position;
            // No n-gram of the left side contains kNone, so nothing is found past the end of a sequence.
            uint32_t ngram = table_.find(right[k].ngram, units_[position + order - 1]);
            tallies[ngram].right += weight;
            right[kept] = {position, ngram};
            kept += ngram != 0;
        }
    }
    right_starts_.back() = kept;
    tallies[0].right = 0;
    return kept;
}

void UnitMeans::count(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order,
                      std::span<const double> weights, std::vector<double>& matches) {
    size_t sequences = ends.size();
    if (codes.size() + sequences > std::numeric_limits<uint32_t>::max()) throw TooLarge();
    matches.assign(left * max_order, 0);
    symbols_.clear();
    units_.reserve(codes.size() + sequences);
    left_.reserve(codes.size() + 1);
    right_.reserve(codes.size() + 1);
    starts_.clear();
    right_starts_.clear();
    size_t in_left = 0, in_right = 0;
    uint32_t at = 0;
    for (size_t s = 0, begin = 0; s < sequences; begin = ends[s++]) {
        s < left ? starts_.push_back(in_left) : right_starts_.push_back(in_right);
        for (size_t i = begin; i < ends[s]; ++i, ++at) {
            units_[at] = symbols_.add(codes[i]);
            (s < left ? left_[in_left++] : right_[in_right++]) = {at, 0};
        }
        units_[at++] = SymbolMap::kNone;
    }
    starts_.push_back(in_left);
    right_starts_.push_back(in_right);

    // With equal weights, the counts times the number of other sequences are integers, so their sums are exact.
    double others = 0;
    for (size_t s = left; s < sequences; ++s) others += weights.empty() ? 1 : weights[s - left];
    size_t classes = 0;
    for (size_t n = 1; n <= max_order && in_left > 0 && in_right > 0; ++n) {
        checkpoint(kPlaceWork * (in_left + in_right));
        table_.start(classes + 1, symbols_.size() + size_t{1});
        classes = number_left(in_left, n);
        Tally* tallies = tallies_.reserve(classes + 1);
        std::fill_n(tallies, classes + 1, Tally{0, 0, 0});
        in_right = tally_right(n, weights);
        in_left = 0;
        for (size_t s = 0; s < left; ++s) {
            size_t begin = starts_[s], end = starts_[s + 1];
            starts_[s] = in_left;
            double found = 0;  // multiplied by the total weight of the others
            for (size_t k = begin; k < end; ++k) {
                Place place = left_[k];
                Tally& tally = tallies[place.ngram];
                uint32_t before = tally.sequence == s + 1 ? tally.left : 0;
                tally.left = before + 1;
                tally.sequence = static_cast<uint32_t>(s + 1);
                found += std::min((before + 1) * others, tally.right) - std::min(before * others, tally.right);
                left_[in_left] = place;
                in_left += tally.right > 0;
            }
            matches[s * max_order + n - 1] = found / others;
        }
        starts_[left] = in_left;
    }
}

}  // namespace refscore
