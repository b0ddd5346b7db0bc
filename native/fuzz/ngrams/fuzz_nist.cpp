// NIST's weights and rows equal those computed with maps, and the weights survive writing and reading.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/nist.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

// The n-gram counts of the texts for fit(). Tokens are numbered by a lexicon of all texts.
struct Fitted {
    Lexicon lexicon;
    Collection collection;
    Counts counts;
    int64_t words = 0;

    double weight(const Words& ngram) const {
        auto found = counts.find(ngram);
        if (found == counts.end()) return 0;
        int64_t whole = ngram.size() == 1 ? words : counts.at(Words(ngram.begin(), ngram.end() - 1));
        return std::log2(static_cast<double>(whole) / static_cast<double>(found->second));
    }
};

void check_row(const Fitted& fitted, size_t max_order, Sequence hypothesis, const NumberedReferences& references,
               const std::vector<double>& row) {
    auto known = [&](Sequence tokens, bool is_hypothesis) {
        Words numbers;
        for (uint32_t token : tokens) {
            // Tokens that the lexicon lacks have no weight but may match, so each gets a unique number.
            uint32_t number = token == kUnknown ? 0
                                                : fitted.lexicon.find(references.vocabulary.tokens[token],
                                                                      references.vocabulary.arena);
            numbers.push_back(token == kUnknown ? (is_hypothesis ? UINT32_MAX : 0)
                              : number != 0     ? number
                                                : (1u << 31) + token);
        }
        return numbers;
    };
    Words own = known(hypothesis, true);
    CHECK(row[0] == static_cast<double>(hypothesis.size()));
    for (size_t n = 1; n <= max_order; ++n) {
        double most = 0;
        for (Sequence reference : each(references)) {
            double sum = 0;
            Counts there = ngrams(known(reference, false), n);
            for (const auto& [ngram, count] : ngrams(own, n))
                if (auto found = there.find(ngram); found != there.end())
                    sum += fitted.weight(ngram) * static_cast<double>(std::min(count, found->second));
            most = std::max(most, sum);
        }
        CHECK(std::fabs(row[1 + n] - most) <= 1e-9 * std::max(1.0, most));
        CHECK(row[1 + max_order + n] == static_cast<double>(count_of(hypothesis.size(), n)));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Nist used;
    Input input(data, size);
    size_t max_order = 1 + input.below(8);
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    const Block& block = segments.block;
    size_t fitted_on = (block.references.size() + 1) / 2;  // the others contain tokens that the metric does not know
    Fitted fitted;
    Numberer numberer(rules);
    TokenList list;
    for (size_t r = 0; r < fitted_on; ++r) {
        numberer.read_reference(block, r, list);
        Words numbers;
        for (const Token& token : list.tokens) numbers.push_back(fitted.lexicon.add(token, list.arena.data()));
        auto length = static_cast<uint32_t>(numbers.size());
        fitted.collection.add(numbers, {&length, 1});
        fitted.words += length;
        if (length > 150) return 0;
        for (size_t n = 1; n <= max_order; ++n)
            for (const auto& [ngram, count] : ngrams(numbers, n)) fitted.counts[ngram] += count;
    }
    NistInformation fitted_information(fitted.lexicon, fitted.collection, max_order, block.kind == ItemKind::Ids);
    std::string bytes = fitted_information.bytes();
    NistInformation information(std::span<const char>(bytes.data(), bytes.size()));
    CHECK(information.bytes() == bytes && information.size() == fitted_information.size());
    std::vector<double> first;
    read_all_ways(block, rules, [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
        std::vector<double> row(Nist::columns(max_order)), again(row.size());
        Nist().row(information, hypothesis, references, row);
        used.row(fitted_information, hypothesis, references, again);
        CHECK(row == again);
        if (is_first) first = row;
        CHECK(row == first);
        if (is_first && hypothesis.size() + references.tokens.size() <= 200)
            check_row(fitted, max_order, hypothesis, references, row);
        NistParts parts;
        nist_score(max_order, row, parts);
        CHECK(parts.value >= 0 && std::isfinite(parts.value));
    });
    return 0;
}
