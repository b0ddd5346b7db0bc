#include "refscore/ngrams/chrf_pairs.hpp"

#include <algorithm>

#include "refscore/segments/sequences.hpp"
#include "refscore/statistics/unit_means.hpp"
#include "refscore/threads/thread_local_cache.hpp"

namespace refscore {
namespace {

// The units and words of a whole group.
struct Group {
    Sequences units, words;

    Group(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references) {
        for (const ChrfList& list : hypotheses) {
            list.reads_codes ? units.add(list.codes) : units.add(list.units);
            if (list.reads_words) words.add(list.words);
        }
        for (size_t r = 0; r < references.size(); ++r) {
            ChrfReferences one = references[r];
            references.has_codes() ? units.add(one.units) : units.add(one.units, one.vocabulary);
            if (settings.word_order > 0) words.add(one.words.tokens, one.words.vocabulary);
        }
    }
};

}  // namespace

bool ChrfPairs::takes(const PreparedUnits& references) {
    for (size_t r = 0; r < references.size(); ++r)
        if (references[r].lengths.size() != 1) return false;
    return true;
}

void ChrfPairs::build(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses,
                      const PreparedUnits& references, size_t threads) {
    settings_ = settings;
    hypotheses_ = hypotheses.size();
    references_ = references.size();
    Group group(settings, hypotheses, references);
    lengths_ = group.units.lengths();
    word_lengths_ = group.words.lengths();
    units_.build(group.units.codes(), group.units.ends(), hypotheses_, settings.char_order, threads);
    words_.build(group.words.codes(), group.words.ends(), settings.word_order > 0 ? hypotheses_ : 0,
                 settings.word_order, threads);
    common_units_.build(units_, hypotheses_, settings.char_order, threads);
    common_words_.build(words_, settings.word_order > 0 ? hypotheses_ : 0, settings.word_order, threads);
}

int64_t ChrfPairs::ngrams(size_t sequence, size_t i) const {
    return ngram_count(i < settings_.char_order ? lengths_[sequence] : word_lengths_[sequence], order_of(i));
}

void ChrfPairs::scores(Scratch& scratch, size_t reference, std::span<double> out) const {
    size_t orders = settings_.orders();
    scratch.row.resize(3 * orders);
    scratch.matches.resize(hypotheses_ * orders);
    size_t own = hypotheses_ + reference;
    for (size_t i = 0; i < orders; ++i) {
        const CommonCounts& common = i < settings_.char_order ? common_units_ : common_words_;
        common.count(scratch.common, own, order_of(i), scratch.matches.data() + i * hypotheses_);
    }
    for (size_t i = 0; i < orders; ++i) scratch.row[3 * i + 1] = ngrams(own, i);
    for (size_t h = 0; h < hypotheses_; ++h) {
        for (size_t i = 0; i < orders; ++i) {
            // An order that the reference lacks does not count for the hypothesis either.
            scratch.row[3 * i] = scratch.row[3 * i + 1] == 0 ? 0 : ngrams(h, i);
            scratch.row[3 * i + 2] = scratch.matches[i * hypotheses_ + h];
        }
        out[h] = chrf_score(settings_, scratch.row).value;
    }
}

void chrf_with_all(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses,
                   const PreparedUnits& references, std::span<const double> weights, std::span<double> scores) {
    Group group(settings, hypotheses, references);
    size_t orders = settings.orders(), left = hypotheses.size();
    std::vector<double> matches, rows(left * 3 * orders);
    auto count = [&](const Sequences& sequences, size_t first, size_t max_order) {
        if (max_order == 0) return;
        with_cached<UnitMeans>([&](UnitMeans& means) {
            means.count(sequences.codes(), sequences.ends(), left, max_order, weights, matches);
        });
        std::vector<size_t> lengths = sequences.lengths();
        for (size_t n = 1; n <= max_order; ++n) {
            double mean = UnitMeans::mean(weights, references.size(),
                                          [&](size_t r) { return ngram_count(lengths[left + r], n); });
            for (size_t h = 0; h < left; ++h) {
                std::span<double> three = std::span(rows).subspan(3 * (h * orders + first + n - 1), 3);
                three[0] = mean == 0 ? 0 : static_cast<double>(ngram_count(lengths[h], n));
                three[1] = mean;
                three[2] = matches[h * max_order + n - 1];
            }
        }
    };
    count(group.units, 0, settings.char_order);
    count(group.words, settings.char_order, settings.word_order);
    for (size_t h = 0; h < left; ++h)
        scores[h] = chrf_score(settings, std::span<const double>(rows).subspan(3 * h * orders, 3 * orders)).value;
}

}  // namespace refscore
