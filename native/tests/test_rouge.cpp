// ROUGE of texts in every encoding, with lines, and of tokens. A text compared with itself is perfect, and only ROUGE-Lsum
// ignores the order of lines. Python tests compare the numbers with the original. Run it under sanitizers.
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "refscore/rouge.hpp"
#include "refscore/unicode.hpp"

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
    constexpr uint32_t kCharacters[] = {'a', 'b', 'c', 'd', 'I', 'n', 'g', 's', ' ', ' ', '-', '9', 0xe9, 0x3000, 0x4e2d, 0x301, 0x1f600};
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
    block.texts = {view_of(joined(first, second), encoding, kept[0]), view_of(joined(second, first), encoding, kept[1])};
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
            CHECK(row.segments == 1 && row.f == (empty ? 0 : 1));
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
        }
    }
}

}  // namespace

int main() {
    std::mt19937 random(5);
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
