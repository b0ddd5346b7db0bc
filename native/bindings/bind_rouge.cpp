#include "bind.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "refscore/rouge.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct RougeKernel {
    using Scratch = Rouge;
    static constexpr bool kCounts = false;

    RougeSettings settings;

    size_t columns() const { return RougeRow::kColumns; }
    bool reads_lines() const { return settings.variant == RougeVariant::Lsum; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references, double* out) const {
        RougeRow row = scratch.row(settings, hypothesis, references);
        out[0] = row.precision;
        out[1] = row.recall;
        out[2] = row.f;
        out[3] = row.segments;
    }
    double value(Scratch&, const double* row) const { return row[3] > 0 ? row[2] / row[3] : 0; }
};

// Positions in the hypothesis and the reference of a longest common subsequence. Words are numbers below `vocabulary`.
std::vector<std::pair<uint32_t, uint32_t>> common_subsequence(std::vector<uint32_t> hypothesis, std::vector<uint32_t> reference,
                                                              uint32_t vocabulary) {
    vocabulary = number_from_one(hypothesis, reference, vocabulary);
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    without_gil([&] {
        CommonSubsequence scratch;
        for (CommonSubsequence::Pair pair : scratch.pairs(hypothesis, reference, vocabulary)) pairs.emplace_back(pair.hypothesis, pair.reference);
    });
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace

void bind_rouge(nb::module_& m) {
    nb::enum_<RougeVariant>(m, "RougeVariant")
        .value("N", RougeVariant::N)
        .value("L", RougeVariant::L)
        .value("Lsum", RougeVariant::Lsum);
    bind_scorer<RougeKernel>(m, "Rouge")
        .def(
            "__init__",
            [](Scorer<RougeKernel>* self, TextRules rules, RougeVariant variant, size_t order) {
                new (self) Scorer<RougeKernel>(rules, {{variant, order}});
            },
            nb::kw_only(), "rules"_a, "variant"_a, "order"_a);
    m.def("common_subsequence", &common_subsequence, "hypothesis"_a, "reference"_a, "vocabulary"_a);
}

}  // namespace refscore::bindings
