#include "bind.hpp"

#include "refscore/ngrams/chrf_pairs.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<ChrfSmoothing> {
    using enum ChrfSmoothing;
    static constexpr Name<ChrfSmoothing> kAll[] = {{Effective, "none"}, {Epsilon, "epsilon"}, {Nltk, "nltk"}};
};

namespace {

using namespace nb::literals;

struct ChrfKernel {
    using Input = ChrfInput;
    using Scratch = Chrf;
    using Pairs = ChrfPairs;
    static constexpr bool kCounts = true;

    ChrfSettings settings;
    bool whitespace = false;

    void read(const Settings& read) {
        read("char_order", settings.char_order);
        read("word_order", settings.word_order);
        read("beta", settings.beta);
        read("smoothing", settings.smoothing);
        read.is("average", "macro", settings.macro);
        read("whitespace", whitespace);
    }
    void read_rules(ChrfRules& rules) const {
        rules.whitespace = whitespace;
        rules.words = settings.word_order > 0;
        if (whitespace && rules.tokenizer == Tokenizer::Graphemes) rules.tokenizer = Tokenizer::AllGraphemes;
    }
    size_t columns() const { return settings.columns(); }
    bool has_counts() const { return !settings.macro; }

    void row(Scratch& scratch, const ChrfHypothesis& hypothesis, const ChrfReferences& references,
             std::span<int64_t> out) const {
        std::span<const int64_t> counts = scratch.counts(settings, hypothesis, references);
        std::copy(counts.begin(), counts.end(), out.begin());
    }
    void row(Scratch& scratch, const ChrfHypothesis& hypothesis, const ChrfReferences& references,
             std::span<double> out) const {
        std::span<const int64_t> counts = scratch.counts(settings, hypothesis, references);
        if (settings.macro) {
            out[0] = chrf_score(settings, counts).value;
            out[1] = 1;
        } else {
            std::copy(counts.begin(), counts.end(), out.begin());
        }
    }
    double value(Scratch&, std::span<const double> row) const {
        if (settings.macro) return row[1] > 0 ? row[0] / row[1] : 0;
        return chrf_score(settings, row).value;
    }
};

// value, mean precision, mean recall
nb::tuple chrf_parts(const Scorer<ChrfKernel>& scorer,
                     nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> row) {
    scorer.check_columns(row.shape(0));
    if (scorer.kernel().settings.macro) throw nb::value_error("a row of means has no parts");
    ChrfParts parts = chrf_score(scorer.kernel().settings, std::span(row.data(), row.size()));
    return nb::make_tuple(parts.value, parts.precision, parts.recall);
}

}  // namespace

void bind_chrf(nb::module_& m) {
    bind_scorer<ChrfKernel>(m, "Chrf")
        .def(
            "aggregate",
            [](const Scorer<ChrfKernel>& self, nb::handle hypotheses, const LazilyPrepared<PreparedUnits>& references,
               const WeightArray& weights) { return self.aggregate(hypotheses, references, weights, &chrf_with_all); },
            "hypotheses"_a, "references"_a, "weights"_a)
        .def("parts", &chrf_parts,
             nb::sig("def parts(self, row: numpy.typing.NDArray[numpy.float64], /) -> tuple[float, float, float]"));
}

}  // namespace refscore::bindings
