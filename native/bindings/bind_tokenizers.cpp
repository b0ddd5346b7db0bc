#include "bind.hpp"

#include <nanobind/stl/variant.h>

#include <string>
#include <variant>

#include "names.hpp"
#include "python_input.hpp"
#include "python_text.hpp"
#include "refscore/text/reference_markup.hpp"
#include "refscore/text/tokenizers.hpp"
#include "refscore/text/unicode.hpp"

namespace refscore::bindings {

template <>
struct Names<Tokenizer> {
    using enum Tokenizer;
    static constexpr Name<Tokenizer> kAll[] = {
        {None, "none"},
        {None, "tercom"},
        {AsciiSpaces, "ascii-spaces"},
        {NoPunctuation, "nopunct"},
        {V13a, "13a"},
        {V13aEvaluate, "13a-evaluate"},
        {Intl, "intl"},
        {Zh, "zh"},
        {ZhSacrebleu, "zh-sacrebleu"},
        {Char, "char"},
        {Jiwer, "jiwer"},
        {CharSpaces, "char-spaces"},
        {CharWords, "char-words"},
        {CharAll, "char-all"},
        {Rouge, "rouge"},
        {Unicode, "unicode"},
        {Squad, "squad"},
        {MlqaZh, "mlqa-zh"},
        {Text, "text"},
        {ChrfWords, "chrf-words"},
        {Graphemes, "graphemes"},
        {AllGraphemes, "all-graphemes"},
        {TercomNorm, "tercom-norm"},
        {TercomNormAsian, "tercom-norm-asian"},
        {TercomNopunct, "tercom-nopunct"},
        {TercomNopunctAsian, "tercom-nopunct-asian"},
        {TercomNormNopunct, "tercom-norm-nopunct"},
        {TercomNormNopunctAsian, "tercom-norm-nopunct-asian"},
        {Ptb, "ptb"},
        {PtbCoco, "ptb-coco"},
        {EedEn, "eed-en"},
        {EedJa, "eed-ja"},
    };
};

namespace {

nb::typed<nb::list, nb::str> tokens_of(const nb::str& text, const TextRules& rules, bool is_reference) {
    LoadedBlock loaded;
    PythonInput(nb::make_tuple(text), nb::handle(), rules.lowercase).load(0, 1, loaded);
    Arena arena;
    TokenSpans spans;
    nb::list tokens;
    auto take_all = [&](const TextView& view) {
        Span span = arena.append(view, spaces_for(rules.tokenizer), loaded.block.lower);
        if (is_reference) {
            Buffer<uint8_t> scratch;
            tokenize_reference(rules, arena, span, spans, scratch);
        } else {
            tokenize(rules, arena, span, spans);
        }
        for (size_t i = 0; i < spans.size(); ++i) {
            const char* begin = reinterpret_cast<const char*>(arena.data()) + spans.begin(i);
            tokens.append(steal_checked(
                PyUnicode_DecodeUTF8(begin, static_cast<Py_ssize_t>(spans.end(i) - spans.begin(i)), "surrogatepass")));
        }
    };
    if (is_reference && rules.alternatives) {
        split_markup(loaded.block.texts[0], take_all,
                     [&](uint32_t mark) { tokens.append(nb::str(mark_text(mark).c_str())); });
    } else {
        take_all(loaded.block.texts[0]);
    }
    return nb::typed<nb::list, nb::str>(tokens);
}

// The parts of a reference with alternatives: (text, false) for text between marks, and (mark, true) for marks.
nb::list markup_of(const nb::str& text) {
    LoadedBlock loaded;
    PythonInput(nb::make_tuple(text), nb::handle(), Lowercase::None).load(0, 1, loaded);
    nb::list parts;
    Arena arena;
    auto take = [&](const TextView& view) {
        arena.clear();
        Span span = arena.append(view, Spaces::Keep);
        const char* begin = reinterpret_cast<const char*>(arena.data()) + span.begin;
        parts.append(nb::make_tuple(
            steal_checked(PyUnicode_DecodeUTF8(begin, static_cast<Py_ssize_t>(span.end - span.begin), "surrogatepass")),
            false));
    };
    split_markup(loaded.block.texts[0], take,
                 [&](uint32_t mark) { parts.append(nb::make_tuple(nb::str(mark_text(mark).c_str()), true)); });
    return parts;
}

// True, False or "ascii".
Lowercase case_of(const std::variant<bool, nb::str>& lowercase) {
    if (const bool* is_full = std::get_if<bool>(&lowercase)) return *is_full ? Lowercase::Full : Lowercase::None;
    require(std::get<nb::str>(lowercase).equal(nb::str("ascii")), "lowercase must be True, False or 'ascii'");
    return Lowercase::Ascii;
}

}  // namespace

void bind_tokenizers(nb::module_& m) {
    using namespace nb::literals;
#ifdef Py_LIMITED_API
    set_word_character_test(is_alphanumeric);
#else
    set_word_character_test([](uint32_t code) { return Py_UNICODE_ISALNUM(code) != 0; });
#endif
    nb::class_<TextRules>(m, "TextRules")
        .def(
            "__init__",
            [](TextRules* self, Tokenizer tokenizer, std::variant<bool, nb::str> lowercase, bool references_twice,
               bool stem, bool lines, bool no_punctuation, bool no_digits, bool alternatives) {
                new (self) TextRules{tokenizer, case_of(lowercase), references_twice, stem,
                                     lines,     no_punctuation,     no_digits,        alternatives};
            },
            "tokenizer"_a, "lowercase"_a = false, nb::kw_only(), "references_twice"_a = false, "stem"_a = false,
            "lines"_a = false, "no_punctuation"_a = false, "no_digits"_a = false, "alternatives"_a = false);
    m.def("split_markup", &markup_of, "text"_a, nb::sig("def split_markup(text: str) -> list[tuple[str, bool]]"));
    m.def("tokenize", &tokens_of, "text"_a, "rules"_a, "is_reference"_a = false);
}

}  // namespace refscore::bindings
