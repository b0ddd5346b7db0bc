#include "refscore/ngrams/gleu.hpp"

#include <algorithm>
#include <numeric>

namespace refscore {
namespace {

// The number of n-grams of all orders in use.
int64_t ngrams(const GleuSettings& settings, size_t length) {
    if (length < settings.min_order) return 0;
    auto most = static_cast<int64_t>(length - settings.min_order + 1);
    auto orders = static_cast<int64_t>(std::min(settings.max_order, length) - settings.min_order + 1);
    return orders * (2 * most - orders + 1) / 2;
}

}  // namespace

GleuRow Gleu::row(const GleuSettings& settings, std::span<const uint32_t> hypothesis,
                  const NumberedReferences& references) {
    // Orders above the hypothesis length cannot match. Fewer than 4 orders would miss the counter's fast path for
    // order 4.
    size_t orders = std::max<size_t>(NgramCounter::kCommonOrder, std::min(settings.max_order, hypothesis.size()));
    size_t last = std::min(settings.max_order, orders);
    int64_t* matches = matches_.reserve(orders);
    int64_t own = ngrams(settings, hypothesis.size());
    GleuRow best;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        NumberedReferences reference = references.only(r, begin);
        begin += reference.tokens.size();
        int64_t total = std::max(own, ngrams(settings, reference.tokens.size()));
        if (total == 0) continue;
        GleuRow row{0, total};
        if (own > 0) {
            counter_.count(hypothesis, reference, orders, matches);
            row.matches = std::accumulate(matches + settings.min_order - 1, matches + last, int64_t{0});
        }
        if (best.total == 0 || row.value() > best.value()) best = row;
    }
    return best;
}

}  // namespace refscore
