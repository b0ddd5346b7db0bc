#include "bind.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "refscore/distance/form_errors.hpp"
#include "refscore/distance/listed_errors.hpp"
#include "refscore/distance/unordered_errors.hpp"
#include "refscore/distance/weighted_errors.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<Edit> {
    using enum Edit;
    static constexpr Name<Edit> kAll[] = {{Hit, "hit"},
                                          {Substitution, "substitution"},
                                          {Deletion, "deletion"},
                                          {Insertion, "insertion"}};
};
template <>
struct Names<CountedWords> {
    using enum CountedWords;
    static constexpr Name<CountedWords> kAll[] = {{Listed, "listed"}, {Others, "others"}};
};
template <>
struct Names<EditCosts> {
    using enum EditCosts;
    static constexpr Name<EditCosts> kAll[] = {{Equal, "equal"}, {Sclite, "sclite"}};
};
template <>
struct Names<Compounds> {
    using enum Compounds;
    static constexpr Name<Compounds> kAll[] = {{None, "none"},
                                               {Merge, "merge"},
                                               {Regions, "regions"},
                                               {RegionsAndMerge, "regions-merge"}};
};

template <>
struct Names<CountedForm> {
    using enum CountedForm;
    static constexpr Name<CountedForm> kAll[] = {{Words, "words"}, {Punctuation, "punctuation"}, {Case, "case"}};
};
template <>
struct Names<EmptyReferences> {
    using enum EmptyReferences;
    static constexpr Name<EmptyReferences> kAll[] = {{Count, "count"}, {Skip, "skip"}};
};

namespace {

using namespace nb::literals;

// Writes a row: hits, substitutions, deletions, insertions.
template <class T>
void write_counts(const EditCounts& counts, std::span<T> out) {
    out[0] = static_cast<T>(counts.hits);
    out[1] = static_cast<T>(counts.substitutions);
    out[2] = static_cast<T>(counts.deletions);
    out[3] = static_cast<T>(counts.insertions);
}

struct ErrorRateKernel {
    using Input = TokenInput;
    using Scratch = ErrorScratch;
    static constexpr bool kCounts = true;

    bool alternatives = false;

    void read_rules(const TextRules& rules) { alternatives = rules.alternatives; }
    size_t columns() const { return 4; }
    bool has_counts() const { return true; }
    void check_references(const NumberedReferences& references) const {
        if (alternatives) check_alternatives(references);
    }

    template <class T>
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        write_counts(count_errors(hypothesis, references, alternatives, scratch), out);
    }
    double value(Scratch&, std::span<const double> row) const {
        return error_rate(row[1] + row[2] + row[3], row[0] + row[1] + row[2]);
    }
};

Lexicon lexicon_of(nb::handle words) {
    Lexicon lexicon;
    std::vector<uint8_t> bytes;
    for (nb::handle word : words) {
        nb::object encoded = steal_checked(PyUnicode_AsEncodedString(word.ptr(), "utf-8", "surrogatepass"));
        size_t size = nb::len(encoded);
        const char* data = PyBytes_AsString(encoded.ptr());
        bytes.assign(data, data + size);
        bytes.resize(size + Token::kInline);  // token_at reads 16 bytes past the end
        require(size <= UINT32_MAX - Token::kInline, "a word is too long");
        lexicon.add(token_at(bytes.data(), 0, static_cast<uint32_t>(size)), bytes.data());
    }
    return lexicon;
}

// Error rates of listed words, which need the text of inserted words.
struct ListedErrorRateKernel {
    using Input = TextInput;
    using Scratch = ErrorScratch;
    static constexpr bool kCounts = true;

    bool alternatives = false;
    Lexicon words;
    CountedWords counted = CountedWords::Listed;

    void read(const Settings& read) {
        nb::object listed;
        read("listed_words", listed);
        words = lexicon_of(listed);
        read("counted", counted);
    }
    void read_rules(const TextRules& rules) { alternatives = rules.alternatives; }
    size_t columns() const { return 4; }
    bool has_counts() const { return true; }
    void check_references(const NumberedReferences& references) const {
        if (alternatives) check_alternatives(references);
    }

    template <class T>
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        write_counts(count_listed_errors(hypothesis, references, alternatives, words, counted, scratch), out);
    }
    double value(Scratch&, std::span<const double> row) const {
        return error_rate(row[1] + row[2] + row[3], row[0] + row[1] + row[2]);
    }
};

// Error rates with weights or compounds, which need the text of all words.
struct WeightedErrorRateKernel {
    using Input = TextInput;
    using Scratch = WeightedErrors;
    static constexpr bool kCounts = true;

    WeightedSettings settings;

    void read(const Settings& read) {
        read("costs", settings.costs);
        read("compounds", settings.compounds);
        read("empty_reference", settings.empty);
    }
    void read_rules(const TextRules& rules) { settings.alternatives = rules.alternatives; }
    size_t columns() const { return 4; }
    bool has_counts() const { return true; }
    void check_references(const NumberedReferences& references) const {
        if (settings.alternatives) check_alternatives(references);
    }

    template <class T>
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        write_counts(scratch.count(hypothesis, references, settings), out);
    }
    double value(Scratch&, std::span<const double> row) const {
        return error_rate(row[1] + row[2] + row[3], row[0] + row[1] + row[2]);
    }
};

// Rates of errors in punctuation or case, which need the text of all words.
struct FormErrorRateKernel {
    using Input = TextInput;
    using Scratch = FormErrors;
    static constexpr bool kCounts = true;

    CountedForm form = CountedForm::Words;
    Lexicon marks;

    void read(const Settings& read) {
        read("form", form);
        nb::object listed;
        read("marks", listed);
        marks = lexicon_of(listed);
    }
    size_t columns() const { return 4; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        write_counts(scratch.count(hypothesis, references, form, marks), out);
    }
    double value(Scratch&, std::span<const double> row) const {
        return error_rate(row[1] + row[2] + row[3], row[0] + row[1] + row[2]);
    }
};

// Error rates without the order of words.
struct UnorderedErrorRateKernel {
    using Input = TokenInput;
    using Scratch = UnorderedErrors;
    static constexpr bool kCounts = true;

    size_t columns() const { return 4; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        write_counts(scratch.count(hypothesis, references), out);
    }
    double value(Scratch&, std::span<const double> row) const {
        return error_rate(row[1] + row[2] + row[3], row[0] + row[1] + row[2]);
    }
};

using ErrorRateScorer = Scorer<ErrorRateKernel>;

size_t length_of(nb::handle item) {
    if (PyUnicode_Check(item.ptr())) return static_cast<size_t>(PyUnicode_GetLength(item.ptr()));
    if (!is_sequence(item.ptr())) throw UnsupportedInput();
    return sequence_size(item.ptr());
}

// Counts one short pair with the GIL held and thread-local scratch memory: releasing the GIL and allocating would take
// longer than counting. Long pairs are unsupported.
std::array<int64_t, 4> counts_of_pair(const ErrorRateScorer& self, nb::handle hypothesis, nb::handle reference) {
    // Characters or tokens of both sides together. 4,096 take a fraction of a millisecond, so other threads hardly wait
    // for the GIL.
    constexpr size_t kShort = 4096;
    if (length_of(hypothesis) + length_of(reference) > kShort || Limits::current().any()) throw UnsupportedInput();
    struct PairScratch {
        LoadedBlock loaded;
        ErrorScratch errors;
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
            scratch.errors = ErrorScratch();
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
    std::span<const uint32_t> words = scratch.numberer->hypothesis(scratch.loaded.block, 0, numbered);
    EditCounts counts = count_errors(words, numbered, self.rules().alternatives, scratch.errors);
    release.has_failed = false;
    return {counts.hits, counts.substitutions, counts.deletions, counts.insertions};
}

struct AlignedSegment {
    std::vector<EditRun> runs;
    size_t reference = 0;
    bool has_path = false;
    std::vector<std::string> path;
};

std::string text_of(const Token& token, const uint8_t* arena) {
    std::string bytes(std::max(token.size, Token::kInline), '\0');
    copy_token(token, arena, reinterpret_cast<uint8_t*>(bytes.data()));
    bytes.resize(token.size);
    return bytes;
}

// For each segment: its runs of equal edits as tuples (kind, begin and end in the reference, begin and end in the
// hypothesis), the index of the chosen reference, and the words of the best path if that reference has alternatives.
// With `only`, each segment must have one reference. `make_align` returns the aligner of a thread.
template <class Kernel, class MakeAlign>
nb::list runs(const Scorer<Kernel>& self, nb::handle hypotheses, nb::handle references, size_t threads, bool only,
              MakeAlign make_align) {
    PythonInput input(hypotheses, references, self.lowercase());
    std::vector<AlignedSegment> found(input.size());
    FirstRefused refused;
    Limits limits = Limits::current();
    for_each_block(input, threads, [&] {
        return [&, reader = typename Kernel::Input::Reader(self.rules()),
                align = make_align()](LoadedBlock& loaded) mutable {
            for (size_t i = 0; i < loaded.block.size(); ++i) {
                NumberedReferences chosen = reader.references(loaded.block, i);
                auto hypothesis = reader.hypothesis(loaded.block, i, chosen);
                refused.watch(loaded.begin + i, [&] {
                    if (only && chosen.lengths.size() != 1)
                        throw InputError(Location{"references", loaded.begin + i},
                                         "has " + std::to_string(chosen.lengths.size()) + " references",
                                         "an alignment needs exactly one reference per segment");
                    limits.check_references(chosen);
                    limits.check_hypothesis(hypothesis);
                    align(hypothesis, chosen, found[loaded.begin + i]);
                });
            }
        };
    });
    refused.rethrow();
    nb::list segments;
    for (const AlignedSegment& own : found) {
        nb::list segment;
        size_t ref = 0, hyp = 0;
        for (const EditRun& run : own.runs) {
            size_t ref_end = ref + run.reference, hyp_end = hyp + run.hypothesis;
            nb::object kind = run.is_compound && run.edit == Edit::Hit ? nb::cast("compound") : nb::cast(run.edit);
            segment.append(nb::make_tuple(kind, ref, ref_end, hyp, hyp_end));
            ref = ref_end;
            hyp = hyp_end;
        }
        nb::object path = nb::none();
        if (own.has_path) {
            nb::list words;
            for (const std::string& word : own.path)
                words.append(steal_checked(
                    PyUnicode_DecodeUTF8(word.data(), static_cast<Py_ssize_t>(word.size()), "surrogatepass")));
            path = words;
        }
        segments.append(nb::make_tuple(segment, own.reference, path));
    }
    return segments;
}

nb::list plain_runs(const ErrorRateScorer& self, nb::handle hypotheses, nb::handle references, size_t threads,
                    bool only) {
    bool alternatives = self.rules().alternatives;
    return runs(self, hypotheses, references, threads, only, [alternatives] {
        return [alternatives, scratch = ErrorScratch()](std::span<const uint32_t> hypothesis,
                                                        const NumberedReferences& chosen, AlignedSegment& own) mutable {
            AlignedReference aligned = align_best(hypothesis, chosen, alternatives, scratch);
            own.reference = aligned.reference;
            for (Edit edit : aligned.edits) {
                if (own.runs.empty() || own.runs.back().edit != edit) own.runs.push_back({edit, false, 0, 0});
                own.runs.back().reference += edit != Edit::Insertion;
                own.runs.back().hypothesis += edit != Edit::Deletion;
            }
            own.has_path = alternatives && has_marks(chosen.tokens);
            if (!own.has_path) return;
            for (uint32_t word : aligned.words)
                own.path.push_back(text_of(chosen.vocabulary.tokens[word], chosen.vocabulary.arena));
        };
    });
}

nb::list weighted_runs(const Scorer<WeightedErrorRateKernel>& self, nb::handle hypotheses, nb::handle references,
                       size_t threads, bool only) {
    WeightedSettings settings = self.kernel().settings;
    return runs(self, hypotheses, references, threads, only, [settings] {
        return [settings, scratch = WeightedErrors()](const NumberedTexts& hypothesis, const NumberedReferences& chosen,
                                                      AlignedSegment& own) mutable {
            WeightedErrors::Aligned aligned = scratch.align(hypothesis, chosen, settings);
            own.reference = aligned.reference;
            own.runs.assign(aligned.runs.begin(), aligned.runs.end());
            own.has_path = aligned.has_path;
            for (uint32_t word : aligned.path)
                own.path.push_back(text_of(chosen.vocabulary.tokens[word], chosen.vocabulary.arena));
        };
    });
}

nb::list form_runs(const Scorer<FormErrorRateKernel>& self, nb::handle hypotheses, nb::handle references,
                   size_t threads, bool only) {
    return runs(self, hypotheses, references, threads, only, [&self] {
        return [&kernel = self.kernel(), scratch = FormErrors()](
                   const NumberedTexts& hypothesis, const NumberedReferences& chosen, AlignedSegment& own) mutable {
            FormErrors::Aligned aligned = scratch.align(hypothesis, chosen, kernel.form, kernel.marks);
            own.reference = aligned.reference;
            own.runs.assign(aligned.runs.begin(), aligned.runs.end());
        };
    });
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

constexpr const char* kRunsSignature =
    "def runs(self, hypotheses: object, references: object, threads: int, only: bool, /)"
    " -> list[tuple[list[tuple[str, int, int, int, int]], int, list[str] | None]]";

}  // namespace

void bind_error_rate(nb::module_& m) {
    bind_scorer<ErrorRateKernel>(m, "ErrorRate")
        .def(
            "counts",
            [](const ErrorRateScorer& self, nb::handle hypothesis, nb::handle reference) {
                auto [hits, substitutions, deletions, insertions] = counts_of_pair(self, hypothesis, reference);
                return nb::make_tuple(hits, substitutions, deletions, insertions);
            },
            "hypothesis"_a.none(), "reference"_a.none(),
            nb::sig("def counts(self, hypothesis: object, reference: object, /) -> tuple[int, int, int, int]"))
        .def("runs", &plain_runs, "hypotheses"_a.none(), "references"_a.none(), "threads"_a, "only"_a,
             nb::sig(kRunsSignature));
    bind_scorer<WeightedErrorRateKernel>(m, "WeightedErrorRate")
        .def("runs", &weighted_runs, "hypotheses"_a.none(), "references"_a.none(), "threads"_a, "only"_a,
             nb::sig(kRunsSignature));
    bind_scorer<FormErrorRateKernel>(m, "FormErrorRate")
        .def("runs", &form_runs, "hypotheses"_a.none(), "references"_a.none(), "threads"_a, "only"_a,
             nb::sig(kRunsSignature));
    bind_scorer<ListedErrorRateKernel>(m, "ListedErrorRate");
    bind_scorer<UnorderedErrorRateKernel>(m, "UnorderedErrorRate");
    m.def("align_edits", &align, "hypothesis"_a, "reference"_a, "vocabulary"_a);
}

}  // namespace refscore::bindings
