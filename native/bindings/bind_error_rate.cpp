#include "bind.hpp"

#include <nanobind/stl/vector.h>

#include <array>
#include <optional>

#include "refscore/error_rate.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct ErrorRateKernel {
    using Scratch = EditDistance;
    static constexpr bool kCounts = true;

    size_t columns() const { return 4; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references, T* out) const {
        EditCounts counts = count_errors(hypothesis, references, scratch);
        out[0] = static_cast<T>(counts.hits);
        out[1] = static_cast<T>(counts.substitutions);
        out[2] = static_cast<T>(counts.deletions);
        out[3] = static_cast<T>(counts.insertions);
    }
    double value(Scratch&, const double* row) const { return error_rate(row[1] + row[2] + row[3], row[0] + row[1] + row[2]); }
};

using ErrorRateScorer = Scorer<ErrorRateKernel>;

size_t length_of(nb::handle item) {
    if (PyUnicode_Check(item.ptr())) return static_cast<size_t>(PyUnicode_GET_LENGTH(item.ptr()));
    if (!PyList_Check(item.ptr()) && !PyTuple_Check(item.ptr())) throw UnsupportedInput();
    return static_cast<size_t>(PySequence_Fast_GET_SIZE(item.ptr()));
}

// Counts one short pair with the GIL held and thread-local scratch memory: releasing the GIL and allocating would take longer
// than counting. Long pairs are unsupported.
std::array<int64_t, 4> counts_of_pair(const ErrorRateScorer& self, nb::handle hypothesis, nb::handle reference) {
    // Characters or tokens of both sides together. 4,096 take a fraction of a millisecond, so other threads hardly wait for the GIL.
    constexpr size_t kShort = 4096;
    if (length_of(hypothesis) + length_of(reference) > kShort || Limits::current().any()) throw UnsupportedInput();
    struct PairScratch {
        LoadedBlock loaded;
        EditDistance distance;
        std::optional<Numberer> numberer;
        TextRules rules;
    };
    thread_local PairScratch scratch;
    struct Release {
        PairScratch& scratch;
        bool has_failed = true;
        ~Release() {
            scratch.loaded.release();
            if (!has_failed) return;
            scratch.numberer.reset();
            scratch.distance = EditDistance();
        }
    } release{scratch};
    bool is_text = PyUnicode_Check(reference.ptr());
    nb::tuple hypotheses = nb::make_tuple(hypothesis), references = nb::make_tuple(reference);
    if (!is_text) references = nb::make_tuple(references);
    // Load first: a signal handler can run during loading and call this function again.
    PythonInput(hypotheses, references, self.lowercase()).load(0, 1, scratch.loaded);
    if (!scratch.numberer.has_value() || scratch.rules != self.rules()) {
        scratch.numberer.emplace(self.rules());
        scratch.rules = self.rules();
    }
    NumberedReferences numbered = scratch.numberer->references(scratch.loaded.block, 0);
    EditCounts counts = count_errors(scratch.numberer->hypothesis(scratch.loaded.block, 0, numbered), numbered, scratch.distance);
    release.has_failed = false;
    return {counts.hits, counts.substitutions, counts.deletions, counts.insertions};
}

struct Run {
    Edit edit;
    size_t size;
};

// For each segment (with one reference), its runs of equal edits as tuples: kind, begin and end in the reference, begin and end
// in the hypothesis.
nb::list runs(const ErrorRateScorer& self, nb::handle hypotheses, nb::handle references, size_t threads) {
    PythonInput input(hypotheses, references, self.lowercase());
    std::vector<std::vector<Run>> found(input.size());
    FirstRefused refused;
    Limits limits = Limits::current();
    for_each_block(input, threads, [&] {
        return [&, reader = Numberer(self.rules()), scratch = EditDistance()](LoadedBlock& loaded) mutable {
            for (size_t i = 0; i < loaded.block.size(); ++i) {
                NumberedReferences chosen = reader.references(loaded.block, i);
                std::vector<Run>& own = found[loaded.begin + i];
                std::span<const uint32_t> hypothesis = reader.hypothesis(loaded.block, i, chosen);
                refused.watch(loaded.begin + i, [&] {
                    if (chosen.lengths.size() != 1)
                        throw InputError(Location{"references", loaded.begin + i}, "has " + std::to_string(chosen.lengths.size()) + " references",
                                         "an alignment needs exactly one reference per segment");
                    limits.check_references(chosen);
                    limits.check_hypothesis(hypothesis);
                    for (Edit edit : scratch.align(hypothesis, chosen.tokens, chosen.vocabulary_size)) {
                        if (own.empty() || own.back().edit != edit) own.push_back({edit, 0});
                        ++own.back().size;
                    }
                });
            }
        };
    });
    refused.rethrow();
    const std::array<nb::str, 4> names = {nb::str("hit"), nb::str("substitution"), nb::str("deletion"), nb::str("insertion")};
    nb::list segments;
    for (const std::vector<Run>& own : found) {
        nb::list segment;
        size_t ref = 0, hyp = 0;
        for (const Run& run : own) {
            size_t ref_end = ref + (run.edit == Edit::Insertion ? 0 : run.size), hyp_end = hyp + (run.edit == Edit::Deletion ? 0 : run.size);
            segment.append(nb::make_tuple(names[static_cast<size_t>(run.edit)], ref, ref_end, hyp, hyp_end));
            ref = ref_end;
            hyp = hyp_end;
        }
        segments.append(segment);
    }
    return segments;
}

// The edits that turn the reference into the hypothesis, in order. Words are numbers below `vocabulary`.
std::vector<Edit> align(std::vector<uint32_t> hypothesis, std::vector<uint32_t> reference, uint32_t vocabulary) {
    vocabulary = number_from_one(hypothesis, reference, vocabulary);
    std::vector<Edit> edits;
    without_gil([&] {
        EditDistance scratch;
        std::span<const Edit> found = scratch.align(hypothesis, reference, vocabulary);
        edits.assign(found.begin(), found.end());
    });
    return edits;
}

}  // namespace

void bind_error_rate(nb::module_& m) {
    nb::enum_<Edit>(m, "Edit")
        .value("hit", Edit::Hit)
        .value("substitution", Edit::Substitution)
        .value("deletion", Edit::Deletion)
        .value("insertion", Edit::Insertion);
    bind_scorer<ErrorRateKernel>(m, "ErrorRate")
        .def(
            "__init__", [](Scorer<ErrorRateKernel>* self, TextRules rules) { new (self) Scorer<ErrorRateKernel>(rules, {}); },
            nb::kw_only(), "rules"_a)
        .def("counts",
             [](const ErrorRateScorer& self, nb::handle hypothesis, nb::handle reference) {
                 auto [hits, substitutions, deletions, insertions] = counts_of_pair(self, hypothesis, reference);
                 return nb::make_tuple(hits, substitutions, deletions, insertions);
             },
             "hypothesis"_a.none(), "reference"_a.none(), nb::sig("def counts(self, hypothesis: object, reference: object, /) -> tuple[int, int, int, int]"))
        .def("runs", &runs, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def runs(self, hypotheses: object, references: object, threads: int, /)"
                     " -> list[list[tuple[str, int, int, int, int]]]"));
    m.def("align_edits", &align, "hypothesis"_a, "reference"_a, "vocabulary"_a);
}

}  // namespace refscore::bindings
