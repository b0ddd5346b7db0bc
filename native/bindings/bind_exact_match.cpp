#include "bind.hpp"

#include "refscore/ngrams/exact_match.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct ExactMatchKernel {
    using Input = SequenceInput;
    struct Scratch {};
    static constexpr bool kCounts = true;

    ExactMatchSettings settings;

    void read(const Settings& read) { read.is("empty_reference", "skip", settings.skip_empty); }
    size_t columns() const { return 2; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch&, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        out[0] = static_cast<T>(is_exact_match(settings, hypothesis, references));
        out[1] = T{1};
    }
    double value(Scratch&, std::span<const double> row) const { return row[1] > 0 ? row[0] / row[1] : 0; }
};

}  // namespace

void bind_exact_match(nb::module_& m) { bind_scorer<ExactMatchKernel>(m, "ExactMatch"); }

}  // namespace refscore::bindings
