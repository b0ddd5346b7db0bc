// Answers to questions: the tokenizers of SQuAD and MLQA, exact match and F1 against their definitions, on random text
// of every encoding. Run it under sanitizers.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/exact_match.hpp"
#include "refscore/ngrams/token_f1.hpp"
#include "refscore/segments/sequence_order.hpp"
#include "refscore/text/answer_text.hpp"
#include "refscore/text/unicode.hpp"

using namespace refscore;

namespace {

using Codes = std::vector<uint32_t>;
using Words = std::vector<Codes>;

constexpr uint32_t kCharacters[] = {'a',    'n',    't',    'h',    'e',     'a',    ' ',    ' ',    '\t',
                                    '.',    '_',    '-',    '7',    0,       0x1c,   0x7f,   0xe9,   0xa0,
                                    0x301,  0x2019, 0x201c, 0x2028, 0x3000,  0x4e2d, 0x9fa5, 0x9fa6, 0x3002,
                                    0xd800, 0xbd,   0xb2,   0x0663, 0x1f600, 0x20000};

bool is_punctuation(uint32_t code) {
    static const std::string marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    return code < 0x80 && marks.find(static_cast<char>(code)) != std::string::npos && code != 0;
}

Words split(const Codes& text) {
    Words words(1);
    for (uint32_t code : text) {
        if (!is_space(code)) {
            words.back().push_back(code);
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

Words squad_words(const Codes& text) {
    Codes kept, spaced;
    std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
                 [](uint32_t code) { return !is_punctuation(code); });
    for (size_t at = 0; at < kept.size();) {
        size_t end = at;
        while (end < kept.size() && is_word_character(kept[end])) ++end;
        std::u32string word(kept.begin() + static_cast<ptrdiff_t>(at), kept.begin() + static_cast<ptrdiff_t>(end));
        if (word == U"a" || word == U"an" || word == U"the") {
            spaced.push_back(' ');
        } else {
            spaced.insert(spaced.end(), word.begin(), word.end());
        }
        if (end < kept.size()) spaced.push_back(kept[end]);
        at = end + 1;
    }
    return split(spaced);
}

Words mlqa_words(const Codes& text) {
    Codes spaced;
    for (uint32_t code : text) {
        if (is_punctuation(code) || (code >= 0x80 && intl_class(code) == kPoint)) continue;
        bool alone = code >= 0x4e00 && code <= 0x9fa5;
        if (alone) spaced.push_back(' ');
        spaced.push_back(code);
        if (alone) spaced.push_back(' ');
    }
    return split(spaced);
}

Words read(Tokenizer tokenizer, const Codes& text) {
    Arena arena;
    TokenSpans spans;
    Span span = arena.append({text.data(), text.size(), Encoding::Ucs4}, spaces_for(tokenizer));
    tokenize({.tokenizer = tokenizer}, arena, span, spans);
    Words words;
    for (size_t i = 0; i < spans.size(); ++i) {
        Codes& word = words.emplace_back();
        for (const uint8_t *at = arena.data() + spans.begin(i), *end = arena.data() + spans.end(i); at != end;)
            word.push_back(decode(at));
    }
    return words;
}

double f1(const Words& hypothesis, const Words& reference) {
    std::map<Codes, size_t, SequenceOrder> left;
    for (const Codes& word : reference) ++left[word];
    size_t common = 0;
    for (const Codes& word : hypothesis)
        if (left[word] > 0) --left[word], ++common;
    return common == 0 ? 0
                       : 2.0 * static_cast<double>(common) / static_cast<double>(hypothesis.size() + reference.size());
}

void check_rows(const std::vector<Codes>& texts) {
    Block block;
    block.clear();
    for (const Codes& text : texts) block.texts.push_back({text.data(), text.size(), Encoding::Ucs4});
    block.hypotheses = {{0, 1}};
    for (size_t i = 1; i < texts.size(); ++i) block.references.push_back({i, 1});
    block.reference_starts = {0, texts.size() - 1};
    Numberer numberer({.tokenizer = Tokenizer::Squad});
    static SequenceNumberer sequence_numberer({.tokenizer = Tokenizer::Squad});
    NumberedReferences references = numberer.references(block, 0);
    std::span<const uint32_t> hypothesis = numberer.hypothesis(block, 0, references.vocabulary);
    TokenF1 kernel;
    Words own = squad_words(texts[0]);
    for (bool skip : {false, true}) {
        for (bool both : {false, true}) {
            bool any = std::any_of(texts.begin() + 1, texts.end(),
                                   [](const Codes& text) { return !squad_words(text).empty(); });
            double best = 0;
            bool is_match = false;
            for (size_t i = 1; i < texts.size(); ++i) {
                Words other = squad_words(texts[i]);
                if (skip && any && other.empty()) continue;
                is_match |= own == other;
                best = std::max(best, own.empty() && other.empty() ? static_cast<double>(both) : f1(own, other));
            }
            CHECK(is_exact_match({skip}, hypothesis, references) == is_match);
            NumberedReferences sequences = sequence_numberer.references(block, 0);
            CHECK(is_exact_match({skip}, sequence_numberer.hypothesis(block, 0, sequences), sequences) == is_match);
            CHECK(is_exact_match({skip}, sequence_numberer.hypothesis(block, 0, references), references) == is_match);
            for (int again = 0; again < 2; ++again) {
                TokenF1Row row = kernel.row({skip, both}, hypothesis, references);
                CHECK(std::abs(row.f1 - best) < 1e-12);
                CHECK(row.segments == 1);
                CHECK(row.exact == is_match);
                CHECK(row.precision >= 0);
                CHECK(row.recall <= 1);
            }
        }
    }
}

}  // namespace

TEST_CASE("answers equal their definitions") {
    std::mt19937 random(11);
    for (int round = 0; round < 20000; ++round) {
        std::vector<Codes> texts(2 + random() % 3);
        uint32_t kinds = round % 2 == 0 ? 13 : std::size(kCharacters);
        for (Codes& text : texts)
            for (size_t size = random() % 30; size > 0; --size) text.push_back(kCharacters[random() % kinds]);
        if (round % 3 == 0) texts[0] = texts[1];
        CHECK(read(Tokenizer::Squad, texts[0]) == squad_words(texts[0]));
        CHECK(read(Tokenizer::MlqaZh, texts[0]) == mlqa_words(texts[0]));
        Codes whole = texts[0];
        while (!whole.empty() && whole.back() == 0) whole.pop_back();
        CHECK(read(Tokenizer::Text, texts[0]) == (whole.empty() ? Words{} : Words{whole}));
        check_rows(texts);
    }
    // Removing characters before tokenizing.
    for (bool punctuation : {false, true}) {
        for (bool digits : {false, true}) {
            Arena arena;
            TokenSpans spans;
            std::string text = "a.1b\xc2\xbd_2";
            Span span = arena.append({text.data(), text.size(), Encoding::Utf8}, Spaces::Exact);
            tokenize({.tokenizer = Tokenizer::Text, .no_punctuation = punctuation, .no_digits = digits}, arena, span,
                     spans);
            std::string expected = punctuation ? (digits ? "ab\xc2\xbd"
                                                         : "a1b\xc2\xbd"
                                                           "2")
                                               : (digits ? "a.b\xc2\xbd_" : text);
            CHECK(spans.size() == 1);
            CHECK(std::string(arena.data() + spans.begin(0), arena.data() + spans.end(0)) == expected);
        }
    }
}
