#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "refscore/distance/ribes_pairs.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<FirstContext> {
    using enum FirstContext;
    static constexpr Name<FirstContext> kAll[] = {{Left, "left"}, {Right, "right"}};
};
template <>
struct Names<ContextLimit> {
    using enum ContextLimit;
    static constexpr Name<ContextLimit> kAll[] = {{None, "none"}, {Nltk, "nltk"}};
};
template <>
struct Names<Correlation> {
    using enum Correlation;
    static constexpr Name<Correlation> kAll[] = {{Tau, "tau"},
                                                 {TauNltk, "tau-nltk"},
                                                 {TauRuns, "tau-runs"},
                                                 {Rho, "rho"}};
};
template <>
struct Names<SingleWord> {
    using enum SingleWord;
    static constexpr Name<SingleWord> kAll[] = {{Reference, "reference"}, {Zero, "zero"}};
};
template <>
struct Names<EmptyReferenceRule> {
    using enum EmptyReferenceRule;
    static constexpr Name<EmptyReferenceRule> kAll[] = {{Error, "error"}, {Skip, "skip"}, {Zero, "zero"}};
};

namespace {

using namespace nb::literals;

struct RibesKernel {
    using Input = TokenInput;
    using Scratch = Ribes;
    using Pairs = RibesPairs;
    static constexpr bool kCounts = false;

    RibesSettings settings;

    void read(const Settings& read) {
        read("alpha", settings.alpha);
        read("beta", settings.beta);
        read("first_context", settings.alignment.first);
        read("context_limit", settings.alignment.limit);
        read("correlation", settings.correlation);
        read("single_word", settings.single_word);
        read("empty_reference", settings.empty_reference);
    }
    size_t columns() const { return RibesRow::kColumns; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        RibesRow row = scratch.row(settings, hypothesis, references);
        out[0] = row.score;
        out[1] = row.correlation;
        out[2] = row.precision;
        out[3] = row.brevity_penalty;
        out[4] = row.segments;
    }
    double value(Scratch&, std::span<const double> row) const { return row[4] > 0 ? row[0] / row[4] : 0; }
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
    bind_scorer<RibesKernel>(m, "Ribes").def("align", &align, "hypothesis"_a, "reference"_a, "vocabulary"_a);
    m.def("ascending_pairs", &count_ascending, "ranks"_a);
}

}  // namespace refscore::bindings
