// SARI's counts equal those computed with maps of n-grams, and its scores are between 0 and 1.
#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/sari.hpp"
#include "refscore/segments/sequence_order.hpp"

using namespace refscore;

namespace {

using Sequence = std::vector<uint32_t>;
using Counts = std::map<Sequence, int64_t, SequenceOrder>;

void add_ngrams(const Sequence& tokens, size_t order, int64_t weight, Counts& counts) {
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        counts[Sequence(tokens.begin() + i, tokens.begin() + i + order)] += weight;
}

int64_t of(const Counts& counts, const Sequence& ngram) {
    auto found = counts.find(ngram);
    return found == counts.end() ? 0 : found->second;
}

// Correct, selected and relevant n-grams of keep, delete and add.
std::vector<int64_t> expected_row(const Sequence& source, const Sequence& hypothesis,
                                  const std::vector<Sequence>& references, size_t max_order) {
    std::vector<int64_t> row;
    for (size_t order = 1; order <= max_order; ++order) {
        Counts in_source, in_hypothesis, in_references, all;
        add_ngrams(source, order, static_cast<int64_t>(references.size()), in_source);
        add_ngrams(hypothesis, order, static_cast<int64_t>(references.size()), in_hypothesis);
        for (const Sequence& reference : references) add_ngrams(reference, order, 1, in_references);
        for (const Counts* counts : {&in_source, &in_hypothesis, &in_references})
            all.insert(counts->begin(), counts->end());
        std::vector<int64_t> numbers(9);
        for (const auto& [ngram, count] : all) {
            int64_t s = of(in_source, ngram), h = of(in_hypothesis, ngram), r = of(in_references, ngram);
            int64_t kept = std::min(s, h), wanted = std::min(s, r), deleted = s - kept, unwanted = s - wanted;
            for (int64_t* number = numbers.data();
                 int64_t change :
                 {std::min(kept, wanted), kept, wanted, std::min(deleted, unwanted), deleted, unwanted,
                  int64_t{s == 0 && h > 0 && r > 0}, int64_t{s == 0 && h > 0}, int64_t{s == 0 && r > 0}})
                *number++ += change;
        }
        row.insert(row.end(), numbers.begin(), numbers.end());
    }
    return row;
}

void check_round(std::mt19937& random, Sari& sari) {
    uint32_t kinds = 1 + random() % 6;
    auto draw = [&] {
        Sequence tokens(random() % (random() % 8 == 0 ? 60 : 9));
        for (uint32_t& token : tokens) token = 1 + random() % kinds;
        return tokens;
    };
    // Tokens above `kinds` occur only in the hypothesis, which has the number 0 for them.
    Sequence source = draw(), hypothesis = draw(), numbers, tokens = source,
             lengths{static_cast<uint32_t>(source.size())};
    for (uint32_t& token : hypothesis)
        if (random() % 4 == 0) token += kinds;
    std::vector<Sequence> references(1 + random() % 3);
    for (Sequence& reference : references) {
        reference = draw();
        tokens.insert(tokens.end(), reference.begin(), reference.end());
        lengths.push_back(static_cast<uint32_t>(reference.size()));
    }
    Vocabulary vocabulary;
    vocabulary.reset();
    vocabulary.reserve(kinds);
    for (uint32_t token = 1; token <= kinds; ++token) vocabulary.add(token_of_id(token), nullptr);
    std::vector<Token> texts;
    for (uint32_t token : hypothesis) {
        texts.push_back(token_of_id(token));
        numbers.push_back(token <= kinds ? token : kUnknown);
    }
    NumberedReferences all{vocabulary.view(nullptr), kinds, tokens, lengths, ItemKind::Ids};

    SariSettings settings;
    settings.max_order = 1 + random() % 5;
    std::vector<int64_t> row(settings.columns());
    sari.row(settings, {ItemKind::Ids, texts, nullptr}, numbers, all, std::span(row));
    CHECK(row == expected_row(source, hypothesis, references, settings.max_order));

    for (SariCounting counting : {SariCounting::Counts, SariCounting::Ratios, SariCounting::Sets}) {
        settings.counting = counting;
        settings.average =
            counting == SariCounting::Ratios || random() % 2 ? SariAverage::Segments : SariAverage::Corpus;
        settings.keep_recall = static_cast<SariRecall>(random() % 2);
        settings.undefined = static_cast<SariUndefined>(random() % 2);
        settings.deletion = static_cast<SariDeletion>(random() % 2);
        settings.order_average = static_cast<SariOrderAverage>(random() % 2);
        settings.empty_text = static_cast<SariEmptyText>(random() % 2);
        settings.check();
        std::vector<double> numbers_of_row(settings.columns());
        sari.row(settings, {ItemKind::Ids, texts, nullptr}, numbers, all, std::span(numbers_of_row));
        double value = sari.value(settings, numbers_of_row);
        CHECK(value >= 0);
        CHECK(value <= 1 + 1e-12);
    }
}

}  // namespace

TEST_CASE("counts equal those computed with maps") {
    std::mt19937 random(9);
    Sari sari;
    for (int round = 0; round < 3000; ++round) check_round(random, sari);
    SariSettings settings;
    settings.counting = SariCounting::Ratios;
    CHECK_THROWS(settings.check());
    // A segment needs a source and a reference.
    uint32_t length = 0;
    double row[4];
    settings.average = SariAverage::Segments;
    CHECK_THROWS((sari.row(settings, {ItemKind::Ids, {}, nullptr}, {}, {{}, 0, {}, {&length, 1}, ItemKind::Ids},
                           std::span<double>(row))));
}
