// Kernels give the same results on several threads as on one.
#include <mutex>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/ter.hpp"
#include "refscore/ngrams/bleu_pairs.hpp"
#include "refscore/ngrams/diversity.hpp"
#include "refscore/threads/loading.hpp"
#include "refscore/threads/parallel.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

void check_sets(const BleuSettings& settings, const Block& block, const TextRules& rules, size_t threads) {
    Lexicon lexicon;
    Collection collection;
    Numberer numberer(rules);
    TokenList list;
    for (size_t r = 0; r < block.references.size(); ++r) {
        numberer.read_reference(block, r, list);
        Words text;
        for (const Token& token : list.tokens) text.push_back(lexicon.add(token, list.arena.data()));
        auto length = static_cast<uint32_t>(text.size());
        collection.add(text, {&length, 1});
    }
    CHECK(distinct_ngrams(collection, lexicon.size(), settings.max_order, threads) ==
          distinct_ngrams(collection, lexicon.size(), settings.max_order, 1));
    if (collection.size() < 2) return;
    std::vector<int64_t> one(collection.size() * settings.columns()), other(one.size());
    leave_one_out_rows(settings, collection, lexicon.size(), 1, one);
    leave_one_out_rows(settings, collection, lexicon.size(), threads, other);
    CHECK(one == other);
}

// Processes segments like the bindings: one block, split into pieces by length.
void check_rows(const BleuSettings& settings, const Block& block, const TextRules& rules, size_t threads) {
    size_t columns = settings.columns();
    auto rows_of = [&](size_t by_threads) {
        std::vector<int64_t> rows(block.size() * columns);
        std::vector<double> edits(block.size());
        struct Chunk {};
        auto load = [&](size_t, Chunk&, std::vector<Piece>& pieces) {
            for (size_t i = 0; i < block.size(); ++i) pieces.push_back({i, i + 1, i % 5});
        };
        process_loaded_by_caller<Chunk>(
            1, by_threads, 1'000'000, load, [](const auto& call) { call(); },
            [&] {
                return [&, numberer = Numberer(rules), counter = NgramCounter(), ter = Ter()](Chunk&, size_t begin,
                                                                                              size_t end) mutable {
                    for (size_t i = begin; i < end; ++i) {
                        NumberedReferences references = numberer.references(block, i);
                        Sequence hypothesis = numberer.hypothesis(block, i, references);
                        bleu_row(settings, hypothesis, references, counter,
                                 std::span(rows).subspan(i * columns, columns));
                        if (hypothesis.size() < 100 && references.tokens.size() < 200)
                            edits[i] = ter.row(hypothesis, references).edits;
                    }
                };
            });
        return std::pair(rows, edits);
    };
    CHECK(rows_of(1) == rows_of(threads));
}

void check_pairs(const BleuSettings& settings, const Block& block, const TextRules& rules, size_t threads) {
    Numberer numberer(rules);
    PreparedReferences references(block.kind);
    references.add(block, numberer);
    if (!BleuPairs::takes(references)) return;
    std::vector<TokenList> lists(block.size());
    for (size_t h = 0; h < block.size(); ++h) numberer.read_hypothesis(block, h, lists[h]);
    BleuPairs pairs;
    pairs.build(settings, lists, references, 2);
    auto scores_of = [&](size_t by_threads) {
        std::vector<double> scores(lists.size() * references.size());
        parallel_for(
            references.size(), by_threads,
            [&] {
                return [&, scratch = BleuPairs::Scratch()](size_t from, size_t to) mutable {
                    for (size_t r = from; r < to; ++r)
                        pairs.scores(scratch, r, std::span(scores).subspan(r * lists.size(), lists.size()));
                };
            },
            2);
        return scores;
    };
    CHECK(scores_of(1) == scores_of(threads));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    BleuSettings settings;
    settings.max_order = 1 + input.below(6);
    size_t threads = 2 + input.below(6), check = input.below(3);
    TextRules rules = read_rules(input);
    Segments segments(input, rules, check == 2);
    if (segments.block.references.size() > 60) return 0;
    if (check == 0) check_sets(settings, segments.block, rules, threads);
    if (check == 1) check_rows(settings, segments.block, rules, threads);
    if (check == 2) check_pairs(settings, segments.block, rules, threads);
    return 0;
}
