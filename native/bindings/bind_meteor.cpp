#include "bind.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "refscore/meteor.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct MeteorKernel {
    struct Input {
        using Rules = TextRules;
        using Reader = TextNumberer;
        using Prepared = PreparedReferences;
        using List = TokenList;
    };
    using Room = Meteor;
    static constexpr bool kCounts = false;

    MeteorSettings settings;

    size_t columns() const { return MeteorRow::kColumns; }

    void row(Room& room, const NumberedTexts& hypothesis, const NumberedReferences& references, double* out) const {
        write(room.row(settings, hypothesis.texts, hypothesis.numbers, references), out);
    }
    double value(Room&, const double* row) const { return row[5] > 0 ? row[0] / row[5] : 0; }

    static void write(const MeteorRow& row, double* out) {
        out[0] = row.score;
        out[1] = row.precision;
        out[2] = row.recall;
        out[3] = row.f_mean;
        out[4] = row.penalty;
        out[5] = row.segments;
    }
};

using Numbers = std::vector<uint32_t>;

// The stage in which each hypothesis word is matched, its position in the reference, and the row. Words are numbers, for which
// `stems` has numbers of stems, for which `synonyms` has those of other stems; no synonyms at all skip their stage.
nb::tuple match(const Scorer<MeteorKernel>& scorer, const Numbers& hypothesis, const Numbers& reference, const Numbers& stems,
                const std::vector<Numbers>& synonyms) {
    auto check = [](const Numbers& numbers, size_t bound) {
        for (uint32_t number : numbers)
            if (number >= bound) throw nb::value_error("a number that stands for nothing");
    };
    check(hypothesis, stems.size());
    check(reference, stems.size());
    check(stems, synonyms.empty() ? stems.size() : synonyms.size());
    std::vector<Numbers> keys = synonyms;
    for (Numbers& list : keys) {
        check(list, synonyms.size());
        for (uint32_t& key : list) ++key;
    }
    WordMatcher matcher;
    std::unique_ptr<double[]> row(new double[MeteorRow::kColumns]);
    uint32_t count = static_cast<uint32_t>(std::max(stems.size(), synonyms.size()));
    auto reference_stem = [&](uint32_t j) { return stems[reference[j]] + 1; };
    matcher.begin(hypothesis.size(), reference.size());
    matcher.match_equal(
        MatchStage::Exact, count, [&](uint32_t i) { return hypothesis[i] + 1; }, [&](uint32_t j) { return reference[j] + 1; });
    matcher.match_equal(MatchStage::Stem, count, [&](uint32_t i) { return stems[hypothesis[i]] + 1; }, reference_stem);
    if (!keys.empty())
        matcher.match_any(
            MatchStage::Synonym, count, [&](uint32_t i) -> const Numbers& { return keys[stems[hypothesis[i]]]; }, reference_stem);
    MeteorKernel::write(meteor_row(scorer.kernel().settings, matcher.matches(), matcher.chunks(), hypothesis.size(), reference.size()), row.get());
    std::vector<std::pair<MatchStage, uint32_t>> words;
    for (const MatchedWord& word : matcher.words()) words.emplace_back(word.stage, word.rank);
    return nb::make_tuple(words, as_array<double, 1>(std::move(row), {MeteorRow::kColumns}));
}

}  // namespace

void bind_meteor(nb::module_& m) {
    nb::enum_<MatchStage>(m, "MatchStage")
        .value("none", MatchStage::None)
        .value("exact", MatchStage::Exact)
        .value("stem", MatchStage::Stem)
        .value("synonym", MatchStage::Synonym);
    bind_scorer<MeteorKernel>(m, "Meteor")
        .def(
            "__init__",
            [](Scorer<MeteorKernel>* self, TextRules rules, double alpha, double beta, double gamma) {
                MeteorSettings settings{alpha, beta, gamma, lower_table(), rules.lowercase == Lowercase::Full};
                new (self) Scorer<MeteorKernel>(rules, {settings});
            },
            nb::kw_only(), "rules"_a, "alpha"_a, "beta"_a, "gamma"_a)
        .def("match", &match, "hypothesis"_a, "reference"_a, "stems"_a, "synonyms"_a,
             nb::sig("def match(self, hypothesis: collections.abc.Sequence[int], reference: collections.abc.Sequence[int],"
                     " stems: collections.abc.Sequence[int], synonyms: collections.abc.Sequence[collections.abc.Sequence[int]], /)"
                     " -> tuple[list[tuple[MatchStage, int]], numpy.typing.NDArray[typing.Any]]"));
}

}  // namespace refscore::bindings
