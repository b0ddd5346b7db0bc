// Normalizers: known results, long text, and random text. Run it under sanitizers. The tests of
// Python compare them with the originals.
#include <chrono>
#include <random>
#include <string>

#include "doctest.hpp"
#include "refscore/text/whisper_normalizer.hpp"

using namespace refscore;

namespace {

// A small database: characters from U+0300 to U+036F are marks, from U+2000 punctuation, from U+1F000 symbols.
class TestDatabase : public CharacterDatabase {
  public:
    Category category(uint32_t code) const override {
        if (code >= 0x300 && code < 0x370) return code % 2 == 0 ? Category::NonspacingMark : Category::OtherMark;
        if (code >= 0x2010 && code < 0x2060) return Category::Punctuation;
        return code >= 0x1f000 || code == 0xa2 || code == 0xa3 || code == 0x20ac ? Category::Symbol : Category::Other;
    }
    int decimal(uint32_t code) const override {
        return code >= 0x660 && code < 0x66a ? static_cast<int>(code - 0x660) : -1;
    }
    bool is_lower(uint32_t code) const override { return code % 2 == 0; }
    void lower(std::string& text) const override {
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
    void upper(std::string&) const override {}
    void convert(UnicodeForm, std::string&) const override {}
    bool is_inert(UnicodeForm, uint32_t code) const override { return code < 0x300; }
};

const TestDatabase kDatabase;

template <class Step>
std::string after(const std::string& text, Step step) {
    RewrittenText rewritten(kDatabase);
    rewritten.assign(text.data(), text.size());
    step(rewritten);
    CHECK(rewritten.is_ascii() ==
          is_ascii(reinterpret_cast<const uint8_t*>(rewritten.text().data()), rewritten.text().size()));
    return rewritten.text();
}

std::string english(const std::string& text, EnglishRules rules = EnglishRules::WhisperNormalizer) {
    return after(text, [rules](RewrittenText& t) { normalize_whisper_english(t, rules); });
}
std::string multilingual(const std::string& text) {
    return after(text, [](RewrittenText& t) { normalize_open_asr_multilingual(t); });
}
std::string basic(const std::string& text, WhisperBasic options = {}) {
    return after(text, [&](RewrittenText& t) { normalize_whisper_basic(t, options); });
}

TEST_CASE("known") {
    CHECK(english("Mr. Smith won't pay $20 million [noise]") == "mister smith will not pay $20000000");
    CHECK(english("one hundred and one, then double oh seven, then two and a half") == "101 then 007 then 2.5");
    CHECK(english("the 90 s of \xd9\xa3 colours") == "the 90s of 3 colors");
    CHECK(english("five dollars and seven cents, minus ten per cent") == "$5.07 -10%");
    auto newest = [](const std::string& text) { return english(text, EnglishRules::OpenAsr2026); };
    CHECK(newest("the b b c has 5 g or a b and i a u") == "the bbc has 5g or a b and iau");
    CHECK(newest("wi  fi, e-mail and how ever o.k. at 5 a m") == "wifi email and however okay at 5 am");
    CHECK(newest("it's stephen's hmm huh flyer") == "it is steven s flier");
    CHECK(newest("Mohamed met Stephen") == "mohammed met steven");
    CHECK(english("it's a flyer", EnglishRules::OpenAsr2025) == "it is a flyer");
    CHECK(multilingual(" a\x01-b (c) ") == "a b");
    CHECK(english("") == "");
    CHECK(english(" ") == "");
    CHECK(english("um") == "");
    CHECK(basic("A (b) <c> d-e\xe2\x80\x94"
                "f") == "a d e f");
    CHECK(basic("e\xcc\x80x", {.drop_diacritics = true}) == "ex");
    CHECK(basic("e\xcc\x80x", {.keep_marks = true}) == "e\xcc\x80x");
    CHECK(basic("abc", {.split_letters = true}) == "a b c");
    CHECK(after(" a \t b ", [](RewrittenText& t) { join_spaces(t, 2), strip_text(t); }) == "a b");
    CHECK(after("a\tb c", [](RewrittenText& t) { join_spaces(t, 2); }) == "a\tb c");
    auto join = [](RewrittenText& t) { join_spaces(t, 1); };
    CHECK(after(" a\t\nb  c " + std::string(30, ' ') + "d e\x1f", join) == " a b c d e ");
    CHECK(after("a\t\xc3\xa9  b " + std::string(30, '\n') + "c  ", join) == "a \xc3\xa9 b c ");
    CHECK(after("a \xc2\xa0\xe3\x80\x80 b\xc2\x85", join) == "a b ");
    for (size_t before = 0; before < 20; ++before) {
        std::string start(before, 's');
        auto replace = [](RewrittenText& t) { replace_literal(t, "st", "saint"); };
        CHECK(after(start + "st s tst", replace) == start + "saint s tsaint");
        CHECK(after(start + "  ", join) == start + " ");
    }
    CHECK(after("a b\t", [](RewrittenText& t) { replace_whitespace(t, false); }) == "ab");
    CHECK(after("a, b.", [](RewrittenText& t) { remove_punctuation(t); }) == "a b");
    CHECK(after("the cat, catty", [](RewrittenText& t) { replace_literal(t, "cat", "\xc3\xa9", true, true); }) ==
          "the \xc3\xa9, catty");
}

TEST_CASE("time") {
    for (const char* unit : {"1", "9", "1,", "(", "[", " ", "'", "\n'", "and a half ", "one ", "zero hundred ", "a ",
                             "e  mail", "million ", "$0", "%", ".", "a1"}) {
        std::string text;
        while (text.size() < 200000) text += unit;
        auto start = std::chrono::steady_clock::now();
        english(text);
        english(text, EnglishRules::OpenAsr2026);
        multilingual(text);
        basic(text);
        CHECK(std::chrono::steady_clock::now() - start <
              std::chrono::seconds(20));  // sanitizers are slow; quadratic time takes longer
    }
}

// Parts of rules in any order, and any characters, including surrogates.
TEST_CASE("random") {
    static const char* kParts[] = {"one",      "hundred", "and",     "a half",   "point",    "double",
                                   "$",        "0",       "1",       "9",        ".",        ",",
                                   "'s",       "n't",     " ",       "  ",       "(",        ")",
                                   "[",        "]",       "%",       "\xc2\xa2", "\xc2\xa3", "\xe2\x82\xac",
                                   "cents",    "dollars", "million", "th",       "s",        "\xf0\x9f\x98\x80",
                                   "\xcc\x80", "minus",   "per",     "cent"};
    std::mt19937 random(5);
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (size_t count = random() % 12; count > 0; --count) {
            text += kParts[random() % std::size(kParts)];
            if (random() % 3 == 0) text += ' ';
            if (random() % 8 == 0) {
                uint8_t bytes[4];
                text.append(
                    reinterpret_cast<char*>(bytes),
                    static_cast<size_t>(encode(random() % (random() % 2 == 0 ? 0x80 : 0x110000), bytes) - bytes));
            }
        }
        CHECK(english(text) == english(text));
        CHECK(english(text, EnglishRules::OpenAsr2026) == english(text, EnglishRules::OpenAsr2026));
        CHECK(multilingual(text) == multilingual(text));
        WhisperBasic options{.drop_diacritics = random() % 2 == 0, .split_letters = random() % 2 == 0};
        CHECK(basic(text, options) == basic(text, options));
    }
}

}  // namespace
