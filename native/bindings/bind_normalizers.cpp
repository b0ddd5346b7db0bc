#include "bind.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "python_input.hpp"
#include "refscore/whisper_normalizer.hpp"

namespace refscore::bindings {
namespace {

// Encodes in generalized UTF-8. Python's own function would keep a copy in the string.
void read_text(PyObject* text, std::string& into) {
    auto size = static_cast<size_t>(PyUnicode_GET_LENGTH(text));
    const void* data = PyUnicode_DATA(text);
    if (PyUnicode_IS_ASCII(text)) {
        into.assign(static_cast<const char*>(data), size);
        return;
    }
    int kind = PyUnicode_KIND(text);
    into.resize(4 * size);
    auto* begin = reinterpret_cast<uint8_t*>(into.data());
    uint8_t* end = begin;
    for (size_t i = 0; i < size; ++i) end = encode(PyUnicode_READ(kind, data, i), end);
    into.resize(static_cast<size_t>(end - begin));
}

nb::object new_text(const std::string& text) {
    return steal_checked(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
}

// Python's own database. All functions need the GIL.
class PythonDatabase : public CharacterDatabase {
  public:
    Category category(uint32_t code) const override { return properties(code).category; }
    bool is_inert(UnicodeForm form, uint32_t code) const override {
        return form == UnicodeForm::Nfkd ? properties(code).is_nfkd : properties(code).is_nfkc;
    }
    int decimal(uint32_t code) const override { return Py_UNICODE_TODECIMAL(static_cast<Py_UCS4>(code)); }
    bool is_lower(uint32_t code) const override { return Py_UNICODE_TOLOWER(static_cast<Py_UCS4>(code)) == code; }
    void lower(std::string& text) const override { call_method("lower", text); }
    void upper(std::string& text) const override { call_method("upper", text); }
    void convert(UnicodeForm form, std::string& text) const override {
        // Never destroyed, because the interpreter may end first.
        static const nb::object& normalize = *new nb::object(nb::module_::import_("unicodedata").attr("normalize"));
        static const nb::object& names = *new nb::object(nb::make_tuple("NFC", "NFKC", "NFKD"));
        PyObject* name = PyTuple_GET_ITEM(names.ptr(), static_cast<Py_ssize_t>(form));
        read_text(steal_checked(PyObject_CallFunctionObjArgs(normalize.ptr(), name, new_text(text).ptr(), nullptr)).ptr(), text);
    }

  private:
    struct Properties {
        Category category;
        bool is_nfkc, is_nfkd;  // see is_inert; text in NFKC is in NFC, too
    };
    using Page = std::array<Properties, 256>;

    const Properties& properties(uint32_t code) const {
        std::unique_ptr<Page>& page = pages_[code >> 8];
        if (!page) page = load(code & ~0xffu);
        return (*page)[code & 0xff];
    }

    static void call_method(const char* name, std::string& text) {
        read_text(steal_checked(PyObject_CallMethod(new_text(text).ptr(), name, nullptr)).ptr(), text);
    }

    // Blocks in which only marks join with the character before them: Latin to Arabic, and symbols.
    static bool joins_only_marks(uint32_t code) { return code < 0x900 || (code >= 0x2000 && code < 0x2e80); }

    static std::unique_ptr<Page> load(uint32_t first) {
        auto page = std::make_unique<Page>();
        nb::module_ unicode = nb::module_::import_("unicodedata");
        nb::object category = unicode.attr("category"), normalize = unicode.attr("normalize");
        for (uint32_t i = 0; i < page->size(); ++i) {
            nb::object letter = steal_checked(PyUnicode_FromOrdinal(static_cast<int>(first + i)));
            std::string name;
            read_text(nb::object(category(letter)).ptr(), name);
            Category kind = name == "Mn"      ? Category::NonspacingMark
                            : name[0] == 'M' ? Category::OtherMark
                            : name[0] == 'S' ? Category::Symbol
                            : name[0] == 'P' ? Category::Punctuation
                                             : Category::Other;
            bool is_separate = name[0] != 'M' && joins_only_marks(first + i);
            auto is_same = [&](const char* form) { return is_separate && nb::object(normalize(form, letter)).equal(letter); };
            (*page)[i] = {kind, is_same("NFKC"), is_same("NFKD")};
        }
        return page;
    }

    mutable std::array<std::unique_ptr<Page>, 0x1100> pages_;  // 0x1100 pages of 256 code points cover Unicode
};

const PythonDatabase& database() {
    static const PythonDatabase database;
    return database;
}

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
};

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
        case Step::WhisperEnglish: normalize_whisper_english(text, true); break;
        case Step::WhisperEnglishOpenai: normalize_whisper_english(text, false); break;
        case Step::WhisperBasic: normalize_whisper_basic(text, {}); break;
        case Step::WhisperBasicDiacritics: normalize_whisper_basic(text, {.drop_diacritics = true}); break;
        case Step::WhisperBasicLetters: normalize_whisper_basic(text, {.split_letters = true}); break;
        case Step::WhisperBasicDiacriticsLetters: normalize_whisper_basic(text, {.drop_diacritics = true, .split_letters = true}); break;
        case Step::WhisperBasicMarks: normalize_whisper_basic(text, {.keep_marks = true}); break;
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
            if ((step == Step::Replace || step == Step::ReplaceWord) && literal.empty()) throw nb::value_error("a replaced text must not be empty");
            steps_.emplace_back(step, std::move(literal), std::move(replacement));
        }
    }

    nb::str rewrite(const nb::str& text) const {
        RewrittenText buffers(database());
        return nb::str(rewritten(text.ptr(), buffers));
    }

    nb::typed<nb::list, nb::str> rewrite_all(const nb::typed<nb::list, nb::str>& texts) const {
        RewrittenText buffers(database());
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
    int kind = PyUnicode_KIND(text);
    const void* data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0, size = PyUnicode_GET_LENGTH(text); i < size; ++i) {
        Py_UCS4 code = PyUnicode_READ(kind, data, i);
        if (code != ' ' && is_space(code)) return true;
    }
    return false;
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
    nb::enum_<Step>(m, "TextStep")
        .value("lower", Step::Lower)
        .value("upper", Step::Upper)
        .value("nfc", Step::Nfc)
        .value("nfkc", Step::Nfkc)
        .value("strip", Step::Strip)
        .value("join_spaces", Step::JoinSpaces)
        .value("remove_whitespace", Step::RemoveWhitespace)
        .value("space_whitespace", Step::SpaceWhitespace)
        .value("remove_punctuation", Step::RemovePunctuation)
        .value("remove_brackets", Step::RemoveBrackets)
        .value("replace", Step::Replace)
        .value("replace_word", Step::ReplaceWord)
        .value("whisper_en", Step::WhisperEnglish)
        .value("whisper_en_openai", Step::WhisperEnglishOpenai)
        .value("whisper_basic", Step::WhisperBasic)
        .value("whisper_basic_nodiacritics", Step::WhisperBasicDiacritics)
        .value("whisper_basic_letters", Step::WhisperBasicLetters)
        .value("whisper_basic_nodiacritics_letters", Step::WhisperBasicDiacriticsLetters)
        .value("whisper_basic_marks", Step::WhisperBasicMarks);
    nb::class_<TextRewriter>(m, "TextRewriter")
        .def(nb::init<const nb::typed<nb::list, nb::typed<nb::tuple, nb::any, nb::ellipsis>>&>(), "steps"_a)
        .def("rewrite", &TextRewriter::rewrite, "text"_a)
        .def("rewrite_all", &TextRewriter::rewrite_all, "texts"_a);
    m.def("have_other_spaces", &have_other_spaces, "texts"_a);
}

}  // namespace refscore::bindings
