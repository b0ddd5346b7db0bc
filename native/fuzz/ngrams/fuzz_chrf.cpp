// chrF's counts equal those in maps for the best reference, for every way to read the segment. The score is between 0
// and 1.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/chrf.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

// Three numbers per order, for one reference.
std::vector<int64_t> expected_counts(const ChrfSettings& settings, const ChrfHypothesis& hypothesis, Sequence units,
                                     Sequence words) {
    std::vector<int64_t> counts;
    for (size_t i = 0; i < settings.orders(); ++i) {
        bool is_word = i >= settings.char_order;
        size_t order = is_word ? i - settings.char_order + 1 : i + 1;
        Sequence own = is_word ? hypothesis.words : hypothesis.units, other = is_word ? words : units;
        counts.push_back(count_of(other.size(), order) == 0 ? 0 : count_of(own.size(), order));
        counts.push_back(count_of(other.size(), order));
        counts.push_back(common(ngrams(own, order), ngrams(other, order)));
    }
    return counts;
}

void check_counts(const ChrfSettings& settings, const ChrfHypothesis& hypothesis, const ChrfReferences& references,
                  const std::vector<int64_t>& found) {
    std::vector<int64_t> best;
    double highest = -1;
    size_t unit = 0, word = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        Sequence units = references.units.subspan(unit, references.lengths[r]), words;
        unit += units.size();
        if (settings.word_order > 0) {
            words = references.words.tokens.subspan(word, references.words.lengths[r]);
            word += words.size();
        }
        std::vector<int64_t> counts = expected_counts(settings, hypothesis, units, words);
        double percent = chrf_score(settings, counts).percent;
        if (percent > highest) highest = percent, best = counts;
    }
    CHECK(found == best);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Chrf used;
    Input input(data, size);
    ChrfSettings settings;
    settings.char_order = 1 + input.below(9);
    settings.word_order = input.below(4);
    settings.beta = input.choose({2.0, 0.0, 1.0, 3.0, 1e200, 5e-324});
    settings.smoothing = input.one_of<ChrfSmoothing>(3);
    ChrfRules rules{read_rules(input)};
    if (rules.tokenizer < Tokenizer::Graphemes) rules.tokenizer = Tokenizer::Char;
    if (rules.tokenizer > Tokenizer::AllGraphemes) rules.tokenizer = Tokenizer::Graphemes;
    rules.references_twice = rules.stem = false;
    rules.words = settings.word_order > 0;
    rules.whitespace = input.flag();
    Segments segments(input, rules, false, rules.words);
    const Block& block = segments.block;
    ChrfReader one(rules), other(rules);
    PreparedUnits prepared(block.kind);
    prepared.add(block, other);
    CHECK(prepared.size() == block.size());
    ChrfList list;
    for (size_t i = 0; i < block.size(); ++i) {
        Chrf fresh;
        auto counted = [&](Chrf& scratch, const ChrfHypothesis& hypothesis, const ChrfReferences& references) {
            std::span<const int64_t> counts = scratch.counts(settings, hypothesis, references);
            return std::vector<int64_t>(counts.begin(), counts.end());
        };
        ChrfReferences references = one.references(block, i);
        ChrfHypothesis hypothesis = one.hypothesis(block, i, references);
        std::vector<int64_t> counts = counted(fresh, hypothesis, references);
        CHECK(counts == counted(used, hypothesis, references));
        if ((hypothesis.units.size() + references.units.size()) * settings.orders() <= 1800)
            check_counts(settings, hypothesis, references, counts);
        double value = chrf_score(settings, counts).value;
        CHECK(value >= 0 && value <= 1 + 1e-12);
        CHECK(counts == counted(used, other.hypothesis(block, i, prepared[i]), prepared[i]));
        one.read_hypothesis(block, i, list);
        CHECK(counts == counted(used, other.hypothesis(list, prepared[i]), prepared[i]));
    }
    return 0;
}
