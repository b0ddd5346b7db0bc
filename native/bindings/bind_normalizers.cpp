#include "bind.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "names.hpp"
#include "python_text.hpp"
#include "refscore/text/whisper_normalizer.hpp"

namespace refscore::bindings {
namespace {

enum class Step : uint8_t {
    Lower,
    Upper,
    Nfc,
    Nfkc,
    Strip,
    JoinSpaces,
    RemoveWhitespace,
    SpaceWhitespace,
    RemovePunctuation,
    RemoveBrackets,
    Replace,
    ReplaceWord,
    WhisperEnglish,
    WhisperEnglishOpenai,
    WhisperBasic,
    WhisperBasicDiacritics,
    WhisperBasicLetters,
    WhisperBasicDiacriticsLetters,
    WhisperBasicMarks,
    OpenAsr2025,
    OpenAsr2026,
    OpenAsrMultilingual,
};

}  // namespace

template <>
struct Names<Step> {
    using enum Step;
    static constexpr Name<Step> kAll[] = {
        {Lower, "lower"},
        {Upper, "upper"},
        {Nfc, "nfc"},
        {Nfkc, "nfkc"},
        {Strip, "strip"},
        {JoinSpaces, "join_spaces"},
        {RemoveWhitespace, "remove_whitespace"},
        {SpaceWhitespace, "space_whitespace"},
        {RemovePunctuation, "remove_punctuation"},
        {RemoveBrackets, "remove_brackets"},
        {Replace, "replace"},
        {ReplaceWord, "replace_word"},
        {WhisperEnglish, "whisper_en"},
        {WhisperEnglishOpenai, "whisper_en_openai"},
        {WhisperBasic, "whisper_basic"},
        {WhisperBasicDiacritics, "whisper_basic_nodiacritics"},
        {WhisperBasicLetters, "whisper_basic_letters"},
        {WhisperBasicDiacriticsLetters, "whisper_basic_nodiacritics_letters"},
        {WhisperBasicMarks, "whisper_basic_marks"},
        {OpenAsr2025, "open_asr_2025_09"},
        {OpenAsr2026, "open_asr_2026_06"},
        {OpenAsrMultilingual, "open_asr_multilingual"},
    };
};

namespace {

// A step, the literal that it replaces, and the replacement. Most steps have neither.
using StepArguments = std::tuple<Step, std::string, std::string>;

void apply(const StepArguments& arguments, RewrittenText& text) {
    const auto& [step, literal, replacement] = arguments;
    switch (step) {
        case Step::Lower: lower_text(text); break;
        case Step::Upper: upper_text(text); break;
        case Step::Nfc: convert_form(text, UnicodeForm::Nfc); break;
        case Step::Nfkc: convert_form(text, UnicodeForm::Nfkc); break;
        case Step::Strip: strip_text(text); break;
        case Step::JoinSpaces: join_spaces(text, 2); break;
        case Step::RemoveWhitespace: replace_whitespace(text, false); break;
        case Step::SpaceWhitespace: replace_whitespace(text, true); break;
        case Step::RemovePunctuation: remove_punctuation(text); break;
        case Step::RemoveBrackets: remove_brackets(text); break;
        case Step::Replace: replace_literal(text, literal, replacement); break;
        case Step::ReplaceWord: replace_literal(text, literal, replacement, true, true); break;
        case Step::WhisperEnglish: normalize_whisper_english(text, EnglishRules::WhisperNormalizer); break;
        case Step::WhisperEnglishOpenai: normalize_whisper_english(text, EnglishRules::OpenaiWhisper); break;
        case Step::WhisperBasic: normalize_whisper_basic(text, {}); break;
        case Step::WhisperBasicDiacritics: normalize_whisper_basic(text, {.drop_diacritics = true}); break;
        case Step::WhisperBasicLetters: normalize_whisper_basic(text, {.split_letters = true}); break;
        case Step::WhisperBasicDiacriticsLetters:
            normalize_whisper_basic(text, {.drop_diacritics = true, .split_letters = true});
            break;
        case Step::WhisperBasicMarks: normalize_whisper_basic(text, {.keep_marks = true}); break;
        case Step::OpenAsr2025: normalize_whisper_english(text, EnglishRules::OpenAsr2025); break;
        case Step::OpenAsr2026: normalize_whisper_english(text, EnglishRules::OpenAsr2026); break;
        case Step::OpenAsrMultilingual: normalize_open_asr_multilingual(text); break;
    }
}

// A chain of steps.
class TextRewriter {
  public:
    explicit TextRewriter(const nb::typed<nb::list, nb::typed<nb::tuple, nb::any, nb::ellipsis>>& steps) {
        for (nb::handle entry : steps) {
            nb::tuple parts = nb::cast<nb::tuple>(entry);
            std::string literal, replacement;
            if (parts.size() == 3) {
                read_text(nb::cast<nb::str>(parts[1]).ptr(), literal);
                read_text(nb::cast<nb::str>(parts[2]).ptr(), replacement);
            }
            Step step = nb::cast<Step>(parts[0]);
            if ((step == Step::Replace || step == Step::ReplaceWord) && literal.empty())
                throw nb::value_error("a replaced text must not be empty");
            steps_.emplace_back(step, std::move(literal), std::move(replacement));
        }
    }

    nb::str rewrite(const nb::str& text) const {
        RewrittenText buffers(python_database());
        return nb::str(rewritten(text.ptr(), buffers));
    }

    nb::typed<nb::list, nb::str> rewrite_all(const nb::typed<nb::list, nb::str>& texts) const {
        RewrittenText buffers(python_database());
        nb::list out;
        for (size_t i = 0; i < texts.size(); ++i) {  // steps can run Python code, which may change the list
            nb::object text = texts[i];
            if (!PyUnicode_Check(text.ptr())) throw nb::type_error("texts must be strings");
            out.append(rewritten(text.ptr(), buffers));
        }
        return nb::typed<nb::list, nb::str>(out);
    }

  private:
    nb::object rewritten(PyObject* text, RewrittenText& buffers) const {
        std::string& in = buffers.mutable_text();
        read_text(text, in);
        buffers.update_encoding();
        for (const StepArguments& step : steps_) apply(step, buffers);
        return new_text(buffers.text());
    }

    std::vector<StepArguments> steps_;
};

bool has_other_space(PyObject* text) {
    CopiedBytes copies;
    bool found = false;
    for_each_code(view_of(text, copies), [&](uint32_t code) { found |= code != ' ' && is_space(code); });
    return found;
}

// Whether a text has whitespace other than ' '.
bool have_other_spaces(const nb::typed<nb::list, nb::str>& texts) {
    for (nb::handle text : texts)
        if (!PyUnicode_Check(text.ptr()) || has_other_space(text.ptr())) return true;
    return false;
}

}  // namespace

void bind_normalizers(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<TextRewriter>(m, "TextRewriter")
        .def(nb::init<const nb::typed<nb::list, nb::typed<nb::tuple, nb::any, nb::ellipsis>>&>(), "steps"_a)
        .def("rewrite", &TextRewriter::rewrite, "text"_a)
        .def("rewrite_all", &TextRewriter::rewrite_all, "texts"_a);
    m.def("have_other_spaces", &have_other_spaces, "texts"_a);
}

}  // namespace refscore::bindings
