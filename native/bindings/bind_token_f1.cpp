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

    void read(const Settings& read) {
        read.is("empty_reference", "skip", settings.skip_empty);
        read.is("both_empty", "one", settings.both_empty);
    }
    size_t columns() const { return TokenF1Row::kColumns; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        TokenF1Row row = scratch.row(settings, hypothesis, references);
        out[0] = row.f1;
        out[1] = row.precision;
        out[2] = row.recall;
        out[3] = row.exact;
        out[4] = row.segments;
    }
    double value(Scratch&, std::span<const double> row) const { return row[4] > 0 ? row[0] / row[4] : 0; }
};

}  // namespace

void bind_token_f1(nb::module_& m) { bind_scorer<TokenF1Kernel>(m, "TokenF1"); }

}  // namespace refscore::bindings
