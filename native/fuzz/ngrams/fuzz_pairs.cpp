// Scores of all pairs of a group equal those of single pairs. Scores with a whole group are finite, and with a group of
// one they equal the score of that pair.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/ribes_pairs.hpp"
#include "refscore/ngrams/bleu_pairs.hpp"
#include "refscore/ngrams/chrf_pairs.hpp"
#include "refscore/statistics/unit_means.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

// Scores all pairs with reused and with fresh scratch memory, the latter with several threads.
template <class Pairs, class Settings, class Lists, class Prepared, class Value>
void check_pairs(const Settings& settings, const Lists& lists, const Prepared& references, Value value) {
    static Pairs used;
    Pairs fresh;
    used.build(settings, lists, references, 1);
    fresh.build(settings, lists, references, 3);
    typename Pairs::Scratch scratch, other;
    std::vector<double> scores(lists.size()), again(lists.size());
    for (size_t r = 0; r < references.size(); ++r) {
        used.scores(scratch, r, scores);
        fresh.scores(other, r, again);
        CHECK(scores == again);
        for (size_t h = 0; h < lists.size(); ++h) CHECK(scores[h] == value(lists[h], references[r]));
    }
}

std::vector<double> read_weights(Input& input, size_t count) {
    std::vector<double> weights;
    if (input.flag()) return weights;
    for (size_t i = 0; i < count; ++i) weights.push_back(static_cast<double>(1 + i * 7 % 5) / 4);
    return weights;
}

void check_bleu(Input& input, const BleuSettings& settings, const TextRules& rules, const Block& block) {
    Numberer numberer(rules);
    PreparedReferences references(block.kind);
    references.add(block, numberer);
    std::vector<TokenList> lists(block.size());
    for (size_t h = 0; h < block.size(); ++h) numberer.read_hypothesis(block, h, lists[h]);
    NgramCounter counter;
    std::vector<int64_t> counts(settings.columns());
    BleuParts parts;
    auto value = [&](const TokenList& list, const NumberedReferences& one) {
        bleu_row(settings, numberer.hypothesis(list, one), one, counter, counts);
        std::vector<double> row(counts.begin(), counts.end());
        bleu_score(settings, row, parts);
        return parts.value;
    };
    check_pairs<BleuPairs>(settings, lists, references, value);
    std::vector<double> scores(lists.size());
    bleu_with_all(settings, lists, references, read_weights(input, references.size()), scores);
    for (size_t h = 0; h < lists.size(); ++h) {
        CHECK(scores[h] >= 0 && std::isfinite(scores[h]));
        if (references.size() == 1) CHECK(is_close(scores[h], value(lists[h], references[0])));
    }
}

void check_ribes(const RibesSettings& settings, const TextRules& rules, const Block& block) {
    Numberer numberer(rules);
    PreparedReferences references(block.kind);
    references.add(block, numberer);
    if (!RibesPairs::takes(references)) return;
    std::vector<TokenList> lists(block.size());
    for (size_t h = 0; h < block.size(); ++h) numberer.read_hypothesis(block, h, lists[h]);
    Ribes ribes;
    check_pairs<RibesPairs>(settings, lists, references, [&](const TokenList& list, const NumberedReferences& one) {
        return ribes.row(settings, numberer.hypothesis(list, one), one).score;
    });
}

void check_chrf(Input& input, const ChrfSettings& settings, const ChrfRules& rules, const Block& block) {
    ChrfReader reader(rules);
    PreparedUnits references(block.kind);
    references.add(block, reader);
    std::vector<ChrfList> lists(block.size());
    for (size_t h = 0; h < block.size(); ++h) reader.read_hypothesis(block, h, lists[h]);
    Chrf chrf;
    auto value = [&](const ChrfList& list, const ChrfReferences& one) {
        return chrf_score(settings, chrf.counts(settings, reader.hypothesis(list, one), one)).value;
    };
    check_pairs<ChrfPairs>(settings, lists, references, value);
    std::vector<double> scores(lists.size());
    chrf_with_all(settings, lists, references, read_weights(input, references.size()), scores);
    for (size_t h = 0; h < lists.size(); ++h) {
        CHECK(scores[h] >= 0 && scores[h] <= 1 + 1e-12);
        if (references.size() == 1) CHECK(is_close(scores[h], value(lists[h], references[0])));
    }
}

void check_means(const std::vector<Words>& sequences, size_t left, size_t max_order,
                 const std::vector<double>& weights) {
    static UnitMeans used;
    Words codes;
    std::vector<size_t> ends;
    for (const Words& sequence : sequences) {
        codes.insert(codes.end(), sequence.begin(), sequence.end());
        ends.push_back(codes.size());
    }
    std::vector<double> found;
    used.count(codes, ends, left, max_order, weights, found);
    if (codes.size() * max_order > 1000) return;
    double total = 0;
    for (size_t r = left; r < sequences.size(); ++r) total += weights.empty() ? 1 : weights[r - left];
    for (size_t n = 1; n <= max_order; ++n) {
        std::map<Words, double> mean;
        for (size_t r = left; r < sequences.size(); ++r)
            for (const auto& [ngram, count] : ngrams(sequences[r], n))
                mean[ngram] += (weights.empty() ? 1 : weights[r - left]) * static_cast<double>(count) / total;
        for (size_t h = 0; h < left; ++h) {
            double expected = 0;
            for (const auto& [ngram, count] : ngrams(sequences[h], n))
                expected += std::min<double>(static_cast<double>(count), mean[ngram]);
            CHECK(std::fabs(found[h * max_order + n - 1] - expected) <= 1e-9 * std::max(1.0, expected));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    size_t metric = input.below(4);
    uint8_t order = input.byte(), flags = input.byte();
    Smoothing smoothing = input.one_of<Smoothing>(15);
    TextRules rules = read_rules(input);
    if (metric == 3) {
        std::vector<double> weights;
        std::vector<Words> sequences;
        size_t left = input.below(4);
        uint32_t first = input.choose({0u, 0x61u, 0xfff0u, 0xffff0000u});
        for (std::span<const uint8_t> part : split(input.rest(), 0xff)) {
            Words& sequence = sequences.emplace_back();
            for (uint8_t byte : part) sequence.push_back(first + byte);
        }
        left = std::min(left, sequences.size() - 1);
        if ((flags & 1) != 0)
            for (size_t i = left; i < sequences.size(); ++i) weights.push_back(static_cast<double>(1 + i * 7 % 5) / 4);
        check_means(sequences, left, 1 + order % 6u, weights);
        return 0;
    }
    Input weights(data, std::min<size_t>(size, 4));
    bool has_words = metric == 2 && (flags & 1) != 0;
    Segments segments(input, rules, true, has_words);
    if (metric == 0) {
        BleuSettings settings;
        settings.max_order = 1 + order % 8u;
        settings.smoothing = smoothing;
        settings.smoothing_value = 0.25 * (1 + order / 64);
        settings.effective_order = (flags & 1) != 0;
        settings.short_order = static_cast<ShortOrder>(flags / 8 % 3);
        settings.no_match = static_cast<NoMatch>(flags / 32 % 3);
        if (flags % 7 == 6)
            for (size_t n = 0; n < settings.max_order; ++n) settings.weights.push_back(n % 3 == 1 ? 0 : 0.5);
        check_bleu(weights, settings, rules, segments.block);
    } else if (metric == 1) {
        RibesSettings settings;
        settings.alignment.first = static_cast<FirstContext>(flags & 1);
        settings.alignment.limit = static_cast<ContextLimit>(flags >> 1 & 1);
        settings.correlation = static_cast<Correlation>(flags >> 2 & 3);
        settings.single_word = static_cast<SingleWord>(flags >> 4 & 1);
        check_ribes(settings, rules, segments.block);
    } else {
        ChrfSettings settings;
        settings.char_order = 1 + order % 7u;
        settings.word_order = has_words ? 1 + order / 64u : 0;
        settings.smoothing = static_cast<ChrfSmoothing>(flags / 2 % 3);
        ChrfRules chrf_rules{rules};
        chrf_rules.tokenizer = (flags & 64) != 0 ? Tokenizer::Graphemes : Tokenizer::Char;
        chrf_rules.references_twice = chrf_rules.stem = false;
        chrf_rules.words = has_words;
        chrf_rules.whitespace = (flags & 128) != 0;
        check_chrf(weights, settings, chrf_rules, segments.block);
    }
    return 0;
}
