// Answers as VQA's scripts change them, numbers as Python reads them, and letters of choices. Run it under sanitizers.
#include "refscore/text/vqa_answer.hpp"

#include <cmath>
#include <random>
#include <string>

#include "doctest.hpp"

using namespace refscore;

namespace {

TEST_CASE("answers") {
    auto vqa = [](std::string_view text) { return vqa_answer(text, AnswerRules::Vqa); };
    auto textvqa = [](std::string_view text) { return vqa_answer(text, AnswerRules::TextVqa); };
    CHECK(vqa("The  Two dogs.") == "2 dogs");
    CHECK(vqa("a/b") == "b");
    CHECK(vqa("x/y") == "x y");
    CHECK(vqa("x/ y/z") == "x yz");
    CHECK(vqa("1,000") == "1000");
    CHECK(vqa("1,,000") == "1 000");
    CHECK(textvqa("1,,000") == "1000");
    CHECK(vqa("3.5.") == "3.5");
    CHECK(vqa("dont") == "don't");
    CHECK(vqa("it's") == "it's");
    CHECK(textvqa("it's") == "it 's");
    CHECK(vqa("a an\tthe\n").empty());
    CHECK(vqa("").empty());
    CHECK(vqa("\xe3\x80\x80\xc3\x89") == "\xc3\xa9");
    CHECK(vqa(std::string(40, '.')) == std::string(8, '.'));
    CHECK(plain_vqa_answer(" a\tb\n") == "a b");
    CHECK(plain_vqa_answer("\n").empty());
}

TEST_CASE("numbers") {
    auto number = [](std::string_view text) { return number_of_answer(text); };
    for (std::string_view text :
         {"", " ", "%", "a", "1,000", "1__0", "_1", "1_", ".", "e5", "1e", "0x1", "1 2", "--1", "5 cm"})
        CHECK(!number(text));
    CHECK(number("1_000.5") == 1000.5);
    CHECK(number(" -.5 ") == -0.5);
    CHECK(number("+5.") == 5);
    CHECK(number("5 %%") == 0.05);
    CHECK(number("\xd9\xa4\xd9\xa2") == 42);
    CHECK(number("\xef\xbc\x95") == 5);
    CHECK(number("1e400") == HUGE_VAL);
    CHECK(number("-1e400") == -HUGE_VAL);
    CHECK(number("1e-400") == 0.0);
    CHECK(number("0.0001e400") == HUGE_VAL);
    CHECK(number(std::string(400, '1') + "e-390") > 1e9);
    CHECK(number("Infinity") == HUGE_VAL);
    CHECK(std::isnan(*number("-NaN")));
}

TEST_CASE("choices") {
    for (std::string_view text : {"b", " b) x", "(b)", "option b", "the answer is b.", "the answer\nis b"}) {
        CHECK(has_choice(text, " b "));
        CHECK(!has_choice(text, "c"));
        CHECK(!has_choice(text, ""));
        CHECK(!has_choice(text, "bb"));
    }
    CHECK(!has_choice("", "b"));
    CHECK(!has_choice("x b", "b"));
}

TEST_CASE("any text") {
    std::mt19937 random(5);
    const std::string_view parts[] = {
        "a",  "the", ".", ",", "1",  "\xd9\xa4", "%", " ", "\t", "'s", "(", "\xed\xa0\x80",
        "_1", "e9",  "-", "+", "\n", "\xce\xa3", "é", "/", "?",  "b",  ";", "\xf0\x90\x90\x80"};
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (size_t i = 0, size = random() % 12; i < size; ++i) text += parts[random() % std::size(parts)];
        for (AnswerRules rules : {AnswerRules::Vqa, AnswerRules::TextVqa}) {
            std::string answer = vqa_answer(text, rules);
            CHECK(answer.find_first_of(";/[]\"{}()=+\\_-><@`,?!\t\n") == answer.npos);
        }
        number_of_answer(text);
        has_choice(text, "b");
    }
}

}  // namespace
