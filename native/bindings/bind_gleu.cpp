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

    void read(const Settings& read) {
        read("min_order", settings.min_order);
        read("max_order", settings.max_order);
    }
    size_t columns() const { return GleuRow::kColumns; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        GleuRow row = scratch.row(settings, hypothesis, references);
        out[0] = static_cast<T>(row.matches);
        out[1] = static_cast<T>(row.total);
    }
    double value(Scratch&, std::span<const double> row) const { return row[1] > 0 ? row[0] / row[1] : 0; }
};

}  // namespace

void bind_gleu(nb::module_& m) { bind_scorer<GleuKernel>(m, "Gleu"); }

}  // namespace refscore::bindings
