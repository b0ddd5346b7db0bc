#include "bind.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "refscore/distance/annotated_match.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct MaxMatchKernel {
    using Input = TextInput;
    using Scratch = AnnotatedMatch;
    static constexpr bool kCounts = true;
    static constexpr size_t kSources = 1;

    MaxMatchSettings settings;

    void read(const Settings& read) {
        read("max_unchanged", settings.max_unchanged);
        read("beta", settings.beta);
    }
    size_t columns() const { return MaxMatchRow::kColumns; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        MaxMatchRow row = scratch.row(settings, hypothesis.texts, references);
        out[0] = static_cast<T>(row.correct);
        out[1] = static_cast<T>(row.proposed);
        out[2] = static_cast<T>(row.gold);
    }
    double value(Scratch&, std::span<const double> row) const {
        return max_match_value(settings.beta, row[0], row[1], row[2]);
    }
};

// The edits on the best path for one annotator: the words of the source that each replaces, what by, and whether the
// annotator has it. Texts are UTF-8.
std::vector<std::tuple<size_t, size_t, nb::bytes, bool>> edits(const Scorer<MaxMatchKernel>& scorer,
                                                               const nb::bytes& source, const nb::bytes& hypothesis,
                                                               const nb::bytes& reference) {
    auto view = [](const nb::bytes& text) { return std::string_view(text.c_str(), text.size()); };
    std::vector<std::tuple<size_t, size_t, nb::bytes, bool>> found;
    for (const AnnotatedMatch::Edit& edit :
         AnnotatedMatch().edits(scorer.kernel().settings, view(source), view(hypothesis), view(reference)))
        found.emplace_back(edit.begin, edit.end, nb::bytes(edit.correction.data(), edit.correction.size()),
                           edit.is_correct);
    return found;
}

}  // namespace

void bind_max_match(nb::module_& m) {
    bind_scorer<MaxMatchKernel>(m, "MaxMatch").def("edits", &edits, "source"_a, "hypothesis"_a, "reference"_a);
}

}  // namespace refscore::bindings
