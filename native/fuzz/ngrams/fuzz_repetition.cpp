// Loops equal those found by comparing every n-gram with the next ones, however often the memory was used before.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/repetition.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

size_t expected_tokens(const RepetitionSettings& settings, std::span<const uint32_t> tokens) {
    std::vector<bool> looped(tokens.size());
    for (size_t order = 1; order <= settings.max_order; ++order) {
        size_t size = order * settings.repeats;
        for (size_t i = 0; i + size <= tokens.size(); ++i) {
            // Each token equals the one `order` tokens before, so all n-grams are equal.
            if (std::equal(&tokens[i] + order, &tokens[i] + size, &tokens[i]))
                std::fill_n(looped.begin() + static_cast<std::ptrdiff_t>(i), size, true);
        }
    }
    return static_cast<size_t>(std::count(looped.begin(), looped.end(), true));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Repetition used;
    Input input(data, size);
    RepetitionSettings settings;
    settings.max_order = 1 + input.below(20);
    settings.repeats = 2 + input.below(4);
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    SelfNumberer numberer(rules), lists(rules);
    TokenList list;
    for (size_t i = 0; i < segments.size(); ++i) {
        std::span<const uint32_t> tokens = numberer.hypothesis(segments.block, i, {});
        lists.read_hypothesis(segments.block, i, list);
        std::span<const uint32_t> again = lists.hypothesis(list, {});
        CHECK(std::ranges::equal(tokens, again));
        RepetitionRow row = used.row(settings, tokens);
        CHECK(row.tokens == tokens.size() && row.looped <= row.tokens && row.loops == (row.looped > 0));
        CHECK(Repetition().row(settings, tokens).looped == row.looped);
        if (tokens.size() <= 1200) CHECK(row.looped == expected_tokens(settings, tokens));
    }
    return 0;
}
