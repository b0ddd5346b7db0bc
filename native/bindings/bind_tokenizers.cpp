#include "bind.hpp"

#include <string>

#include "python_input.hpp"
#include "python_text.hpp"
#include "refscore/text/reference_markup.hpp"
#include "refscore/text/tokenizers.hpp"
#include "refscore/text/unicode.hpp"

namespace refscore::bindings {
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
                     [&](uint32_t mark) { tokens.append(nb::str(std::string(1, mark_character(mark)).c_str())); });
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
    split_markup(loaded.block.texts[0], take, [&](uint32_t mark) {
        parts.append(nb::make_tuple(nb::str(std::string(1, mark_character(mark)).c_str()), true));
    });
    return parts;
}

}  // namespace

void bind_tokenizers(nb::module_& m) {
    using namespace nb::literals;
#ifdef Py_LIMITED_API
    set_word_character_test(is_alphanumeric);
#else
    set_word_character_test([](uint32_t code) { return Py_UNICODE_ISALNUM(code) != 0; });
#endif
    nb::enum_<Tokenizer>(m, "Tokenizer")
        .value("none", Tokenizer::None)
        .value("ascii_spaces", Tokenizer::AsciiSpaces)
        .value("nopunct", Tokenizer::NoPunctuation)
        .value("v13a", Tokenizer::V13a)
        .value("v13a_evaluate", Tokenizer::V13aEvaluate)
        .value("intl", Tokenizer::Intl)
        .value("zh", Tokenizer::Zh)
        .value("zh_sacrebleu", Tokenizer::ZhSacrebleu)
        .value("char", Tokenizer::Char)
        .value("jiwer", Tokenizer::Jiwer)
        .value("char_spaces", Tokenizer::CharSpaces)
        .value("rouge", Tokenizer::Rouge)
        .value("unicode", Tokenizer::Unicode)
        .value("squad", Tokenizer::Squad)
        .value("mlqa_zh", Tokenizer::MlqaZh)
        .value("text", Tokenizer::Text)
        .value("chrf_words", Tokenizer::ChrfWords)
        .value("graphemes", Tokenizer::Graphemes)
        .value("all_graphemes", Tokenizer::AllGraphemes)
        .value("tercom_norm", Tokenizer::TercomNorm)
        .value("tercom_norm_asian", Tokenizer::TercomNormAsian)
        .value("tercom_nopunct", Tokenizer::TercomNopunct)
        .value("tercom_nopunct_asian", Tokenizer::TercomNopunctAsian)
        .value("tercom_norm_nopunct", Tokenizer::TercomNormNopunct)
        .value("tercom_norm_nopunct_asian", Tokenizer::TercomNormNopunctAsian)
        .value("ptb", Tokenizer::Ptb)
        .value("ptb_coco", Tokenizer::PtbCoco)
        .value("eed_en", Tokenizer::EedEn)
        .value("eed_ja", Tokenizer::EedJa);
    nb::enum_<Lowercase>(m, "Lowercase")
        .value("none", Lowercase::None)
        .value("ascii", Lowercase::Ascii)
        .value("full", Lowercase::Full);
    nb::class_<TextRules>(m, "TextRules")
        .def(nb::init<Tokenizer, Lowercase, bool, bool, bool, bool, bool, bool>(), "tokenizer"_a, "lowercase"_a,
             nb::kw_only(), "references_twice"_a = false, "stem"_a = false, "lines"_a = false,
             "no_punctuation"_a = false, "no_digits"_a = false, "alternatives"_a = false)
        .def_ro("lowercase", &TextRules::lowercase);
    m.def("split_markup", &markup_of, "text"_a, nb::sig("def split_markup(text: str) -> list[tuple[str, bool]]"));
    m.def("tokenize", &tokens_of, "text"_a, "rules"_a, "is_reference"_a = false);
}

}  // namespace refscore::bindings
