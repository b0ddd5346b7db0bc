#include "bind.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "refscore/distance/beam_edits.hpp"
#include "refscore/distance/ter.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

// TER edits the hypothesis, so it inserts a word that only the reference has.
template <>
struct Names<TerEdit> {
    using enum TerEdit;
    static constexpr Name<TerEdit> kAll[] = {{Match, "hit"},
                                             {Substitute, "substitution"},
                                             {Insert, "deletion"},
                                             {Delete, "insertion"}};
};

namespace {

using namespace nb::literals;

struct TerKernel {
    using Input = TokenInput;
    using Scratch = Ter;
    static constexpr bool kCounts = false;

    size_t columns() const { return TerRow::kColumns; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        TerRow row = scratch.row(hypothesis, references);
        out[0] = row.edits;
        out[1] = row.reference_length;
    }
    double value(Scratch&, std::span<const double> row) const {
        return row[1] > 0 ? row[0] / row[1] : row[0] > 0 ? 1 : 0;
    }
};

using Move = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

// Returns the begin, length, new position and resulting distance of each move, and the edits after the moves. Words are
// numbers below `vocabulary`.
std::pair<std::vector<Move>, std::vector<TerEdit>> align(const Scorer<TerKernel>&, std::vector<uint32_t> hypothesis,
                                                         std::vector<uint32_t> reference, uint32_t vocabulary) {
    vocabulary = number_from_one(hypothesis, reference, vocabulary);
    std::vector<Move> moves;
    std::vector<TerEdit> edits;
    without_gil([&] {
        Ter ter;
        std::vector<AppliedMove> applied;
        ter.edits(hypothesis, reference, vocabulary, &applied);
        for (const auto& [block, distance] : applied) moves.emplace_back(block.begin, block.length, block.to, distance);
        edits = ter.last_edits();
    });
    return {std::move(moves), std::move(edits)};
}

// Code points, or other symbols.
using Symbols = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

uint64_t count_beam_edits(Symbols hypothesis, Symbols reference, uint32_t substitution_cost) {
    uint64_t edits = 0;
    without_gil([&] {
        edits =
            beam_edits({hypothesis.data(), hypothesis.size()}, {reference.data(), reference.size()}, substitution_cost);
    });
    return edits;
}

}  // namespace

void bind_ter(nb::module_& m) {
    m.def("beam_edits", &count_beam_edits, "hypothesis"_a, "reference"_a, "substitution_cost"_a);
    bind_scorer<TerKernel>(m, "Ter").def("align", &align, "hypothesis"_a, "reference"_a, "vocabulary"_a);
}

}  // namespace refscore::bindings
