// Exact match and F1 equal counts in maps.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/exact_match.hpp"
#include "refscore/ngrams/token_f1.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Expected {
    bool is_match = false;
    double f1 = 0;
};

Expected expected_scores(const TokenF1Settings& settings, Sequence hypothesis, const NumberedReferences& references) {
    Expected best;
    for (Sequence reference : each(references)) {
        if (settings.skip_empty && reference.empty() && !references.tokens.empty()) continue;
        best.is_match |= std::ranges::equal(hypothesis, reference);
        auto matches = static_cast<double>(common(ngrams(hypothesis, 1), ngrams(reference, 1)));
        double f1 = matches > 0 ? 2 * matches / static_cast<double>(hypothesis.size() + reference.size()) : 0;
        if (settings.both_empty && hypothesis.empty() && reference.empty()) f1 = 1;
        best.f1 = std::max(best.f1, f1);
    }
    return best;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static TokenF1 used;
    Input input(data, size);
    uint8_t flags = input.byte();
    TokenF1Settings settings{(flags & 1) != 0, (flags & 2) != 0};
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    Expected first;
    read_all_ways(segments.block, rules,
                  [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
                      bool is_match = is_exact_match({settings.skip_empty}, hypothesis, references);
                      TokenF1Row row = TokenF1().row(settings, hypothesis, references),
                                 again = used.row(settings, hypothesis, references);
                      CHECK(row.exact == is_match);
                      CHECK(row.f1 == again.f1 && row.precision == again.precision && row.recall == again.recall);
                      CHECK(row.f1 >= 0 && row.f1 <= 1 && row.precision <= 1 && row.recall <= 1);
                      if (is_first) first = {is_match, row.f1};
                      CHECK(is_match == first.is_match && row.f1 == first.f1);
                      if (!is_first || hypothesis.size() + references.tokens.size() > 1200) return;
                      Expected expected = expected_scores(settings, hypothesis, references);
                      CHECK(is_match == expected.is_match && std::abs(row.f1 - expected.f1) < 1e-12);
                  });
    return 0;
}
