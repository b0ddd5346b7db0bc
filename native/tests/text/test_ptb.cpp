// The Penn Treebank tokenizer: some tokens of CoreNLP 3.4.1, and text on which a naive scanner takes quadratic time.
// Python tests compare it with the Java program, and test the patterns. Run it under sanitizers.
#include <string>
#include <string_view>
#include <vector>

#include "doctest.hpp"
#include "refscore/text/tokenizers.hpp"

using namespace refscore;

namespace {

std::string tokens_of(std::string_view text, Tokenizer tokenizer) {
    Arena arena;
    TokenSpans spans;
    arena.append({"before", 6, Encoding::Ascii}, Spaces::Keep);
    Span span = arena.append({text.data(), text.size(), Encoding::Utf8}, Spaces::Exact);
    tokenize({tokenizer, Lowercase::None}, arena, span, spans);
    std::string joined;
    for (size_t i = 0; i < spans.size(); ++i) {
        if (i > 0) joined += '|';
        joined.append(reinterpret_cast<const char*>(arena.data()) + spans.begin(i), spans.end(i) - spans.begin(i));
    }
    return joined;
}

struct Example {
    const char *text, *ptb, *coco;
};

constexpr Example kExamples[] = {
    {"The couple can't decide: pizza, or a $9.99 salad?", "The|couple|ca|n't|decide|:|pizza|,|or|a|$|9.99|salad|?",
     "the|couple|ca|n't|decide|pizza|or|a|$|9.99|salad"},
    {"People (mostly kids) are gonna swim, cannot wait...",
     "People|-LRB-|mostly|kids|-RRB-|are|gon|na|swim|,|can|not|wait|...",
     "people|-lrb-|mostly|kids|-rrb-|are|gon|na|swim|can|not|wait"},
    {"3 1/2 ft. tall",
     "3\xc2\xa0"
     "1/2|ft.|tall",
     "3|1/2|ft.|tall"},
    {"4\xc2\xbd-inch \xe2\x80\x9csmart\xe2\x80\x9d", "4|1/2|-|inch|``|smart|''", "4|1/2|inch|smart"},
    {"It was etc. The end", "It|was|etc.|.|The|end", "it|was|etc.|the|end"},
    {"soft\xc2\xadhyphen \xc2\xad", "softhyphen|-", "softhyphen"},
    {"\xf0\x9f\x98\x80 a\xf0\x9f\x98\x80@b.c", "a\xf0\x9f\x98\x80@b.c", "a\xf0\x9f\x98\x80@b.c"},
    {"\xed\xa0\x80", "", ""},
    {"", "", ""},
    {"\n", "", ""},
};

// Parts that patterns read ahead without a match. A quadratic scanner would take hours under sanitizers.
constexpr const char* kPieces[] = {"a,",     "1a.", "<!a",         "<a b='",    "a;", "A. <!x",
                                   "x.[^x=", "a&b", "etc. <a b='", "\xc3\xa9.", "'",  "- "};

}  // namespace

TEST_CASE("tokens of CoreNLP") {
    for (const Example& example : kExamples) {
        CHECK(tokens_of(example.text, Tokenizer::Ptb) == example.ptb);
        CHECK(tokens_of(example.text, Tokenizer::PtbCoco) == example.coco);
    }
    for (const char* piece : kPieces) {
        std::string text;
        while (text.size() < 200'000) text += piece;
        CHECK(!tokens_of(text, Tokenizer::Ptb).empty());
    }
}
