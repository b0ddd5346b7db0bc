#include "bind.hpp"

#include "python_input.hpp"
#include "refscore/tokenizers.hpp"

namespace refscore::bindings {
namespace {

nb::typed<nb::list, nb::str> tokens_of(const nb::str& text, const TextRules& rules, bool is_reference) {
    LoadedBlock loaded;
    PythonInput(nb::make_tuple(text), nb::handle(), rules.lowercase).load(0, 1, loaded);
    Arena arena;
    TokenSpans spans;
    Span span = arena.append(loaded.block.texts[0], spaces_for(rules.tokenizer), loaded.block.lower);
    if (is_reference) {
        Buffer<uint8_t> scratch;
        tokenize_reference(rules, arena, span, spans, scratch);
    } else {
        tokenize(rules, arena, span, spans);
    }
    nb::list tokens;
    for (size_t i = 0; i < spans.size(); ++i) {
        const char* begin = reinterpret_cast<const char*>(arena.data()) + spans.begin(i);
        tokens.append(steal_checked(PyUnicode_DecodeUTF8(begin, static_cast<Py_ssize_t>(spans.end(i) - spans.begin(i)), "surrogatepass")));
    }
    return nb::typed<nb::list, nb::str>(tokens);
}

}  // namespace

void bind_tokenizers(nb::module_& m) {
    using namespace nb::literals;
    nb::enum_<Tokenizer>(m, "Tokenizer")
        .value("none", Tokenizer::None)
        .value("ascii_spaces", Tokenizer::AsciiSpaces)
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
        .value("chrf_words", Tokenizer::ChrfWords)
        .value("graphemes", Tokenizer::Graphemes)
        .value("all_graphemes", Tokenizer::AllGraphemes)
        .value("tercom_norm", Tokenizer::TercomNorm)
        .value("tercom_norm_asian", Tokenizer::TercomNormAsian)
        .value("tercom_nopunct", Tokenizer::TercomNopunct)
        .value("tercom_nopunct_asian", Tokenizer::TercomNopunctAsian)
        .value("tercom_norm_nopunct", Tokenizer::TercomNormNopunct)
        .value("tercom_norm_nopunct_asian", Tokenizer::TercomNormNopunctAsian);
    nb::enum_<Lowercase>(m, "Lowercase").value("none", Lowercase::None).value("ascii", Lowercase::Ascii).value("full", Lowercase::Full);
    nb::class_<TextRules>(m, "TextRules")
        .def(nb::init<Tokenizer, Lowercase, bool, bool, bool>(), "tokenizer"_a, "lowercase"_a, nb::kw_only(), "references_twice"_a = false,
             "stem"_a = false, "lines"_a = false)
        .def_ro("lowercase", &TextRules::lowercase);
    m.def("tokenize", &tokens_of, "text"_a, "rules"_a, "is_reference"_a = false);
}

}  // namespace refscore::bindings
