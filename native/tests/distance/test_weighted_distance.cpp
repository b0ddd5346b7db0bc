// Distances with costs and compounds equal those of a table that looks for compounds in every cell, and alignments have
// the same counts.
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/weighted_distance.hpp"

using namespace refscore;

namespace {

using Texts = std::vector<std::string>;
using Cell = std::array<int64_t, 4>;  // cost, substitutions, deletions, insertions

std::string joined(const Texts& texts, size_t begin, size_t end) {
    std::string text;
    for (size_t i = begin; i < end; ++i) text += texts[i];
    return text;
}

Cell definition(const Texts& hypothesis, const Texts& reference, EditCosts costs, bool compounds) {
    int64_t substitution = costs == EditCosts::Equal ? 1 : 4, indel = costs == EditCosts::Equal ? 1 : 3;
    std::vector<std::vector<Cell>> table(reference.size() + 1, std::vector<Cell>(hypothesis.size() + 1));
    for (size_t i = 0; i <= reference.size(); ++i)
        for (size_t j = 0; j <= hypothesis.size(); ++j) {
            auto rows = static_cast<int64_t>(i), columns = static_cast<int64_t>(j);
            if (i == 0 || j == 0) {
                table[i][j] = {(rows + columns) * indel, 0, rows, columns};
                continue;
            }
            Cell pair = table[i - 1][j - 1], deletion = table[i - 1][j], insertion = table[i][j - 1];
            if (reference[i - 1] != hypothesis[j - 1]) pair[0] += substitution, ++pair[1];
            deletion[0] += indel, ++deletion[2];
            insertion[0] += indel, ++insertion[3];
            std::vector<Cell> steps = costs == EditCosts::Sclite && !compounds
                                          ? std::vector<Cell>{pair, insertion, deletion}
                                          : std::vector<Cell>{insertion, deletion, pair};
            for (size_t k = 0; compounds && k + 1 < i; ++k)
                if (joined(reference, k, i) == hypothesis[j - 1]) steps.push_back(table[k][j - 1]);
            for (size_t k = 0; compounds && k + 1 < j; ++k)
                if (joined(hypothesis, k, j) == reference[i - 1]) steps.push_back(table[i - 1][k]);
            table[i][j] =
                *std::min_element(steps.begin(), steps.end(), [](const Cell& a, const Cell& b) { return a[0] < b[0]; });
        }
    return table.back().back();
}

Words words_of(const Texts& texts, std::map<std::string, uint32_t>& numbers, bool is_reference) {
    Words words;
    for (const std::string& text : texts) {
        if (is_reference) numbers.try_emplace(text, static_cast<uint32_t>(numbers.size() + 1));
        auto known = numbers.find(text);
        std::vector<uint8_t> bytes(text.begin(), text.end());
        bytes.resize(text.size() + Token::kInline);
        words.add(known == numbers.end() ? kUnknown : known->second,
                  token_at(bytes.data(), 0, static_cast<uint32_t>(text.size())), bytes.data());
    }
    return words;
}

void check_pair(WeightedDistance& distance, const Texts& hypothesis, const Texts& reference) {
    std::map<std::string, uint32_t> numbers;
    Words ref = words_of(reference, numbers, true), hyp = words_of(hypothesis, numbers, false);
    for (EditCosts costs : {EditCosts::Equal, EditCosts::Sclite})
        for (bool compounds : {false, true}) {
            auto [cost, substitutions, deletions, insertions] = definition(hypothesis, reference, costs, compounds);
            EditCounts counts = distance.count(hyp, ref, costs, compounds);
            CHECK(counts.substitutions == substitutions);
            CHECK(counts.deletions == deletions);
            CHECK(counts.insertions == insertions);
            CHECK(counts.hits + substitutions + deletions == static_cast<int64_t>(reference.size()));
            EditCounts aligned;
            size_t i = 0, j = 0;
            for (const EditRun& run : distance.align(hyp, ref, costs, compounds)) {
                if (run.edit == Edit::Hit) {
                    CHECK(joined(reference, i, i + run.reference) == joined(hypothesis, j, j + run.hypothesis));
                    CHECK(run.is_compound == (run.reference != run.hypothesis));
                    aligned.hits += run.reference;
                } else {
                    CHECK(!run.is_compound);
                    int64_t& count = run.edit == Edit::Substitution ? aligned.substitutions
                                     : run.edit == Edit::Deletion   ? aligned.deletions
                                                                    : aligned.insertions;
                    count += std::max(run.reference, run.hypothesis);
                }
                i += run.reference;
                j += run.hypothesis;
            }
            CHECK(i == reference.size());
            CHECK(j == hypothesis.size());
            CHECK(aligned.errors() == counts.errors());
            CHECK(aligned.hits == counts.hits);
        }
}

TEST_CASE("random") {
    std::mt19937 random(7);
    WeightedDistance distance;
    auto draw = [&](size_t most) { return std::uniform_int_distribution<size_t>(0, most)(random); };
    for (int round = 0; round < 4000; ++round) {
        std::string letters(1 + draw(2), 'a');
        for (size_t k = 0; k < letters.size(); ++k) letters[k] = static_cast<char>('a' + k);
        bool has_long_words = draw(9) == 0;
        auto texts = [&] {
            Texts all(draw(12));
            for (std::string& text : all)
                for (size_t size = has_long_words ? 1 + draw(3) * 21 : 1 + draw(3); size > 0; --size)
                    text += letters[draw(letters.size() - 1)];
            return all;
        };
        check_pair(distance, texts(), texts());
    }
}

TEST_CASE("errors") {
    Words words;
    CHECK_THROWS_AS((words.add(1, Token{0, 0, 0}, nullptr)), InputError);
}

}  // namespace
