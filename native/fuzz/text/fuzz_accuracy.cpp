// Accuracy is between 0 and 1, and answers are read without errors.
#include "input.hpp"
#include "refscore/ngrams/accuracy.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    uint8_t flags = input.byte();
    AccuracySettings settings;
    settings.match = static_cast<AnswerMatch>(flags & 3);
    settings.is_vote = (flags & 4) != 0;
    if (settings.match == AnswerMatch::Equal) settings.rules = static_cast<AnswerRules>((flags >> 3) % 3);
    std::string text;
    for (size_t i = 0, length = input.byte(); i < length; ++i) text += static_cast<char>(input.byte() & 0x7f);
    std::string answer = vqa_answer(text, AnswerRules::TextVqa);
    CHECK(answer.find_first_of(";/[]\"{}()=+\\_-><@`,?!\t\n") == answer.npos);
    number_of_answer(text);
    CHECK(!has_choice(text, "") && plain_vqa_answer(text).size() <= text.size());
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    // Bindings check UTF-8 before they pass it on.
    for (const TextView& view : segments.block.texts)
        if (view.encoding == Encoding::Utf8 && !is_utf8(static_cast<const uint8_t*>(view.data), view.size)) return 0;
    static Accuracy used;
    TextNumberer reader(rules);
    for (size_t i = 0; i < segments.block.size(); ++i) {
        NumberedReferences references = reader.references(segments.block, i);
        NumberedTexts hypothesis = reader.hypothesis(segments.block, i, references);
        double score = used.score(settings, hypothesis, references);
        CHECK(score >= 0 && score <= 1 && Accuracy().score(settings, hypothesis, references) == score);
    }
    return 0;
}
