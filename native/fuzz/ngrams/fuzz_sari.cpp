// SARI's counts equal those of maps for every way to read a segment, and all scores are between 0 and 1.
#include <set>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/sari.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

int64_t of(const Counts& counts, const Words& ngram) {
    auto found = counts.find(ngram);
    return found == counts.end() ? 0 : found->second;
}

Counts times(Counts counts, int64_t factor) {
    for (auto& [ngram, count] : counts) count *= factor;
    return counts;
}

std::vector<int64_t> expected_row(size_t max_order, Sequence hypothesis, const std::vector<Sequence>& texts) {
    std::vector<int64_t> row;
    int64_t factor = static_cast<int64_t>(texts.size()) - 1;
    for (size_t order = 1; order <= max_order; ++order) {
        Counts source = times(ngrams(texts[0], order), factor), own = times(ngrams(hypothesis, order), factor), wanted;
        for (size_t k = 1; k < texts.size(); ++k)
            for (const auto& [ngram, count] : ngrams(texts[k], order)) wanted[ngram] += count;
        std::set<Words> all;
        for (const Counts* counts : {&source, &own, &wanted})
            for (const auto& [ngram, count] : *counts) all.insert(ngram);
        std::vector<int64_t> numbers(9);
        for (const Words& ngram : all) {
            int64_t s = of(source, ngram), h = of(own, ngram), r = of(wanted, ngram);
            int64_t kept = std::min(s, h), keep = std::min(s, r), deleted = s - kept, unwanted = s - keep;
            int64_t changes[] = {std::min(kept, keep),
                                 kept,
                                 keep,
                                 std::min(deleted, unwanted),
                                 deleted,
                                 unwanted,
                                 s == 0 && h > 0 && r > 0,
                                 s == 0 && h > 0,
                                 s == 0 && r > 0};
            for (size_t k = 0; k < numbers.size(); ++k) numbers[k] += changes[k];
        }
        row.insert(row.end(), numbers.begin(), numbers.end());
    }
    return row;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Sari used;
    Input input(data, size);
    SariSettings counts, chosen;
    counts.max_order = chosen.max_order = 1 + input.below(6);
    chosen.counting = input.one_of<SariCounting>(3);
    chosen.keep_recall = input.one_of<SariRecall>(2);
    chosen.undefined = input.one_of<SariUndefined>(2);
    chosen.deletion = input.one_of<SariDeletion>(2);
    chosen.order_average = input.one_of<SariOrderAverage>(2);
    chosen.average = input.one_of<SariAverage>(2);
    chosen.empty_text = input.one_of<SariEmptyText>(2);
    if (chosen.counting == SariCounting::Ratios) chosen.average = SariAverage::Segments;
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    const Block& block = segments.block;
    TextNumberer numberer(rules);
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences texts = numberer.references(block, segment);
        NumberedTexts hypothesis = numberer.hypothesis(block, segment, texts);
        if (texts.lengths.size() < 2) continue;  // the first is the source
        std::vector<int64_t> row(counts.columns()), again(row.size());
        used.row(counts, hypothesis.texts, hypothesis.numbers, texts, std::span(row));
        Sari().row(counts, hypothesis.texts, hypothesis.numbers, texts, std::span(again));
        CHECK(row == again);
        std::vector<double> numbers(chosen.columns()), fresh(numbers.size());
        used.row(chosen, hypothesis.texts, hypothesis.numbers, texts, std::span(numbers));
        Sari().row(chosen, hypothesis.texts, hypothesis.numbers, texts, std::span(fresh));
        CHECK(numbers == fresh);
        double value = used.value(chosen, numbers);
        CHECK(value >= 0 && value <= 1 + 1e-12);
        if (hypothesis.numbers.size() + texts.tokens.size() > 300) continue;
        // Words that only the hypothesis has are numbered anew, because all of them have one number here.
        Words own;
        std::map<std::string, uint32_t> unknown;
        for (size_t i = 0; i < hypothesis.numbers.size(); ++i) {
            const Token& token = hypothesis.texts.tokens[i];
            std::vector<uint8_t> bytes(std::max<size_t>(token.size, Token::kInline));
            copy_token(token, hypothesis.texts.arena, bytes.data());
            std::string word(bytes.begin(), bytes.begin() + token.size);
            uint32_t number = texts.vocabulary_size + 1 + static_cast<uint32_t>(unknown.size());
            own.push_back(hypothesis.numbers[i] != kUnknown ? hypothesis.numbers[i]
                                                            : unknown.emplace(word, number).first->second);
        }
        CHECK(row == expected_row(counts.max_order, own, each(texts)));
    }
    return 0;
}
