#include "bind.hpp"

#include <nanobind/stl/vector.h>

#include "refscore/error_rate.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct ErrorRateKernel {
    using Room = EditDistance;
    static constexpr bool kCounts = true;

    size_t columns() const { return 4; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Room& room, std::span<const uint32_t> hypothesis, const NumberedReferences& references, T* out) const {
        EditCounts counts = count_errors(hypothesis, references, room);
        out[0] = static_cast<T>(counts.hits);
        out[1] = static_cast<T>(counts.substitutions);
        out[2] = static_cast<T>(counts.deletions);
        out[3] = static_cast<T>(counts.insertions);
    }
    double value(Room&, const double* row) const { return error_rate(row[1] + row[2] + row[3], row[0] + row[1] + row[2]); }
};

// The edits that turn the reference into the hypothesis, in order. Words are numbers below `vocabulary`.
std::vector<Edit> align(std::vector<uint32_t> hypothesis, std::vector<uint32_t> reference, uint32_t vocabulary) {
    number_from_one(hypothesis, vocabulary);
    number_from_one(reference, vocabulary);
    std::vector<Edit> edits;
    without_gil([&] {
        EditDistance room;
        std::span<const Edit> found = room.align(hypothesis, reference, vocabulary);
        edits.assign(found.begin(), found.end());
    });
    return edits;
}

}  // namespace

void bind_error_rate(nb::module_& m) {
    nb::enum_<Edit>(m, "Edit")
        .value("hit", Edit::Hit)
        .value("substitution", Edit::Substitution)
        .value("deletion", Edit::Deletion)
        .value("insertion", Edit::Insertion);
    bind_scorer<ErrorRateKernel>(m, "ErrorRate")
        .def(
            "__init__", [](Scorer<ErrorRateKernel>* self, TextRules rules) { new (self) Scorer<ErrorRateKernel>(rules, {}); },
            nb::kw_only(), "rules"_a);
    m.def("align_edits", &align, "hypothesis"_a, "reference"_a, "vocabulary"_a);
}

}  // namespace refscore::bindings
