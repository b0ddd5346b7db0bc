#include "bind.hpp"

#include "refscore/ngrams/gleu.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct GleuKernel {
    using Input = TokenInput;
    using Scratch = Gleu;
    static constexpr bool kCounts = true;

    GleuSettings settings;

    size_t columns() const { return GleuRow::kColumns; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             T* out) const {
        GleuRow row = scratch.row(settings, hypothesis, references);
        out[0] = static_cast<T>(row.matches);
        out[1] = static_cast<T>(row.total);
    }
    double value(Scratch&, const double* row) const { return row[1] > 0 ? row[0] / row[1] : 0; }
};

}  // namespace

void bind_gleu(nb::module_& m) {
    bind_scorer<GleuKernel>(m, "Gleu").def(
        "__init__",
        [](Scorer<GleuKernel>* self, TextRules rules, size_t min_order, size_t max_order) {
            new (self) Scorer<GleuKernel>(rules, {{min_order, max_order}});
        },
        nb::kw_only(), "rules"_a, "min_order"_a, "max_order"_a);
}

}  // namespace refscore::bindings
