#include "refscore/ngrams/bleu_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "refscore/segments/numbered_group.hpp"
#include "refscore/statistics/compensated_sum.hpp"
#include "refscore/statistics/unit_means.hpp"
#include "refscore/threads/thread_local_cache.hpp"

namespace refscore {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

bool BleuTables::build(const BleuSettings& settings, std::span<const size_t> lengths, size_t pairs) {
    // 2**18 doubles are 2 MiB, about the size of an L2 cache. With more terms, pairs are scored by bleu_score().
    // Results do not depend on it.
    constexpr size_t kMostTerms = size_t{1} << 18;
    settings_ = settings;
    of_length_.clear();
    numbers_.clear();
    std::unordered_map<size_t, uint32_t> known;
    size_t orders = settings.max_order, terms = 0;
    for (size_t length : lengths) {
        auto [at, is_new] = known.try_emplace(length, static_cast<uint32_t>(of_length_.size()));
        numbers_.push_back(at->second);
        if (!is_new) continue;
        of_length_.push_back({length, terms, 0, false, 1});
        terms += orders * (length + 1) + orders * (orders + 1);
        if (terms > std::min(kMostTerms, pairs * orders)) return false;
    }
    terms_.assign(terms, 0);
    for (OfLength& one : of_length_) fill(one);
    return true;
}

void BleuTables::fill(OfLength& one) {
    size_t max_order = settings_.max_order, length = one.length;
    std::vector<double> row(settings_.columns());
    BleuParts parts;
    row[0] = row[1] = static_cast<double>(length);
    auto weight_of = [&](size_t n) { return settings_.weights.empty() ? 1 : settings_.weights[n]; };
    auto term = [&](size_t n) {
        return weight_of(n) == 0         ? 0
               : parts.precisions[n] > 0 ? weight_of(n) * std::log(parts.precisions[n])
                                         : -kInfinite;
    };
    complete_bleu_row(settings_, row);
    one.orders = existing_orders(settings_, row);
    CompensatedSum weights, all_weights;
    bool any = false;
    for (size_t n = 0; n < max_order; ++n) {
        all_weights.add(weight_of(n));
        if (weight_of(n) == 0) continue;
        bool exists = n < one.orders;
        if (!exists && settings_.effective_order) continue;
        any = true;
        weights.add(weight_of(n));
        if (!exists && settings_.short_order != ShortOrder::Perfect) one.is_zero = true;
    }
    one.is_zero |= !any || length == 0;
    if (one.is_zero) return;
    if (settings_.effective_order && one.orders < max_order) one.redistributed = all_weights.value() / weights.value();
    double* by_matches = terms_.data() + one.terms;
    double* by_zeros = by_matches + max_order * (length + 1);
    for (size_t m = 1; m <= length; ++m) {
        std::fill_n(row.data() + 2, settings_.counted_orders(), static_cast<double>(m));
        complete_bleu_row(settings_, row);
        bleu_score(settings_, row, parts);
        for (size_t n = 0; n < one.orders; ++n) by_matches[n * (length + 1) + m] = term(n);
    }
    // `found` orders have matches, the others have none. How an order is smoothed may depend on the number of such
    // orders before it.
    for (size_t found = settings_.no_match == NoMatch::Smooth ? 0 : 1; found < max_order; ++found) {
        for (size_t n = 0; n < settings_.counted_orders(); ++n) row[2 + n] = n < found;
        complete_bleu_row(settings_, row);
        bleu_score(settings_, row, parts);
        for (size_t n = found; n < one.orders; ++n) by_zeros[n * (max_order + 1) + n - found] = term(n);
    }
}

double BleuTables::score(uint32_t number, const uint32_t* matches, size_t step) const {
    const OfLength& one = of_length_[number];
    if (one.is_zero || (settings_.no_match != NoMatch::Smooth && matches[0] == 0)) return 0;
    size_t max_order = settings_.max_order, stride = one.length + 1, found = 0;
    const double* by_matches = terms_.data() + one.terms;
    const double* by_zeros = by_matches + max_order * stride;
    CompensatedSum logarithms;
    for (; found < one.orders && matches[found * step] > 0; ++found)
        logarithms.add(by_matches[found * stride + matches[found * step]]);
    for (size_t n = found; n < one.orders; ++n) {
        double term = by_zeros[n * (max_order + 1) + n - found];
        if (term == -kInfinite) return 0;
        logarithms.add(term);
    }
    double mean = logarithms.value();
    if (settings_.weights.empty()) mean /= static_cast<double>(max_order);
    if (settings_.effective_order && one.orders < max_order) mean *= one.redistributed;
    return std::exp(mean);
}

bool BleuPairs::takes(const PreparedReferences& references) {
    for (size_t r = 0; r < references.size(); ++r)
        if (references[r].lengths.size() != 1) return false;
    return true;
}

void BleuPairs::build(const BleuSettings& settings, const std::vector<TokenList>& hypotheses,
                      const PreparedReferences& references, size_t threads) {
    settings_ = settings;
    hypotheses_ = hypotheses.size();
    Sequences group = number_group(hypotheses, references, threads);
    lengths_ = group.lengths();
    index_.build(group.codes(), group.ends(), hypotheses_, settings.counted_orders(), threads);
    common_.build(index_, hypotheses_, settings.counted_orders(), threads);
    has_tables_ = BleuTables::take(settings) &&
                  tables_.build(settings, std::span(lengths_).first(hypotheses_), hypotheses_ * references.size());
}

void BleuPairs::scores(Scratch& scratch, size_t reference, std::span<double> out) const {
    size_t orders = settings_.counted_orders(), own = hypotheses_ + reference;
    auto reference_length = static_cast<double>(lengths_[own]);
    scratch.matches.resize(hypotheses_ * orders);
    for (size_t n = 0; n < orders; ++n)
        common_.count(scratch.common, own, n + 1, scratch.matches.data() + n * hypotheses_);
    if (has_tables_) {
        scratch.penalties.resize(tables_.size());
        for (size_t i = 0; i < tables_.size(); ++i)
            scratch.penalties[i] = brevity_penalty(static_cast<double>(tables_.length(i)), reference_length);
        for (size_t h = 0; h < hypotheses_; ++h) {
            uint32_t number = tables_.number_of(h);
            out[h] = scratch.penalties[number] * tables_.score(number, scratch.matches.data() + h, hypotheses_);
        }
        return;
    }
    scratch.row.resize(settings_.columns());
    scratch.row[1] = reference_length;
    for (size_t h = 0; h < hypotheses_; ++h) {
        scratch.row[0] = static_cast<double>(lengths_[h]);
        for (size_t n = 0; n < orders; ++n) scratch.row[2 + n] = scratch.matches[n * hypotheses_ + h];
        complete_bleu_row(settings_, scratch.row);
        bleu_score(settings_, scratch.row, scratch.parts);
        out[h] = scratch.parts.value;
    }
}

void bleu_with_all(const BleuSettings& settings, const std::vector<TokenList>& hypotheses,
                   const PreparedReferences& references, std::span<const double> weights, std::span<double> scores) {
    Sequences group = number_group(hypotheses, references, 1);
    size_t orders = settings.counted_orders(), left = hypotheses.size();
    std::vector<double> matches, row(settings.columns());
    with_cached<UnitMeans>(
        [&](UnitMeans& means) { means.count(group.codes(), group.ends(), left, orders, weights, matches); });
    row[1] = UnitMeans::mean(weights, references.size(), [&](size_t r) { return group.length(left + r); });
    BleuParts parts;
    for (size_t h = 0; h < left; ++h) {
        row[0] = static_cast<double>(group.length(h));
        std::copy_n(matches.data() + h * orders, orders, row.data() + 2);
        complete_bleu_row(settings, row);
        bleu_score(settings, row, parts);
        scores[h] = parts.value;
    }
}

}  // namespace refscore
