#include "bind.hpp"

#include "refscore/ngrams/gec_gleu.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<GecPenalty> {
    using enum GecPenalty;
    static constexpr Name<GecPenalty> kAll[] = {{Excess, "excess"}, {Absent, "absent"}};
};
template <>
struct Names<GecShortOrder> {
    using enum GecShortOrder;
    static constexpr Name<GecShortOrder> kAll[] = {{Zero, "zero"}, {Perfect, "perfect"}};
};
template <>
struct Names<GecSmoothing> {
    using enum GecSmoothing;
    static constexpr Name<GecSmoothing> kAll[] = {{None, "none"}, {One, "one"}};
};

namespace {

struct GecGleuKernel {
    using Input = TokenInput;
    using Scratch = GecGleu;
    static constexpr bool kCounts = false;
    static constexpr size_t kSources = 1;

    GecGleuSettings settings;

    void read(const Settings& read) {
        read("max_order", settings.max_order);
        read("penalty", settings.penalty);
        read("short_order", settings.short_order);
        read("smoothing", settings.smoothing);
    }
    size_t columns() const { return settings.columns(); }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        scratch.row(settings, hypothesis, references, out);
    }
    double value(Scratch&, std::span<const double> row) const { return GecGleu::value(settings, row); }
};

}  // namespace

void bind_gec_gleu(nb::module_& m) { bind_scorer<GecGleuKernel>(m, "GecGleu"); }

}  // namespace refscore::bindings
