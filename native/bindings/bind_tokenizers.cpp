#include "bind.hpp"

#include "python_input.hpp"
#include "refscore/tokenizers.hpp"

namespace refscore::bindings {
namespace {

nb::typed<nb::list, nb::str> tokens_of(const nb::str& text, const TextRules& rules) {
    LoadedBlock loaded;
    PythonInput(nb::make_tuple(text), nb::handle(), rules.lowercase).load(0, 1, loaded);
    Arena arena;
    TokenSpans spans;
    tokenize(rules, arena, arena.append(loaded.block.texts[0], rules.spaces(), loaded.block.lower), spans);
    nb::list tokens;
    for (size_t i = 0; i < spans.size(); ++i) {
        const char* begin = reinterpret_cast<const char*>(arena.data()) + spans.begin(i);
        tokens.append(nb::steal(PyUnicode_DecodeUTF8(begin, static_cast<Py_ssize_t>(spans.end(i) - spans.begin(i)), "surrogatepass")));
    }
    return nb::typed<nb::list, nb::str>(tokens);
}

}  // namespace

void bind_tokenizers(nb::module_& m) {
    using namespace nb::literals;
    nb::enum_<Tokenizer>(m, "Tokenizer")
        .value("none", Tokenizer::None)
        .value("v13a", Tokenizer::V13a)
        .value("intl", Tokenizer::Intl)
        .value("zh", Tokenizer::Zh)
        .value("zh_sacrebleu", Tokenizer::ZhSacrebleu)
        .value("char", Tokenizer::Char)
        .value("chrf_words", Tokenizer::ChrfWords)
        .value("graphemes", Tokenizer::Graphemes)
        .value("all_graphemes", Tokenizer::AllGraphemes);
    nb::enum_<Lowercase>(m, "Lowercase").value("none", Lowercase::None).value("ascii", Lowercase::Ascii).value("full", Lowercase::Full);
    nb::class_<TextRules>(m, "TextRules").def(nb::init<Tokenizer, Lowercase>(), "tokenizer"_a, "lowercase"_a).def_ro("lowercase", &TextRules::lowercase);
    m.def("tokenize", &tokens_of, "text"_a, "rules"_a);
}

}  // namespace refscore::bindings
