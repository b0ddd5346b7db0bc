// Overlaps of the hypotheses with the references equal those of sets of n-grams, and a filter misses none of them.
#include <set>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/overlap/overlap.hpp"
#include "refscore/overlap/overlap_filter.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    size_t order = 1 + input.below(5), most = input.below(3), threads = 1 + input.below(2);
    size_t blocks = 1 + input.below(3), hashes = 1 + input.below(OverlapFilter::kMostHashes);
    OverlapFilter filter(order, blocks, hashes);
    TextRules rules = read_rules(input);
    rules.references_twice = false;
    Segments segments(input, rules);
    Numberer numberer(rules);
    OverlapIndex index;
    Lexicon lexicon;  // separate from that of the index, for the expected counts
    NgramScratch scratch;
    TokenList list;
    std::vector<Words> texts;
    auto numbers = [&] {
        Words words;
        for (const Token& token : list.tokens) words.push_back(lexicon.add(token, list.arena.data()));
        return words;
    };
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        numberer.read_hypothesis(segments.block, segment, list);
        texts.push_back(numbers());
        Words tokens;
        for (const Token& token : list.tokens) tokens.push_back(index.number(token, list.arena.data()));
        auto length = static_cast<uint32_t>(tokens.size());
        index.add(tokens, {&length, 1});
    }
    index.build(order, most, threads);
    Counts documents;
    for (size_t r = 0; r < segments.block.references.size(); ++r) {
        numberer.read_reference(segments.block, r, list);
        for (const auto& [ngram, count] : ngrams(numbers(), order)) ++documents[ngram];
        index.scan({&list, 1}, scratch);
        filter.add({&list, 1}, scratch);
    }
    for (size_t segment = 0; segment < texts.size(); ++segment) {
        OverlapCounts counts = index.count(segment, scratch);
        int64_t matches = 0, all = 0;
        std::set<size_t> covered;
        for (size_t i = 0; i + order <= texts[segment].size(); ++i) {
            auto begin = texts[segment].begin() + static_cast<ptrdiff_t>(i);
            auto found = documents.find(Words(begin, begin + static_cast<ptrdiff_t>(order)));
            if (found == documents.end()) continue;
            ++all;
            if (most > 0 && found->second > static_cast<int64_t>(most)) continue;
            ++matches;
            for (size_t k = 0; k < order; ++k) covered.insert(i + k);
        }
        CHECK(counts.matches == matches && counts.covered == static_cast<int64_t>(covered.size()));
        CHECK(counts.ngrams == count_of(texts[segment].size(), order));
        numberer.read_hypothesis(segments.block, segment, list);
        CHECK(filter.count(list, scratch).matches >= all);
    }
    return 0;
}
