#include "bind.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include <array>
#include <string>

#include "refscore/ngrams/sari.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct SariKernel {
    using Input = TextInput;
    using Scratch = Sari;
    static constexpr bool kCounts = true;
    static constexpr size_t kSources = 1;

    SariSettings settings;

    size_t columns() const { return settings.columns(); }
    bool has_counts() const { return settings.has_counts(); }

    template <class T>
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references, T* out) const {
        scratch.row(settings, hypothesis.texts, hypothesis.numbers, references, out);
    }
    double value(Scratch& scratch, const double* row) const { return scratch.value(settings, row); }
};

SariCounting counting_of(const std::string& name) {
    if (name == "counts") return SariCounting::Counts;
    if (name == "ratios") return SariCounting::Ratios;
    require(name == "sets", "the counting of SARI must be counts, ratios or sets");
    return SariCounting::Sets;
}

}  // namespace

void bind_sari(nb::module_& m) {
    bind_scorer<SariKernel>(m, "Sari")
        .def(
            "__init__",
            [](Scorer<SariKernel>* self, TextRules rules, size_t max_order, const std::string& counting,
               bool recall_by_counts, bool undefined_is_one, bool deletion_by_f1, bool averages_first,
               bool mean_of_segments, bool empty_text_is_token) {
                SariSettings settings{max_order,      counting_of(counting), recall_by_counts, undefined_is_one,
                                      deletion_by_f1, averages_first,        mean_of_segments, empty_text_is_token};
                new (self) Scorer<SariKernel>(rules, {settings});
            },
            nb::kw_only(), "rules"_a, "max_order"_a, "counting"_a, "recall_by_counts"_a, "undefined_is_one"_a,
            "deletion_by_f1"_a, "averages_first"_a, "mean_of_segments"_a, "empty_text_is_token"_a)
        .def(
            "operation_scores",
            [](const Scorer<SariKernel>& self,
               const nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& row) {
                self.check_columns(row.size());
                std::array<double, kSariOperations> scores{};
                Sari().operation_scores(self.kernel().settings, row.data(), scores.data());
                return scores;
            },
            "row"_a, "Returns the scores of keep, delete and add.");
}

}  // namespace refscore::bindings
