// Matching in stages equals its definition on random words. METEOR's rows equal rows with the stems of all words, for
// tokens of every kind, with scratch memory reused for segments of different sizes. Python tests compare the rows with
// the original.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/meteor.hpp"
#include "refscore/text/porter.hpp"
#include "refscore/text/utf8.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;

std::vector<MatchedWord> expected_matches(const Words& hypothesis, const Words& reference, const Words& stems,
                                          const std::vector<Words>& synonyms) {
    std::vector<MatchedWord> found(hypothesis.size(), {0, MatchStage::None});
    std::vector<bool> taken(reference.size());
    for (MatchStage stage : {MatchStage::Exact, MatchStage::Stem, MatchStage::Synonym})
        for (size_t i = hypothesis.size(); i-- > 0;)
            for (size_t j = reference.size(); j-- > 0 && found[i].stage == MatchStage::None;) {
                bool fits = hypothesis[i] == reference[j];
                if (stage == MatchStage::Stem) fits = stems[hypothesis[i]] == stems[reference[j]];
                if (stage == MatchStage::Synonym) {
                    const Words& list = synonyms[stems[hypothesis[i]]];
                    fits = std::find(list.begin(), list.end(), stems[reference[j]]) != list.end();
                }
                if (!fits || taken[j]) continue;
                found[i] = {static_cast<uint32_t>(j), stage};
                taken[j] = true;
            }
    return found;
}

size_t expected_chunks(const std::vector<MatchedWord>& words) {
    size_t chunks = 0;
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i].stage == MatchStage::None) continue;
        bool follows = i > 0 && words[i - 1].stage != MatchStage::None && words[i - 1].rank + 1 == words[i].rank;
        chunks += !follows;
    }
    return chunks;
}

void check_words(const WordMatcher& matcher, const std::vector<MatchedWord>& expected) {
    CHECK(matcher.words().size() == expected.size());
    size_t matches = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        CHECK(matcher.words()[i].stage == expected[i].stage);
        CHECK((expected[i].stage == MatchStage::None || matcher.words()[i].rank == expected[i].rank));
        matches += expected[i].stage != MatchStage::None;
    }
    CHECK(matcher.matches() == matches);
    CHECK(matcher.chunks() == expected_chunks(expected));
}

void check_matching(const Words& hypothesis, const Words& reference, const Words& stems,
                    const std::vector<Words>& synonyms) {
    static WordMatcher matcher;
    uint32_t count = static_cast<uint32_t>(stems.size());
    auto reference_stem = [&](uint32_t j) { return stems[reference[j]]; };
    auto match_further = [&](WordMatcher& started) {
        started.match_equal(MatchStage::Stem, count, [&](uint32_t i) { return stems[hypothesis[i]]; }, reference_stem);
        started.match_any(
            MatchStage::Synonym, count, [&](uint32_t i) -> const Words& { return synonyms[stems[hypothesis[i]]]; },
            reference_stem);
    };
    matcher.begin(hypothesis.size(), reference.size());
    matcher.match_equal(
        MatchStage::Exact, count, [&](uint32_t i) { return hypothesis[i]; }, [&](uint32_t j) { return reference[j]; });
    match_further(matcher);
    std::vector<MatchedWord> expected = expected_matches(hypothesis, reference, stems, synonyms);
    check_words(matcher, expected);
    if (reference.size() > WordMatcher::kPlaces) return;
    std::vector<uint64_t> places(count);
    for (size_t j = 0; j < reference.size(); ++j) places[reference[j]] |= uint64_t{1} << j;
    matcher.begin_by_places(MatchStage::Exact, hypothesis.size(), reference.size(),
                            [&](size_t i) { return places[hypothesis[i]]; });
    match_further(matcher);
    check_words(matcher, expected);
}

const char* const kWords[] = {"cat",
                              "cats",
                              "Cats",
                              "a",
                              "",
                              "relational",
                              "relate",
                              "Caf\xc3",
                              "@cats",
                              "catting",
                              "Kats",
                              "\xe2\x84\xaa"
                              "ats",
                              "\xf0\x9f",
                              "internationalizations",
                              "internationalization",
                              "\xc3\x89t\xc3\xa9ing",
                              ("\xc3\xa9t\xc3\xa9"
                               "ed"),
                              "\xf0\x9f\x91\x8ds",
                              "\xed\xa0\x80s",
                              "\xc8\xba\xc8\xba\xc8\xba\xc8\xba\xc8\xba\xc8\xba\xc8\xba\xc8\xba"};
const char* const kHard[] = {"\xce\xa3\xce\xa3\xce\xa3", "\xc4\xb0ss", "\xf0\x90\x90\x80xs"};

using WordNumbers = std::map<std::string, uint32_t>;

uint32_t number_of(WordNumbers& numbers, const std::string& word) {
    return numbers.try_emplace(word, static_cast<uint32_t>(numbers.size() + 1)).first->second;
}

std::string stem_of(const std::string& word, const uint16_t* lower) {
    std::vector<uint8_t> bytes(2 * word.size() + 4);
    const uint8_t* in = reinterpret_cast<const uint8_t*>(word.data());
    uint8_t* out = bytes.data();
    for (const uint8_t* end = in + word.size(); in != end;) {
        uint32_t code = decode_within(in, end);
        out = encode(code <= kLastLower ? lower[code] : code, out);
    }
    size_t size = porter_stem(bytes.data(), static_cast<size_t>(out - bytes.data()));
    return std::string(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
}

// The row of the best reference, with the stems of all words.
MeteorRow expected_row(const MeteorSettings& settings, const std::vector<std::string>& hypothesis,
                       const std::vector<std::vector<std::string>>& references, bool stem) {
    MeteorRow best;
    for (size_t r = 0; r < references.size(); ++r) {
        WordNumbers words, stems;
        WordMatcher matcher;
        matcher.begin(hypothesis.size(), references[r].size());
        uint32_t most = static_cast<uint32_t>(hypothesis.size() + references[r].size());
        auto match = [&](MatchStage stage, auto number) {
            matcher.match_equal(
                stage, most, [&](uint32_t i) { return number(hypothesis[i]); },
                [&](uint32_t j) { return number(references[r][j]); });
        };
        match(MatchStage::Exact, [&](const std::string& word) { return number_of(words, word); });
        if (stem)
            match(MatchStage::Stem,
                  [&](const std::string& word) { return number_of(stems, stem_of(word, settings.lower)); });
        MeteorRow row =
            meteor_row(settings, matcher.matches(), matcher.chunks(), hypothesis.size(), references[r].size());
        if (r == 0 || row.score > best.score) best = row;
    }
    return best;
}

}  // namespace

TEST_CASE("words are matched as defined") {
    std::mt19937 random(4);
    auto below = [&](size_t bound) { return static_cast<uint32_t>(random() % bound); };
    for (int round = 0; round < 20000; ++round) {
        uint32_t count = 1 + below(8);
        auto make = [&](size_t size) {
            Words words(size);
            for (uint32_t& word : words) word = 1 + below(count);
            return words;
        };
        Words hypothesis = make(below(12)), reference = make(below(12)), stems = make(count + 1);
        std::vector<Words> synonyms;
        for (uint32_t i = 0; i <= count; ++i) synonyms.push_back(make(below(3)));
        check_matching(hypothesis, reference, stems, synonyms);
    }

    std::vector<uint16_t> lower(kLastLower + 1);
    for (uint32_t code = 0; code <= kLastLower; ++code) lower[code] = static_cast<uint16_t>(code);
    for (uint16_t letter = 'A'; letter <= 'Z'; ++letter) lower[letter] = letter + ('a' - 'A');
    lower[0xc9] = 0xe9;
    lower[0x212a] = 'k';    // the Kelvin sign
    lower[0x23a] = 0x2c65;  // two bytes become three
    MeteorSettings settings{0.9, 3, 0.5, lower.data(), false};
    Meteor meteor;
    Arena arena, hypothesis_arena;
    Vocabulary vocabulary;
    for (int round = 0; round < 20000; ++round) {
        bool hard = round % 5 == 0;
        auto pick = [&]() -> std::string {
            return hard && below(6) == 0 ? kHard[below(std::size(kHard))] : kWords[below(std::size(kWords))];
        };
        auto read = [](Arena& into, const std::string& word) {
            Span span = into.append({word.data(), word.size(), Encoding::Ascii}, Spaces::Keep);
            return token_at(into.data(), span.begin, span.end);
        };
        arena.clear();
        hypothesis_arena.clear();
        vocabulary.reset();
        Words tokens, lengths;
        std::vector<std::vector<std::string>> reference_words;
        std::vector<std::string> hypothesis_words;
        for (size_t r = 1 + below(3); r > 0; --r) {
            lengths.push_back(below(round % 100 == 0 ? 300 : 12));
            vocabulary.reserve(lengths.back());
            reference_words.emplace_back();
            for (uint32_t i = 0; i < lengths.back(); ++i) {
                reference_words.back().push_back(pick());
                Token token = read(arena, reference_words.back().back());
                tokens.push_back(vocabulary.add(token, arena.data()));
            }
        }
        std::vector<Token> texts;
        for (size_t i = below(12); i > 0; --i) {
            hypothesis_words.push_back(pick());
            texts.push_back(read(hypothesis_arena, hypothesis_words.back()));
        }
        Words hypothesis;
        for (const Token& token : texts)
            hypothesis.push_back(vocabulary.view(arena.data()).find(token, hypothesis_arena.data()));
        NumberedReferences references{vocabulary.view(arena.data()), vocabulary.size(), tokens, lengths};
        for (ItemKind kind : {ItemKind::Tokens, ItemKind::Ids, ItemKind::Text}) {
            MeteorRow row = meteor.row(settings, {kind, texts, hypothesis_arena.data()}, hypothesis, references);
            if (std::isnan(row.score)) {
                CHECK(hard);
                CHECK(kind != ItemKind::Ids);
            } else {
                CHECK(row.score >= 0);
                CHECK(row.score <= 1);
            }
            CHECK(row.segments == 1);
            if (hard) continue;
            MeteorRow expected = expected_row(settings, hypothesis_words, reference_words, kind != ItemKind::Ids);
            CHECK(row.score == expected.score);
            CHECK(row.penalty == expected.penalty);
            CHECK(row.recall == expected.recall);
        }
    }
}
