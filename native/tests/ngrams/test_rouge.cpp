// ROUGE of texts in every encoding, with lines, and of tokens. A text compared with itself is perfect, and only
// variants with lines ignore their order. Python tests compare the numbers with the original. Run it under sanitizers.
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/rouge.hpp"
#include "refscore/text/unicode.hpp"

using namespace refscore;

namespace {

using Text = std::vector<uint32_t>;

// Owns the units of a view.
template <class Unit>
TextView view_of(const Text& text, Encoding encoding, std::vector<Unit>& units) {
    units.assign(text.begin(), text.end());
    if (encoding == Encoding::Utf8) {
        units.clear();
        for (uint32_t code : text) {
            uint8_t encoded[4];
            units.insert(units.end(), encoded, encode(code, encoded));
        }
    }
    return {units.data(), units.size(), encoding};
}

Text random_line(std::mt19937& random, uint32_t limit) {
    constexpr uint32_t kCharacters[] = {'a', 'b', 'c', 'd',  'I',    'n',    'g',   's',    ' ',
                                        ' ', '-', '9', 0xe9, 0x3000, 0x4e2d, 0x301, 0x1f600};
    Text line;
    for (size_t size = random() % 120; size > 0; --size) {
        uint32_t character = kCharacters[random() % std::size(kCharacters)];
        if (character < limit) line.push_back(character);
    }
    return line;
}

Text joined(const Text& first, const Text& second) {
    Text text = first;
    text.push_back('\n');
    text.insert(text.end(), second.begin(), second.end());
    return text;
}

template <class Unit>
void check(const Text& first, const Text& second, Encoding encoding) {
    std::vector<Unit> kept[2];
    Block block;
    block.clear();
    block.texts = {view_of(joined(first, second), encoding, kept[0]),
                   view_of(joined(second, first), encoding, kept[1])};
    block.hypotheses = {{0, 1}};
    block.references = {{1, 1}, {0, 1}};
    block.reference_starts = {0, 2};
    Rouge rouge;
    for (Tokenizer tokenizer : {Tokenizer::None, Tokenizer::Rouge, Tokenizer::Unicode, Tokenizer::CharSpaces}) {
        for (bool stem : {false, true}) {
            Numberer numberer({.tokenizer = tokenizer, .lowercase = Lowercase::Ascii, .stem = stem, .lines = true});
            NumberedReferences references = numberer.references(block, 0);
            std::span<const uint32_t> hypothesis = numberer.hypothesis(block, 0, references.vocabulary);
            RougeRow row = rouge.row({RougeVariant::Lsum, 1}, hypothesis, references);
            bool empty = hypothesis.size() == 2;  // two line ends
            CHECK(row.segments == 1);
            CHECK(row.f == (empty ? 0 : 1));
            TokenList list;
            numberer.read_hypothesis(block, 0, list);
            std::vector<uint32_t> before(hypothesis.begin(), hypothesis.end());
            std::span<const uint32_t> again = numberer.hypothesis(list, references.vocabulary);
            CHECK(before == std::vector<uint32_t>(again.begin(), again.end()));
            // Without lines, the second reference equals the hypothesis.
            Numberer plain({.tokenizer = tokenizer, .lowercase = Lowercase::Ascii, .stem = stem});
            NumberedReferences whole = plain.references(block, 0);
            std::span<const uint32_t> words = plain.hypothesis(block, 0, whole.vocabulary);
            for (size_t order : {1, 2, 7}) {
                bool shorter = words.size() < order;
                CHECK(rouge.row({RougeVariant::N, order}, words, whole).f == (shorter ? 0 : 1));
            }
            CHECK(rouge.row({RougeVariant::L, 1}, words, whole).f == (words.empty() ? 0 : 1));
            for (size_t skip : {size_t{0}, size_t{4}, kUnlimitedSkip})
                for (RougeVariant variant : {RougeVariant::S, RougeVariant::SU})
                    CHECK(rouge.row({variant, 1, skip}, words, whole).f == (words.size() < 2 ? 0 : 1));
            // A run of all words has the weight of the hypothesis. The recall is below 1, because the power is applied
            // twice to the reference.
            RougeRow weighted = rouge.row({RougeVariant::W, 1, 0, 1.2, 1, RougeCombine::Recall}, words, whole);
            CHECK(words.empty() ? weighted.f == 0 : std::fabs(weighted.precision - 1) < 1e-12);
        }
    }
}

// Counts by hash maps of all pairs.
void check_skip_bigrams(std::mt19937& random) {
    uint32_t kinds = 1 + random() % 6;
    auto draw = [&](uint32_t least) {
        std::vector<uint32_t> tokens(random() % 40);
        for (uint32_t& token : tokens) token = least + random() % (kinds + 1 - least);
        return tokens;
    };
    std::vector<uint32_t> hypothesis = draw(0), reference = draw(1);
    size_t skip = random() % 4 == 0 ? kUnlimitedSkip : random() % 45;
    auto pairs = [&](const std::vector<uint32_t>& tokens) {
        std::map<std::pair<uint32_t, uint32_t>, size_t> counts;
        for (size_t i = 0; i < tokens.size(); ++i)
            for (size_t j = i + 1; j < tokens.size() && j - i - 1 <= skip; ++j) ++counts[{tokens[i], tokens[j]}];
        return counts;
    };
    auto wanted = pairs(reference);
    size_t matches = 0, total = 0;
    for (const auto& [pair, count] : pairs(hypothesis)) {
        total += count;
        if (auto found = wanted.find(pair); found != wanted.end()) matches += std::min(count, found->second);
    }
    CHECK(count_skip_bigrams(hypothesis.size(), skip) == total);
    static SkipBigrams used;
    CHECK(used.matches(hypothesis, reference, kinds, skip) == matches);
}

// References of several blocks: the subsequence of a copy with gaps is the copy.
void check_long_weighted() {
    std::vector<uint32_t> reference(9000), hypothesis;
    for (size_t i = 0; i < reference.size(); ++i) {
        reference[i] = static_cast<uint32_t>(i + 1);
        if (i % 100 != 50) hypothesis.push_back(reference[i]);
    }
    WeightedSubsequence subsequence;
    subsequence.set_power(1.2);
    auto pairs = subsequence.pairs(hypothesis, reference, 9000);
    CHECK(pairs.size() == hypothesis.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
        CHECK(pairs[i].hypothesis == hypothesis.size() - 1 - i);
        CHECK(reference[pairs[i].reference] == hypothesis[pairs[i].hypothesis]);
    }
}

}  // namespace

TEST_CASE("ROUGE of texts in every encoding") {
    check_long_weighted();
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) check_skip_bigrams(random);
    for (int round = 0; round < 400; ++round) {
        uint32_t limit = std::vector<uint32_t>{0x80, 0x100, 0x10000, 0x110000, 0x110000}[round % 5];
        Text first = random_line(random, limit), second = random_line(random, limit);
        switch (static_cast<Encoding>(round % 5)) {
            case Encoding::Ascii: check<uint8_t>(first, second, Encoding::Ascii); break;
            case Encoding::Latin1: check<uint8_t>(first, second, Encoding::Latin1); break;
            case Encoding::Ucs2: check<uint16_t>(first, second, Encoding::Ucs2); break;
            case Encoding::Ucs4: check<uint32_t>(first, second, Encoding::Ucs4); break;
            case Encoding::Utf8: check<uint8_t>(first, second, Encoding::Utf8); break;
        }
    }
}
