#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "refscore/distance/ribes_pairs.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct RibesKernel {
    using Input = TokenInput;
    using Scratch = Ribes;
    using Pairs = RibesPairs;
    static constexpr bool kCounts = false;

    RibesSettings settings;

    size_t columns() const { return RibesRow::kColumns; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             double* out) const {
        RibesRow row = scratch.row(settings, hypothesis, references);
        out[0] = row.score;
        out[1] = row.correlation;
        out[2] = row.precision;
        out[3] = row.brevity_penalty;
        out[4] = row.segments;
    }
    double value(Scratch&, const double* row) const { return row[4] > 0 ? row[0] / row[4] : 0; }
};

using Word = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

// Returns the position, rank, and context range of each aligned word. Words are numbers below `vocabulary`.
std::vector<Word> align(const Scorer<RibesKernel>& scorer, std::vector<uint32_t> hypothesis,
                        std::vector<uint32_t> reference, uint32_t vocabulary) {
    vocabulary = number_from_one(hypothesis, reference, vocabulary);
    std::vector<Word> words;
    without_gil([&] {
        Aligner aligner;
        for (const AlignedWord& word :
             aligner.align(scorer.kernel().settings.alignment, hypothesis, reference, vocabulary))
            words.emplace_back(word.position, word.rank, word.begin, word.end);
    });
    return words;
}

uint64_t count_ascending(nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> ranks) {
    uint64_t pairs = 0;
    without_gil([&] { pairs = AscendingPairs().count(std::span(ranks.data(), ranks.size())); });
    return pairs;
}

}  // namespace

void bind_ribes(nb::module_& m) {
    nb::enum_<FirstContext>(m, "FirstContext").value("left", FirstContext::Left).value("right", FirstContext::Right);
    nb::enum_<ContextLimit>(m, "ContextLimit").value("none", ContextLimit::None).value("nltk", ContextLimit::Nltk);
    nb::enum_<Correlation>(m, "Correlation")
        .value("tau", Correlation::Tau)
        .value("tau_nltk", Correlation::TauNltk)
        .value("tau_runs", Correlation::TauRuns)
        .value("rho", Correlation::Rho);
    nb::enum_<SingleWord>(m, "SingleWord").value("reference", SingleWord::Reference).value("zero", SingleWord::Zero);
    nb::enum_<EmptyReferenceRule>(m, "EmptyReferenceRule")
        .value("error", EmptyReferenceRule::Error)
        .value("skip", EmptyReferenceRule::Skip)
        .value("zero", EmptyReferenceRule::Zero);
    bind_scorer<RibesKernel>(m, "Ribes")
        .def(
            "__init__",
            [](Scorer<RibesKernel>* self, TextRules rules, double alpha, double beta, FirstContext first_context,
               ContextLimit context_limit, Correlation correlation, SingleWord single_word,
               EmptyReferenceRule empty_reference) {
                RibesSettings settings{alpha,       beta,        {first_context, context_limit},
                                       correlation, single_word, empty_reference};
                new (self) Scorer<RibesKernel>(rules, {settings});
            },
            nb::kw_only(), "rules"_a, "alpha"_a, "beta"_a, "first_context"_a, "context_limit"_a, "correlation"_a,
            "single_word"_a, "empty_reference"_a)
        .def("align", &align, "hypothesis"_a, "reference"_a, "vocabulary"_a);
    m.def("ascending_pairs", &count_ascending, "ranks"_a);
}

}  // namespace refscore::bindings
