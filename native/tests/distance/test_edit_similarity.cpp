// Edit similarity equals its definition with the complete table of edits, for every rule at the threshold.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/edit_similarity.hpp"

using namespace refscore;

namespace {

using Symbols = std::vector<uint32_t>;

size_t edits_by_definition(const Symbols& one, const Symbols& other) {
    std::vector<size_t> row(other.size() + 1), next(other.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < one.size(); ++i) {
        next[0] = i + 1;
        for (size_t j = 0; j < other.size(); ++j)
            next[j + 1] = std::min({next[j] + 1, row[j + 1] + 1, row[j] + (one[i] != other[j])});
        row.swap(next);
    }
    return row.back();
}

EditSimilarityRow by_definition(const EditSimilaritySettings& settings, const Symbols& hypothesis,
                                const std::vector<Symbols>& references) {
    EditSimilarityRow best;
    double highest = -1;
    for (const Symbols& reference : references) {
        double longer = static_cast<double>(std::max(hypothesis.size(), reference.size())),
               edits = static_cast<double>(edits_by_definition(hypothesis, reference)),
               distance = longer > 0 ? edits / longer : 0, similarity = 1 - distance;
        if (similarity <= highest) continue;
        highest = similarity;
        bool counts = settings.counts_threshold ? similarity >= settings.threshold
                                                : distance < 1 - settings.threshold || settings.threshold == 0;
        best = {counts ? similarity : 0, edits, longer, 1};
    }
    return settings.skips_empty && best.longer == 0 ? EditSimilarityRow{} : best;
}

TEST_CASE("against definition") {
    std::mt19937 random(11);
    EditSimilarity scratch;
    auto draw = [&](uint32_t symbols) {
        Symbols drawn(random() % 12);
        for (uint32_t& symbol : drawn) symbol = 1 + static_cast<uint32_t>(random()) % symbols;
        return drawn;
    };
    size_t at_threshold = 0;
    for (int round = 0; round < 20000; ++round) {
        EditSimilaritySettings settings{static_cast<double>(random() % 3) / 2, random() % 2 == 0, random() % 2 == 0,
                                        random() % 2 == 0};
        settings.check();
        uint32_t symbols = 1 + static_cast<uint32_t>(random()) % 4;
        Symbols hypothesis = draw(symbols);
        for (uint32_t& symbol : hypothesis) symbol = random() % 5 == 0 ? 0 : symbol;
        std::vector<Symbols> references;
        for (size_t r = 0, count = 1 + random() % 3; r < count; ++r) references.push_back(draw(symbols));
        Symbols joined;
        std::vector<uint32_t> lengths;
        for (const Symbols& reference : references) {
            joined.insert(joined.end(), reference.begin(), reference.end());
            lengths.push_back(static_cast<uint32_t>(reference.size()));
        }
        NumberedReferences numbered{VocabularyView{}, symbols, joined, lengths};
        EditSimilarityRow row = scratch.row(settings, hypothesis, numbered),
                          expected = by_definition(settings, hypothesis, references);
        CHECK(row.similarity == expected.similarity);
        CHECK(row.edits == expected.edits);
        CHECK(row.longer == expected.longer);
        CHECK(row.segments == expected.segments);
        CHECK(row.value(settings) >= 0);
        CHECK(row.value(settings) <= 1);
        at_threshold += 2 * row.edits == row.longer && row.longer > 0 && settings.threshold == 0.5;
    }
    CHECK(at_threshold > 100);
}

TEST_CASE("values") {
    EditSimilaritySettings mean, sum;
    sum.is_mean = false;
    CHECK((EditSimilarityRow{1.5, 3, 12, 2}.value(mean) == 0.75));
    CHECK((EditSimilarityRow{1.5, 3, 12, 2}.value(sum) == 0.75));
    CHECK(EditSimilarityRow{}.value(mean) == 1);
    CHECK(EditSimilarityRow{}.value(sum) == 1);
}

}  // namespace
