#include "bind.hpp"

#include <nanobind/stl/string.h>

#include "refscore/ngrams/accuracy.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<AnswerMatch> {
    using enum AnswerMatch;
    static constexpr Name<AnswerMatch> kAll[] = {{Equal, "equal"},
                                                 {Contains, "contains"},
                                                 {Number, "number"},
                                                 {Letter, "letter"}};
};
template <>
struct Names<AnswerRules> {
    using enum AnswerRules;
    static constexpr Name<AnswerRules> kAll[] = {{Text, "text"}, {Vqa, "vqa"}, {TextVqa, "textvqa"}};
};

namespace {

using namespace nb::literals;

struct AccuracyKernel {
    using Input = TextInput;
    using Scratch = Accuracy;
    static constexpr bool kCounts = false;

    AccuracySettings settings;

    void read(const Settings& read) {
        read("match", settings.match);
        read("processing", settings.rules);
        read("tolerance", settings.tolerance);
        read.is("annotators", "vote", settings.is_vote);
    }
    size_t columns() const { return 2; }

    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        out[0] = scratch.score(settings, hypothesis, references);
        out[1] = 1;
    }
    double value(Scratch&, std::span<const double> row) const { return row[1] > 0 ? row[0] / row[1] : 0; }
};

std::string_view bytes_of(const nb::bytes& text) { return {text.c_str(), text.size()}; }

}  // namespace

void bind_accuracy(nb::module_& m) {
    bind_scorer<AccuracyKernel>(m, "Accuracy");
    m.def(
        "vqa_answer",
        [](const nb::bytes& text, AnswerRules rules, bool is_plain) {
            std::string changed = is_plain ? plain_vqa_answer(bytes_of(text)) : vqa_answer(bytes_of(text), rules);
            return nb::bytes(changed.data(), changed.size());
        },
        "text"_a, "rules"_a, "is_plain"_a);
}

}  // namespace refscore::bindings
