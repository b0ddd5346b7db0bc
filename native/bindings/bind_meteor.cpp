#include "bind.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "refscore/ngrams/meteor.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<MatchStage> {
    using enum MatchStage;
    static constexpr Name<MatchStage> kAll[] = {{None, "none"}, {Exact, "exact"}, {Stem, "stem"}, {Synonym, "synonym"}};
};

namespace {

using namespace nb::literals;

struct MeteorKernel {
    using Input = TextInput;
    using Scratch = Meteor;
    static constexpr bool kCounts = false;

    MeteorSettings settings;

    void read(const Settings& read) {
        read("alpha", settings.alpha);
        read("beta", settings.beta);
        read("gamma", settings.gamma);
    }
    void read_rules(const TextRules& rules) {
        settings.lower = lower_table();
        settings.text_is_lowercase = rules.lowercase == Lowercase::Full;
    }
    size_t columns() const { return MeteorRow::kColumns; }

    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        write(scratch.row(settings, hypothesis.texts, hypothesis.numbers, references), out);
    }
    double value(Scratch&, std::span<const double> row) const { return row[5] > 0 ? row[0] / row[5] : 0; }

    static void write(const MeteorRow& row, std::span<double> out) {
        out[0] = row.score;
        out[1] = row.precision;
        out[2] = row.recall;
        out[3] = row.f_mean;
        out[4] = row.penalty;
        out[5] = row.segments;
    }
};

// Numbers Python objects from 1. Objects that compare equal have the same number.
class ObjectNumbers {
  public:
    // Returns the number of an object, or 0 if it has none.
    uint32_t find(nb::handle object) const {
        PyObject* number = PyDict_GetItemWithError(numbers_.ptr(), object.ptr());
        if (number == nullptr && PyErr_Occurred()) nb::raise_python_error();
        return number == nullptr ? 0 : static_cast<uint32_t>(PyLong_AsUnsignedLong(number));
    }
    uint32_t of(nb::handle object) {
        uint32_t known = find(object);
        if (known != 0) return known;
        objects_.push_back(nb::borrow(object));
        numbers_[object] = objects_.size();
        return static_cast<uint32_t>(objects_.size());
    }
    nb::handle operator[](uint32_t number) const { return objects_[number - 1]; }
    size_t size() const { return objects_.size(); }

  private:
    nb::dict numbers_;
    std::vector<nb::object> objects_;
};

// Matches the words of one hypothesis and one reference, which may be any Python objects: equal words, then words with
// equal `stem`, then words whose stem is among the `synonyms` of the other stem, unless `synonyms` is None.
class ObjectMatcher {
  public:
    ObjectMatcher(nb::sequence hypothesis, nb::sequence reference, nb::handle stem, nb::handle synonyms)
        : hypothesis_(number(hypothesis)), reference_(number(reference)), stem_(stem), synonyms_(synonyms) {
        uint32_t count = static_cast<uint32_t>(words_.size());
        matcher_.begin(hypothesis_.size(), reference_.size());
        matcher_.match_equal(
            MatchStage::Exact, count, [&](uint32_t i) { return hypothesis_[i]; },
            [&](uint32_t j) { return reference_[j]; });
        if (matcher_.is_done()) return;
        stem_numbers_.resize(words_.size());
        uint32_t most = static_cast<uint32_t>(matcher_.left());
        auto reference_stem = [&](uint32_t j) { return stem_of(reference_[j]); };
        matcher_.match_equal(
            MatchStage::Stem, most, [&](uint32_t i) { return stem_of(hypothesis_[i]); }, reference_stem);
        if (synonyms.is_none()) return;
        matcher_.match_any(
            MatchStage::Synonym, most, [&](uint32_t i) { return synonyms_of(stem_of(hypothesis_[i])); },
            reference_stem);
    }

    const WordMatcher& matcher() const { return matcher_; }
    MeteorRow row(const MeteorSettings& settings) const {
        return meteor_row(settings, matcher_.matches(), matcher_.chunks(), hypothesis_.size(), reference_.size());
    }

  private:
    std::vector<uint32_t> number(nb::sequence words) {
        std::vector<uint32_t> numbers;
        for (nb::handle word : words) numbers.push_back(words_.of(word));
        return numbers;
    }
    uint32_t stem_of(uint32_t word) {
        uint32_t& known = stem_numbers_[word - 1];
        if (known == 0) known = stems_.of(stem_(words_[word]));
        return known;
    }
    std::vector<uint32_t> synonyms_of(uint32_t stem) const {
        std::vector<uint32_t> found;
        nb::object names = synonyms_(stems_[stem]);
        for (nb::handle name : names)
            if (uint32_t known = stems_.find(name)) found.push_back(known);
        return found;
    }

    ObjectNumbers words_;
    ObjectNumbers stems_;
    std::vector<uint32_t> hypothesis_;
    std::vector<uint32_t> reference_;
    std::vector<uint32_t> stem_numbers_;  // by word number
    nb::handle stem_;
    nb::handle synonyms_;
    WordMatcher matcher_;
};

Array<double, 1> row_of(const Scorer<MeteorKernel>& scorer, const ObjectMatcher& matcher) {
    std::unique_ptr<double[]> row(new double[MeteorRow::kColumns]);
    MeteorKernel::write(matcher.row(scorer.kernel().settings), {row.get(), MeteorRow::kColumns});
    return as_array<double, 1>(std::move(row), {MeteorRow::kColumns});
}

// Returns the matching stage and the reference position of each hypothesis word, and the row.
nb::tuple match(const Scorer<MeteorKernel>& scorer, nb::sequence hypothesis, nb::sequence reference, nb::handle stem,
                nb::handle synonyms) {
    ObjectMatcher matcher(hypothesis, reference, stem, synonyms);
    std::vector<std::pair<MatchStage, uint32_t>> words;
    for (const MatchedWord& word : matcher.matcher().words()) words.emplace_back(word.stage, word.rank);
    return nb::make_tuple(words, row_of(scorer, matcher));
}

// Returns the row of the best reference.
Array<double, 1> best_row(const Scorer<MeteorKernel>& scorer, nb::sequence hypothesis, nb::sequence references,
                          nb::handle stem, nb::handle synonyms) {
    std::optional<Array<double, 1>> best;
    for (nb::handle reference : references) {
        Array<double, 1> row =
            row_of(scorer, ObjectMatcher(hypothesis, nb::cast<nb::sequence>(reference), stem, synonyms));
        if (!best || row.data()[0] > best->data()[0]) best = std::move(row);
    }
    if (!best) throw nb::value_error("there is no reference");
    return std::move(*best);
}

}  // namespace

void bind_meteor(nb::module_& m) {
    bind_scorer<MeteorKernel>(m, "Meteor")
        .def("best_row", &best_row, "hypothesis"_a, "references"_a, "stem"_a, "synonyms"_a.none(),
             nb::sig("def best_row(self, hypothesis: collections.abc.Sequence[object],"
                     " references: collections.abc.Sequence[collections.abc.Sequence[object]],"
                     " stem: collections.abc.Callable[[typing.Any], object],"
                     " synonyms: collections.abc.Callable[[typing.Any], collections.abc.Iterable[object]] | None, /)"
                     " -> numpy.typing.NDArray[typing.Any]"))
        .def("match", &match, "hypothesis"_a, "reference"_a, "stem"_a, "synonyms"_a.none(),
             nb::sig("def match(self, hypothesis: collections.abc.Sequence[object], reference: "
                     "collections.abc.Sequence[object],"
                     " stem: collections.abc.Callable[[typing.Any], object],"
                     " synonyms: collections.abc.Callable[[typing.Any], collections.abc.Iterable[object]] | None, /)"
                     " -> tuple[list[tuple[str, int]], numpy.typing.NDArray[typing.Any]]"));
}

}  // namespace refscore::bindings
