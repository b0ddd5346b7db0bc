// GLEU's rows equal counts in maps.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/gleu.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

GleuRow expected_row(const GleuSettings& settings, Sequence hypothesis, const NumberedReferences& references) {
    GleuRow best;
    for (Sequence reference : each(references)) {
        int64_t own = 0, other = 0;
        GleuRow row;
        for (size_t n = settings.min_order; n <= settings.max_order; ++n) {
            own += count_of(hypothesis.size(), n);
            other += count_of(reference.size(), n);
            row.matches += common(ngrams(hypothesis, n), ngrams(reference, n));
        }
        row.total = std::max(own, other);
        if (row.total > 0 && (best.total == 0 || row.value() > best.value())) best = row;
    }
    return best;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Gleu used;
    Input input(data, size);
    GleuSettings settings;
    settings.min_order = 1 + input.below(4);
    settings.max_order = settings.min_order + input.below(8);
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    GleuRow first;
    read_all_ways(segments.block, rules,
                  [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
                      GleuRow row = Gleu().row(settings, hypothesis, references),
                              again = used.row(settings, hypothesis, references);
                      CHECK(row.matches == again.matches && row.total == again.total);
                      CHECK(row.matches >= 0 && row.matches <= row.total);
                      if (is_first) first = row;
                      CHECK(row.matches == first.matches && row.total == first.total);
                      if (!is_first || (hypothesis.size() + references.tokens.size()) * settings.max_order > 1200)
                          return;
                      GleuRow expected = expected_row(settings, hypothesis, references);
                      CHECK(row.matches == expected.matches && row.total == expected.total);
                  });
    return 0;
}
