// METEOR's rows equal those of words matched one by one: equal words first, then equal stems.
#include <string>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/meteor.hpp"
#include "refscore/text/porter.hpp"
#include "refscore/text/unicode.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Word {
    std::string bytes, stem;
};

std::string bytes_of(const Token& token, const uint8_t* arena) {
    std::vector<uint8_t> bytes(std::max<size_t>(token.size, Token::kInline));
    copy_token(token, arena, bytes.data());
    return {bytes.begin(), bytes.begin() + token.size};
}

Word word_of(const Token& token, const uint8_t* arena, const uint16_t* lower) {
    std::string bytes = bytes_of(token, arena), lowered;
    const auto *in = reinterpret_cast<const uint8_t*>(bytes.data()), *end = in + bytes.size();
    while (in != end) {
        const uint8_t* begin = in;
        uint32_t code = decode_within(in, end);
        uint8_t encoded[4];
        uint8_t* stop = encode(lower != nullptr && code <= kLastLower ? lower[code] : code, encoded);
        lower != nullptr ? lowered.append(encoded, stop) : lowered.append(begin, in);
    }
    lowered.resize(porter_stem(reinterpret_cast<uint8_t*>(lowered.data()), lowered.size()));
    return {bytes, lowered};
}

MeteorRow expected_row(const MeteorSettings& settings, bool stems, const std::vector<Word>& hypothesis,
                       const std::vector<Word>& reference) {
    std::vector<ptrdiff_t> matched(hypothesis.size(), -1);
    std::vector<bool> taken(reference.size());
    for (bool by_stem : {false, true})
        for (size_t i = hypothesis.size(); i-- > 0;)
            for (size_t j = reference.size(); j-- > 0 && matched[i] < 0;) {
                bool fits = by_stem ? stems && hypothesis[i].stem == reference[j].stem
                                    : hypothesis[i].bytes == reference[j].bytes;
                if (!fits || taken[j]) continue;
                matched[i] = static_cast<ptrdiff_t>(j);
                taken[j] = true;
            }
    size_t matches = 0, chunks = 0;
    for (size_t i = 0; i < matched.size(); ++i) {
        if (matched[i] < 0) continue;
        ++matches;
        chunks += !(i > 0 && matched[i - 1] >= 0 && matched[i - 1] + 1 == matched[i]);
    }
    return meteor_row(settings, matches, chunks, hypothesis.size(), reference.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Meteor used;
    Input input(data, size);
    TextRules rules = read_rules(input);
    MeteorSettings settings{input.choose({0.9, 0.5, 0.0, 1.0}), input.choose({3.0, 0.0, 1.0}),
                            input.choose({0.5, 0.0, 1.0}), lower_table(), rules.lowercase == Lowercase::Full};
    Segments segments(input, rules);
    TextNumberer numberer(rules);
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(segments.block, segment);
        NumberedTexts hypothesis = numberer.hypothesis(segments.block, segment, references);
        MeteorRow row = used.row(settings, hypothesis.texts, hypothesis.numbers, references);
        MeteorRow again = Meteor().row(settings, hypothesis.texts, hypothesis.numbers, references);
        CHECK(std::isnan(row.score) ? std::isnan(again.score) : row.score == again.score);
        if (std::isnan(row.score)) continue;
        CHECK(row.score >= 0 && row.score <= 1 + 1e-12);
        if (hypothesis.numbers.size() * references.tokens.size() > 1 << 12) continue;
        bool is_lower = segments.block.kind == ItemKind::Text && settings.text_is_lowercase;
        const uint16_t* lower = is_lower ? nullptr : settings.lower;
        auto known = [&](uint32_t number) {
            return word_of(references.vocabulary.tokens[number], references.vocabulary.arena, lower);
        };
        std::vector<Word> words;
        for (const Token& token : hypothesis.texts.tokens)
            words.push_back(word_of(token, hypothesis.texts.arena, lower));
        double best = -1;
        for (Sequence reference : each(references)) {
            std::vector<Word> others;
            for (uint32_t number : reference) others.push_back(known(number));
            best = std::max(best, expected_row(settings, segments.block.kind != ItemKind::Ids, words, others).score);
        }
        CHECK(row.score == best);
    }
    return 0;
}
