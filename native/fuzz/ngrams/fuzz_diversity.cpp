// The rows of each text with all others, and the numbers of distinct n-grams, equal those computed with maps.
#include <set>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/diversity.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    BleuSettings settings;
    settings.max_order = 1 + input.below(7);
    settings.reference_length = input.one_of<ReferenceLength>(4);
    size_t threads = 1 + input.below(3);
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    Numberer numberer(rules);
    Lexicon lexicon;
    Collection collection;
    std::vector<Words> texts;
    TokenList list;
    size_t all = 0;
    for (size_t r = 0; r < segments.block.references.size() && texts.size() < 40; ++r) {
        numberer.read_reference(segments.block, r, list);
        Words& text = texts.emplace_back();
        for (const Token& token : list.tokens) text.push_back(lexicon.add(token, list.arena.data()));
        auto length = static_cast<uint32_t>(text.size());
        collection.add(text, {&length, 1});
        all += length;
    }
    std::vector<uint64_t> distinct = distinct_ngrams(collection, lexicon.size(), settings.max_order, threads);
    bool is_small = all * texts.size() * settings.max_order <= 6000;
    for (size_t n = 1; n <= settings.max_order && is_small; ++n) {
        std::set<Words> seen;
        for (const Words& text : texts)
            for (const auto& [ngram, count] : ngrams(text, n)) seen.insert(ngram);
        CHECK(distinct[n - 1] == seen.size());
    }
    if (texts.size() < 2) return 0;
    std::vector<int64_t> rows(texts.size() * settings.columns());
    leave_one_out_rows(settings, collection, lexicon.size(), threads, rows);
    for (size_t own = 0; own < texts.size(); ++own) {
        const int64_t* row = rows.data() + own * settings.columns();
        CHECK(row[0] == static_cast<int64_t>(texts[own].size()));
        std::vector<Sequence> others;
        Words tokens, lengths;
        for (size_t other = 0; other < texts.size(); ++other) {
            if (other == own) continue;
            others.emplace_back(texts[other]);
            tokens.insert(tokens.end(), texts[other].begin(), texts[other].end());
            lengths.push_back(static_cast<uint32_t>(texts[other].size()));
        }
        NgramCounter counter;
        std::vector<int64_t> expected(settings.columns());
        bleu_row(settings, texts[own], {{}, lexicon.size(), tokens, lengths}, counter, expected);
        // Of two equally close lengths, the first one can differ between all texts and the others.
        size_t from = settings.reference_length == ReferenceLength::ClosestFirst ? 2 : 1;
        CHECK(std::equal(expected.begin() + static_cast<ptrdiff_t>(from), expected.end(), row + from));
        if (is_small)
            for (size_t n = 1; n <= settings.max_order; ++n) CHECK(row[1 + n] == matches(texts[own], others, n));
    }
    return 0;
}
