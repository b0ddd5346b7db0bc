#include "bind.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "refscore/ngrams/repetition.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct RepetitionKernel {
    using Input = SelfInput;
    using Scratch = Repetition;
    static constexpr bool kCounts = true;

    RepetitionSettings settings;

    void read(const Settings& read) {
        read("max_order", settings.max_order);
        read("repeats", settings.repeats);
        read.is("unit", "segments", settings.of_segments);
    }
    size_t columns() const { return RepetitionRow::kColumns; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences&,
             std::span<T> out) const {
        RepetitionRow row = scratch.row(settings, hypothesis);
        out[0] = static_cast<T>(row.looped);
        out[1] = static_cast<T>(row.tokens);
        out[2] = static_cast<T>(row.loops);
        out[3] = static_cast<T>(row.segments);
    }
    double value(Scratch&, std::span<const double> row) const {
        std::span<const double> share = settings.of_segments ? row.last(2) : row.first(2);
        return share[1] > 0 ? share[0] / share[1] : 0;
    }
};

}  // namespace

void bind_repetition(nb::module_& m) {
    bind_scorer<RepetitionKernel>(m, "Repetition")
        .def(
            "loops",
            [](const Scorer<RepetitionKernel>& self, const std::vector<uint32_t>& tokens) {
                Repetition repetition;
                std::vector<std::tuple<size_t, size_t, size_t>> found;
                for (const Loop& loop : repetition.find(self.kernel().settings, tokens))
                    found.emplace_back(loop.begin, loop.end, loop.order);
                return found;
            },
            "tokens"_a);
}

}  // namespace refscore::bindings
