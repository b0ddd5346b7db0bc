#include "bind.hpp"

#include "refscore/ngrams/token_f1.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct TokenF1Kernel {
    using Input = TokenInput;
    using Scratch = TokenF1;
    static constexpr bool kCounts = false;

    TokenF1Settings settings;

    size_t columns() const { return TokenF1Row::kColumns; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             double* out) const {
        TokenF1Row row = scratch.row(settings, hypothesis, references);
        out[0] = row.f1;
        out[1] = row.precision;
        out[2] = row.recall;
        out[3] = row.exact;
        out[4] = row.segments;
    }
    double value(Scratch&, const double* row) const { return row[4] > 0 ? row[0] / row[4] : 0; }
};

}  // namespace

void bind_token_f1(nb::module_& m) {
    bind_scorer<TokenF1Kernel>(m, "TokenF1")
        .def(
            "__init__",
            [](Scorer<TokenF1Kernel>* self, TextRules rules, bool skip_empty, bool both_empty) {
                new (self) Scorer<TokenF1Kernel>(rules, {{skip_empty, both_empty}});
            },
            nb::kw_only(), "rules"_a, "skip_empty"_a, "both_empty"_a);
}

}  // namespace refscore::bindings
