#include "bind.hpp"

#include "refscore/ngrams/chrf_pairs.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct ChrfKernel {
    using Input = ChrfInput;
    using Scratch = Chrf;
    using Pairs = ChrfPairs;
    static constexpr bool kCounts = true;

    ChrfSettings settings;

    size_t columns() const { return settings.columns(); }
    bool has_counts() const { return !settings.macro; }

    void row(Scratch& scratch, const ChrfHypothesis& hypothesis, const ChrfReferences& references, int64_t* out) const {
        const int64_t* counts = scratch.counts(settings, hypothesis, references);
        std::copy(counts, counts + columns(), out);
    }
    void row(Scratch& scratch, const ChrfHypothesis& hypothesis, const ChrfReferences& references, double* out) const {
        const int64_t* counts = scratch.counts(settings, hypothesis, references);
        if (settings.macro) {
            out[0] = chrf_score(settings, counts).value;
            out[1] = 1;
        } else {
            std::copy(counts, counts + columns(), out);
        }
    }
    double value(Scratch&, const double* row) const {
        if (settings.macro) return row[1] > 0 ? row[0] / row[1] : 0;
        return chrf_score(settings, row).value;
    }
};

// value, mean precision, mean recall
nb::tuple chrf_parts(const Scorer<ChrfKernel>& scorer,
                     nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> row) {
    scorer.check_columns(row.shape(0));
    if (scorer.kernel().settings.macro) throw nb::value_error("a row of means has no parts");
    ChrfParts parts = chrf_score(scorer.kernel().settings, row.data());
    return nb::make_tuple(parts.value, parts.precision, parts.recall);
}

}  // namespace

void bind_chrf(nb::module_& m) {
    nb::enum_<ChrfSmoothing>(m, "ChrfSmoothing")
        .value("effective", ChrfSmoothing::Effective)
        .value("epsilon", ChrfSmoothing::Epsilon)
        .value("nltk", ChrfSmoothing::Nltk);
    bind_scorer<ChrfKernel>(m, "Chrf")
        .def(
            "__init__",
            [](Scorer<ChrfKernel>* self, TextRules rules, size_t char_order, size_t word_order, double beta,
               bool whitespace, ChrfSmoothing smoothing, bool macro) {
                ChrfSettings settings{char_order, word_order, beta, smoothing, macro};
                new (self) Scorer<ChrfKernel>({rules, whitespace, word_order > 0}, {settings});
            },
            nb::kw_only(), "rules"_a, "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "smoothing"_a,
            "macro"_a)
        .def(
            "aggregate",
            [](const Scorer<ChrfKernel>& self, nb::handle hypotheses, const LazilyPrepared<PreparedUnits>& references,
               const WeightArray& weights) { return self.aggregate(hypotheses, references, weights, &chrf_with_all); },
            "hypotheses"_a, "references"_a, "weights"_a)
        .def("parts", &chrf_parts,
             nb::sig("def parts(self, row: numpy.typing.NDArray[numpy.float64], /) -> tuple[float, float, float]"));
}

}  // namespace refscore::bindings
