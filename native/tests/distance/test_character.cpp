// CharacTER equals a search that tries every move with complete matrices, for references around the size of a machine
// word. Also tests edit distances without an alignment, and those within a beam.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/beam_edits.hpp"
#include "refscore/distance/character.hpp"

using namespace refscore;

namespace {

using Words = std::vector<std::string>;

template <class List>
size_t distance(const List& one, const List& other) {
    std::vector<size_t> above(other.size() + 1), row(other.size() + 1);
    std::iota(above.begin(), above.end(), size_t{0});
    for (size_t i = 0; i < one.size(); ++i) {
        row[0] = i + 1;
        for (size_t j = 0; j < other.size(); ++j)
            row[j + 1] = std::min({above[j + 1] + 1, row[j] + 1, above[j] + (one[i] != other[j])});
        above = row;
    }
    return above.back();
}

std::string joined(const Words& words) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i) text += (i > 0 ? " " : "") + words[i];
    return text;
}

Words moved(const Words& words, const Words& reference, double& rate) {
    double best = 0;
    Words result = words;
    bool found = false;
    for (size_t i = 0; i < words.size(); ++i)
        for (size_t j = 0; j < reference.size(); ++j) {
            size_t length = 0;
            while (i + length < words.size() && j + length < reference.size() &&
                   words[i + length] == reference[j + length])
                ++length;
            if (length == 0 || i == j) continue;
            auto at = [](size_t position) { return static_cast<ptrdiff_t>(position); };
            Words block(words.begin() + at(i), words.begin() + at(i + length)), rest = words;
            rest.erase(rest.begin() + at(i), rest.begin() + at(i + length));
            rest.insert(rest.begin() + at(std::min(j, rest.size())), block.begin(), block.end());
            double gain = rate - static_cast<double>(distance(rest, reference)) / static_cast<double>(reference.size());
            if (found && (gain < best || (gain == best && rest <= result))) continue;
            best = gain;
            result = rest;
            found = true;
        }
    if (best <= 0) return words;
    rate -= best;
    return result;
}

CharacterRow by_definition(const Words& words, const Words& reference) {
    CharacterRow row;
    row.hypothesis_length = static_cast<double>(joined(words).size());
    if (words == reference) return row;
    Words after = words;
    double rate = static_cast<double>(distance(words, reference)) / static_cast<double>(reference.size());
    for (double before = rate + 1; rate < before;) {
        before = rate;
        after = moved(after, reference, rate);
    }
    for (size_t i = 0; i < words.size();) {
        auto place = std::find(after.begin() + static_cast<ptrdiff_t>(i) + 1, after.end(), words[i]);
        size_t length = 1, letters = words[i].size();
        if (words[i] != after[i] && place != after.end()) {
            size_t j = static_cast<size_t>(place - after.begin());
            for (; j + length < words.size() && words[i + length] == after[j + length]; ++length)
                letters += words[i + length].size();
            row.shift_cost += static_cast<double>(letters) / static_cast<double>(length);
        }
        i += length;
    }
    row.edits = static_cast<double>(distance(joined(after), joined(reference)));
    row.score = row.hypothesis_length > 0 ? std::min(1.0, (row.edits + row.shift_cost) / row.hypothesis_length) : 1;
    return row;
}

CharacterRow by_kernel(Character& character, TextNumberer& numberer, const Words& words, const Words& reference) {
    Block block;
    block.clear();
    block.kind = ItemKind::Tokens;
    for (const Words* side : {&words, &reference}) {
        (side == &words ? block.hypotheses : block.references).push_back({block.texts.size(), side->size()});
        for (const std::string& word : *side) block.texts.push_back({word.data(), word.size(), Encoding::Ascii});
    }
    block.reference_starts.push_back(1);
    NumberedReferences references = numberer.references(block, 0);
    NumberedTexts hypothesis = numberer.hypothesis(block, 0, references);
    return character.row(hypothesis.texts, hypothesis.numbers, references);
}

TEST_CASE("against definition") {
    std::mt19937 random(3);
    Character character;
    TextNumberer numberer{TextRules{}};
    Words vocabulary = {"a",  "b", "the", "cat", "", "the-longest-word-of-this-test", "the-longest-word-of-this-text",
                        "zz", "x", "y"};
    auto draw = [&](size_t size, size_t known) {
        Words words(size);
        for (std::string& word : words) word = vocabulary[random() % known];
        return words;
    };
    auto check = [&](const Words& words, const Words& reference) {
        CharacterRow expected = by_definition(words, reference), row = by_kernel(character, numberer, words, reference);
        CHECK(row.score == expected.score);
        CHECK(row.edits == expected.edits);
        CHECK(row.shift_cost == expected.shift_cost);
        CHECK(row.hypothesis_length == expected.hypothesis_length);
    };
    for (int round = 0; round < 600; ++round) {
        size_t known = 2 + random() % 9;
        Words reference = draw(1 + random() % 12, known), words = draw(random() % 12, known);
        check(words, reference);
        words = reference;
        std::shuffle(words.begin(), words.end(), random);
        check(words, reference);
    }
    for (size_t i = 0; i < 60; ++i) vocabulary.push_back("word" + std::to_string(i));
    for (size_t size : {63, 64, 65, 70}) {
        Words reference = draw(size, vocabulary.size()), words = reference;
        std::rotate(words.begin(), words.begin() + 5, words.begin() + 20);
        std::swap(words[30], words[50]);
        check(words, reference);
    }
    CHECK(by_kernel(character, numberer, {}, {}).score == 0);
    CHECK(by_kernel(character, numberer, {"a"}, {}).score == 1);
}

TEST_CASE("distances") {
    std::mt19937 random(5);
    EditDistance edits;
    for (size_t most : {5, 70, 200, 700}) {
        for (int round = 0; round < 30; ++round) {
            std::vector<uint32_t> reference(1 + random() % most), words(random() % most);
            for (uint32_t& word : reference) word = 1 + static_cast<uint32_t>(random()) % 6;
            for (uint32_t& word : words) word = static_cast<uint32_t>(random()) % 7;
            if (round % 3 == 0) words = reference, words.erase(words.begin());
            CHECK(edits.distance(words, reference, 6) == distance(words, reference));
            if (std::max(words.size(), reference.size()) > 24) continue;
            std::vector<int32_t> one(words.begin(), words.end()), other(reference.begin(), reference.end());
            CHECK(beam_edits(one, other, 1) == distance(words, reference));
        }
    }
    std::vector<int32_t> rain = {'r', 'a', 'i', 'n'}, shine = {'s', 'h', 'i', 'n', 'e'};
    CHECK(beam_edits(rain, shine, 2) == 5);
    CHECK(beam_edits(rain, shine, 0) == 1);
    CHECK(beam_edits({}, shine, 1) == 5);
    CHECK(beam_edits(rain, {}, 1) == 4);
}

}  // namespace
