// Unit matches with one sequence and with the mean of many, the index of many sequences, the symbol map and grapheme
// clusters equal their definitions. The sizes are around those at which the kernels change their algorithm.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/chrf.hpp"
#include "refscore/ngrams/ngram_index.hpp"
#include "refscore/ngrams/unit_matches.hpp"
#include "refscore/segments/sequence_order.hpp"
#include "refscore/segments/symbols.hpp"
#include "refscore/statistics/unit_means.hpp"
#include "refscore/text/graphemes.hpp"

using namespace refscore;

namespace {

using Units = std::vector<uint32_t>;
using Counts = std::map<Units, int64_t, SequenceOrder>;

Counts ngrams(const Units& units, size_t order) {
    Counts counts;
    for (size_t i = 0; i + order <= units.size(); ++i)
        ++counts[Units(units.begin() + static_cast<ptrdiff_t>(i), units.begin() + static_cast<ptrdiff_t>(i + order))];
    return counts;
}

int64_t common(const Counts& left, const Counts& right) {
    int64_t total = 0;
    for (const auto& [ngram, count] : left) {
        auto found = right.find(ngram);
        if (found != right.end()) total += std::min(count, found->second);
    }
    return total;
}

void check_matches(UnitMatches& counter, const Units& hypothesis, const Units& reference, size_t max_order) {
    std::vector<int64_t> matches(max_order, -1);
    counter.count(hypothesis, reference, max_order, matches.data());
    for (size_t n = 1; n <= max_order; ++n)
        CHECK(matches[n - 1] == common(ngrams(hypothesis, n), ngrams(reference, n)));
    Units symbols;
    std::vector<uint64_t> keys;
    counter.index_reference(reference, symbols, keys);
    std::vector<int64_t> again(max_order, -1);
    counter.count(hypothesis, reference, max_order, again.data(), {symbols, keys});
    CHECK(again == matches);
}

void check_index(NgramIndex& index, const std::vector<Units>& sequences, size_t left, size_t max_order) {
    Units codes;
    std::vector<size_t> ends;
    for (const Units& sequence : sequences) {
        codes.insert(codes.end(), sequence.begin(), sequence.end());
        ends.push_back(codes.size());
    }
    index.build(codes, ends, left, max_order);
    for (size_t n = 1; n <= max_order; ++n)
        for (size_t h = 0; h < left; ++h)
            for (size_t r = left; r < sequences.size(); ++r) {
                std::vector<uint32_t> counts(index.size());
                for (const NgramIndex::Entry& entry : index.entries(r, n)) {
                    REQUIRE(entry.ngram < index.size());
                    CHECK(entry.count > 0);
                    CHECK(counts[entry.ngram] == 0);
                    counts[entry.ngram] = entry.count;
                }
                int64_t found = 0;
                for (const NgramIndex::Entry& entry : index.entries(h, n))
                    found += std::min(entry.count, counts[entry.ngram]);
                CHECK(found == common(ngrams(sequences[h], n), ngrams(sequences[r], n)));
            }
}

void check_means(UnitMeans& means, const std::vector<Units>& sequences, size_t left, size_t max_order) {
    Units codes;
    std::vector<size_t> ends;
    for (const Units& sequence : sequences) {
        codes.insert(codes.end(), sequence.begin(), sequence.end());
        ends.push_back(codes.size());
    }
    std::vector<double> matches;
    means.count(codes, ends, left, max_order, {}, matches);
    auto others = static_cast<int64_t>(sequences.size() - left);
    for (size_t n = 1; n <= max_order; ++n) {
        Counts sums;
        for (size_t r = left; r < sequences.size(); ++r)
            for (const auto& [ngram, count] : ngrams(sequences[r], n)) sums[ngram] += count;
        for (size_t h = 0; h < left; ++h) {
            Counts own = ngrams(sequences[h], n);
            for (auto& [ngram, count] : own) count *= others;
            CHECK(matches[h * max_order + n - 1] ==
                  static_cast<double>(common(own, sums)) / static_cast<double>(others));
        }
    }
}

void check_symbols(SymbolMap& symbols, const Units& codes) {
    symbols.clear();
    CHECK(symbols.size() == 0);
    std::map<uint32_t, uint32_t> known;
    for (uint32_t code : codes) {
        CHECK(symbols.find(code) == (known.count(code) ? known[code] : SymbolMap::kNone));
        uint32_t next = static_cast<uint32_t>(known.size()) + 1;
        CHECK(symbols.add(code) == known.try_emplace(code, next).first->second);
        CHECK(symbols.size() == known.size());
    }
    for (auto [code, symbol] : known) CHECK(symbols.find(code) == symbol);
    for (uint32_t code : {0u, 0xffffu, 0x10000u, 0x10ffffu, 0xffffffffu})
        if (!known.count(code)) CHECK(symbols.find(code) == SymbolMap::kNone);
}

void append_utf8(uint32_t code, std::vector<uint8_t>& out) {
    auto add = [&](uint32_t byte) { out.push_back(static_cast<uint8_t>(byte)); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
        add(0xc0 | code >> 6);
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
    } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
        add(0x80 | (code >> 6 & 0x3f));
    }
    add(0x80 | (code & 0x3f));
}

// Clusters cover the text without gaps, end between characters, and do not depend on later text.
void check_clusters(const Units& codes) {
    std::vector<uint8_t> text;
    std::vector<bool> begins;
    for (uint32_t code : codes) {
        begins.resize(text.size());
        begins.push_back(true);
        append_utf8(code, text);
    }
    begins.resize(text.size());
    begins.push_back(true);
    text.shrink_to_fit();  // so the sanitizer detects reads past the end
    const uint8_t *at = text.data(), *end = at + text.size();
    Conjoining conjoining;
    while (at != end) {
        Conjoining before = conjoining;
        const uint8_t* after = end_of_cluster(at, end, conjoining);
        CHECK(after > at);
        CHECK(after <= end);
        CHECK(begins[static_cast<size_t>(after - text.data())]);
        std::vector<uint8_t> alone(at, after);
        CHECK(end_of_cluster(alone.data(), alone.data() + alone.size(), before) == alone.data() + alone.size());
        at = after;
    }
}

void check_scores() {
    ChrfSettings settings;
    settings.char_order = 2;
    const int64_t counts[] = {4, 4, 3, 3, 3, 1};
    ChrfParts parts = chrf_score(settings, counts);
    CHECK(std::abs(parts.value - 13.0 / 24) < 1e-15);
    CHECK(parts.percent == 100 * parts.value);
    for (ChrfSmoothing smoothing : {ChrfSmoothing::Effective, ChrfSmoothing::Epsilon, ChrfSmoothing::Nltk})
        for (double beta : {0.0, 5e-324, 1.0, 1e154, 1e200, 1e308})
            for (int64_t hypothesis : {0, 1, 5})
                for (int64_t reference : {0, 1, 7})
                    for (int64_t matches : {0, 1}) {
                        if (matches > std::min(hypothesis, reference) || (reference == 0 && hypothesis > 0)) continue;
                        settings.beta = beta;
                        settings.smoothing = smoothing;
                        const int64_t row[] = {hypothesis, reference, matches, 0, 0, 0};
                        double value = chrf_score(settings, row).value;
                        CHECK(value >= 0);
                        CHECK(value <= 1);
                    }
}

}  // namespace

TEST_CASE("units, means, indexes, symbols, clusters and scores equal their definitions") {
    std::mt19937 random(3);
    auto below = [&](size_t bound) { return static_cast<uint32_t>(random() % bound); };
    auto make = [&](size_t size, uint32_t first, size_t kinds) {
        Units units(size);
        for (uint32_t& unit : units) unit = first + below(kinds);
        return units;
    };
    const uint32_t kFirsts[] = {0, 'a', 0xfff0, 0x10000, 0xfffffff0 - 2000};

    UnitMatches counter;
    for (int round = 0; round < 4000; ++round) {
        uint32_t first = kFirsts[below(5)];
        size_t kinds = 1 + below(round % 2 ? 4 : 40), longest = std::array<size_t, 4>{3, 12, 70, 200}[below(4)];
        Units reference = make(below(longest + 1), first, kinds),
              hypothesis = make(below(longest + 1), first, kinds + 2);
        if (round % 5 == 0) hypothesis = reference;
        check_matches(counter, hypothesis, reference, below(10));
    }
    // N-grams that just fit into a machine word, and such that do not: 2**bits - 2 symbols and one more.
    for (size_t bits : {1u, 2u, 5u, 7u, 9u, 10u, 12u})
        for (size_t kinds : {(1u << bits) - 2, (1u << bits) - 1}) {
            Units reference = make(kinds + 200, 0x4e00, kinds + 1), hypothesis;
            for (uint32_t i = 0; i < kinds; ++i) reference[i] = 0x4e00 + i;
            hypothesis = reference;
            std::reverse(hypothesis.begin(), hypothesis.begin() + 100);
            for (size_t max_order : {4u, 5u, 6u, 7u, 8u, 9u}) check_matches(counter, hypothesis, reference, max_order);
        }
    // Sizes around which the digits of the sort change: symbols, or pairs of them.
    for (size_t size : {63u, 64u, 65u, 511u, 512u, 513u, 3000u})
        for (size_t kinds : {1u, 2u, 20u, 44u, 45u, 46u, 90u, 300u}) {
            Units reference = make(size, 'a', kinds), hypothesis = reference;
            for (uint32_t& unit : hypothesis)
                if (below(6) == 0) unit = 'a' + below(kinds + 1);
            check_matches(counter, hypothesis, reference, 6);
            check_matches(counter, make(size, 'a', kinds), reference, 6);
        }
    Units long_reference = make(65536, 'a', 15);
    check_matches(counter, Units(long_reference.begin() + 9, long_reference.end()), long_reference, 6);
    Units equal(400, 'x');
    std::vector<int64_t> matches(400);
    counter.count(equal, equal, 400, matches.data());
    for (size_t n = 1; n <= 400; ++n) CHECK(matches[n - 1] == static_cast<int64_t>(401 - n));

    NgramIndex index;
    UnitMeans means;
    for (int round = 0; round < 400; ++round) {
        size_t left = below(4), right = below(4), kinds = 1 + below(round % 2 ? 3 : 50);
        uint32_t first = kFirsts[below(5)];
        std::vector<Units> sequences;
        for (size_t i = 0; i < left + right; ++i) sequences.push_back(make(below(60), first, kinds));
        if (left > 0 && right > 0 && round % 3 == 0) sequences.back() = sequences.front();
        size_t max_order = below(8);
        check_index(index, sequences, left, max_order);
        if (right > 0) check_means(means, sequences, left, max_order);
    }
    for (int round = 0; round < 2; ++round) {  // more pairs of n-gram and symbol than the table holds
        Units text = make(3000, 0x4e00, 2000), other = text;
        std::rotate(other.begin(), other.begin() + 700, other.end());
        std::vector<Units> sequences{text, make(50, 0x4e00, 2000), other, Units(text.begin(), text.begin() + 900)};
        for (const std::vector<Units>& group : {sequences, {{1, 2}, {2, 1, 2}}}) {
            check_index(index, group, group.size() / 2, 4);
            check_means(means, group, group.size() / 2, 4);
        }
    }

    SymbolMap symbols;
    check_symbols(symbols, {});
    for (size_t size : {1u, 10u, 1000u, 100000u, 10u, 3u})
        for (uint32_t first : kFirsts) check_symbols(symbols, make(size, first, 2 * size > 2000 ? 90000 : 2 * size));

    const Units kAwkward = {'a',   '\r',   '\n',   ' ',    0x300,  0x200d,  0x1f1e6, 0x600,
                            0x903, 0x1100, 0x1161, 0x11a8, 0xac00, 0xac01,  0x1f44d, 0x1f3fd,
                            0x915, 0x94d,  0xd800, 0xdfff, 0,      0x10ffff};
    for (int round = 0; round < 20000; ++round) {
        Units codes(below(12));
        for (uint32_t& code : codes) code = round % 4 ? kAwkward[below(kAwkward.size())] : below(0x110000);
        check_clusters(codes);
    }
    for (uint32_t code : kAwkward) check_clusters(Units(3000, code));

    check_scores();
}
