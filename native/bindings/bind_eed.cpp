#include "bind.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "refscore/distance/eed.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<EedStep> {
    using enum EedStep;
    static constexpr Name<EedStep> kAll[] = {{Match, "match"},
                                             {Substitution, "substitution"},
                                             {Deletion, "deletion"},
                                             {Insertion, "insertion"},
                                             {Jump, "jump"}};
};

namespace {

using namespace nb::literals;

struct EedKernel {
    using Input = TokenInput;
    using Scratch = Eed;
    static constexpr bool kCounts = false;

    EedSettings settings;

    void read(const Settings& read) {
        read("alpha", settings.alpha);
        read("rho", settings.rho);
        read("deletion", settings.deletion);
        read("insertion", settings.insertion);
    }
    size_t columns() const { return EedRow::kColumns; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        EedRow row = scratch.row(settings, hypothesis, references);
        out[0] = row.score;
        out[1] = row.distance;
        out[2] = row.coverage;
        out[3] = row.reference_length;
        out[4] = row.segments;
    }
    double value(Scratch&, std::span<const double> row) const { return row[4] > 0 ? row[0] / row[4] : 0; }
};

// Returns the steps of the cheapest path, each with the position in the hypothesis that it reaches, and the visited
// position after each reference character. Characters are numbers below `vocabulary`; `space` is the number of " ", or
// `vocabulary` if there is none.
std::pair<std::vector<std::pair<EedStep, uint32_t>>, std::vector<uint32_t>> path(const Scorer<EedKernel>& scorer,
                                                                                 std::vector<uint32_t> hypothesis,
                                                                                 std::vector<uint32_t> reference,
                                                                                 uint32_t vocabulary, uint32_t space) {
    for (const std::vector<uint32_t>* tokens : {&hypothesis, &reference})
        for (uint32_t token : *tokens) require(token < vocabulary, "a word's number is beyond the vocabulary");
    std::vector<std::pair<EedStep, uint32_t>> steps;
    std::vector<uint32_t> visits;
    without_gil([&] {
        for (const EedEdit& edit : Eed().path(scorer.kernel().settings, hypothesis, reference, space, visits))
            steps.emplace_back(edit.step, edit.hypothesis);
    });
    return {std::move(steps), std::move(visits)};
}

}  // namespace

void bind_eed(nb::module_& m) {
    m.attr("EED_LARGEST_PATH") = Eed::kLargestPath;
    bind_scorer<EedKernel>(m, "Eed").def("path", &path, "hypothesis"_a, "reference"_a, "vocabulary"_a, "space"_a);
}

}  // namespace refscore::bindings
