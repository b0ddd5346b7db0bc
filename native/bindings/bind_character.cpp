#include "bind.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "refscore/distance/character.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct CharacterKernel {
    using Input = TextInput;
    using Scratch = Character;
    static constexpr bool kCounts = false;

    size_t columns() const { return CharacterRow::kColumns; }

    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        CharacterRow row = scratch.row(hypothesis.texts, hypothesis.numbers, references);
        out[0] = row.score;
        out[1] = row.edits;
        out[2] = row.shift_cost;
        out[3] = row.hypothesis_length;
        out[4] = row.segments;
    }
    double value(Scratch&, std::span<const double> row) const { return row[4] > 0 ? row[0] / row[4] : 0; }
};

using Shift = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

// Returns the begin, length, new position and resulting distance of each move. Both sides are lists of tokens.
std::vector<Shift> shifts(const Scorer<CharacterKernel>& scorer, nb::list hypothesis, nb::list reference) {
    LoadedBlock loaded;
    nb::tuple hypotheses = nb::make_tuple(hypothesis), references = nb::make_tuple(nb::make_tuple(reference));
    PythonInput(hypotheses, references, scorer.rules().lowercase).load(0, 1, loaded);
    std::vector<Shift> shifts;
    without_gil([&] {
        TextNumberer reader(scorer.rules());
        std::vector<WordShift> found;
        NumberedReferences numbered = reader.references(loaded.block, 0);
        NumberedTexts texts = reader.hypothesis(loaded.block, 0, numbered);
        Character().row(texts.texts, texts.numbers, numbered, &found);
        for (const WordShift& shift : found) shifts.emplace_back(shift.begin, shift.length, shift.to, shift.distance);
    });
    loaded.release();
    return shifts;
}

}  // namespace

void bind_character(nb::module_& m) {
    bind_scorer<CharacterKernel>(m, "Character")
        .def("shifts", &shifts, "hypothesis"_a, "reference"_a,
             nb::sig("def shifts(self, hypothesis: list[typing.Any], reference: list[typing.Any], /) -> "
                     "list[tuple[int, int, int, int]]"));
}

}  // namespace refscore::bindings
