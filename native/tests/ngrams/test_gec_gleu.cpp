// The GLEU of corrections equals its definition with maps of n-grams.
#include "refscore/ngrams/gec_gleu.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "doctest.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;

std::map<Words, int> ngrams(const Words& words, size_t order) {
    std::map<Words, int> counts;
    for (size_t i = 0; i + order <= words.size(); ++i) {
        auto first = words.begin() + static_cast<ptrdiff_t>(i);
        ++counts[Words(first, first + static_cast<ptrdiff_t>(order))];
    }
    return counts;
}

int count(const std::map<Words, int>& counts, const Words& ngram) {
    auto found = counts.find(ngram);
    return found == counts.end() ? 0 : found->second;
}

std::vector<double> by_definition(const GecGleuSettings& settings, const Words& source, const Words& hypothesis,
                                  const std::vector<Words>& references) {
    std::vector<double> row(settings.columns());
    auto share = 1 / static_cast<double>(references.size());
    for (const Words& reference : references) {
        for (size_t order = 1; order <= settings.max_order; ++order) {
            auto own = ngrams(hypothesis, order), known = ngrams(reference, order), before = ngrams(source, order);
            int matches = 0, penalty = 0, total = 0;
            for (const auto& [ngram, times] : own) {
                total += times;
                if (std::find(ngram.begin(), ngram.end(), 0u) != ngram.end()) continue;
                int expected = count(known, ngram), kept = std::min(times, count(before, ngram));
                matches += std::min(times, expected);
                if (settings.penalty == GecPenalty::Excess) {
                    penalty += std::max(kept - expected, 0);
                } else if (expected == 0) {
                    penalty += kept;
                }
            }
            if (settings.penalty == GecPenalty::Absent) penalty = std::min(penalty, matches);
            row[3 * order - 3] += matches * share;
            row[3 * order - 2] += penalty * share;
            row[3 * order - 1] += total * share;
        }
        row[3 * settings.max_order] += static_cast<double>(hypothesis.size()) * share;
        row[3 * settings.max_order + 1] += static_cast<double>(reference.size()) * share;
    }
    return row;
}

TEST_CASE("against definition") {
    std::mt19937 random(3);
    GecGleu scratch;
    for (int round = 0; round < 5000; ++round) {
        GecGleuSettings settings;
        settings.max_order = 1 + random() % 5;
        settings.penalty = random() % 2 == 0 ? GecPenalty::Absent : GecPenalty::Excess;
        settings.check();
        uint32_t words = 1 + static_cast<uint32_t>(random()) % 4;
        auto draw = [&](uint32_t least) {
            Words drawn(random() % 10);
            for (uint32_t& word : drawn) word = least + static_cast<uint32_t>(random()) % (words + 1 - least);
            return drawn;
        };
        Words source = draw(1), hypothesis = draw(0), joined = source;
        std::vector<Words> references;
        std::vector<uint32_t> lengths{static_cast<uint32_t>(source.size())};
        for (size_t r = 0, size = 1 + random() % 3; r < size; ++r) {
            references.push_back(draw(1));
            joined.insert(joined.end(), references.back().begin(), references.back().end());
            lengths.push_back(static_cast<uint32_t>(references.back().size()));
        }
        std::vector<double> row(settings.columns(), -1),
            expected = by_definition(settings, source, hypothesis, references);
        scratch.row(settings, hypothesis, {VocabularyView{}, words, joined, lengths}, row);
        for (size_t i = 0; i < row.size(); ++i) CHECK(std::abs(row[i] - expected[i]) < 1e-12);
        double value = GecGleu::value(settings, row);
        CHECK(value >= 0);
        CHECK(value <= 1);
    }
}

TEST_CASE("values") {
    GecGleuSettings settings;
    settings.max_order = 2;
    const double row[] = {3, 1, 4, 0, 0, 0, 4, 8}, perfect[] = {3, 0, 3, 2, 0, 2, 3, 2};
    CHECK(GecGleu::value(settings, row) == 0);
    CHECK(GecGleu::value(settings, perfect) == 1);
    settings.short_order = GecShortOrder::Perfect;
    CHECK(std::abs(GecGleu::value(settings, row) - std::exp(-1) * std::sqrt(0.5)) < 1e-12);
    settings.smoothing = GecSmoothing::One;
    const double empty[] = {0, 0, 0, 0, 0, 0, 0, 0};
    CHECK(GecGleu::value(settings, empty) == 1);
}

}  // namespace
