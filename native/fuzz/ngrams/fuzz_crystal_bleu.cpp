// Frequent n-grams survive writing and reading, arbitrary bytes are rejected or usable, and CrystalBLEU's rows without
// frequent n-grams equal those of maps.
#include <stdexcept>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/crystal_bleu.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

std::span<const char> chars(std::span<const uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void check_rows(const FrequentNgrams& ignored, Segments& segments, const TextRules& rules) {
    static CrystalBleu used;
    BleuSettings settings;
    settings.max_order = ignored.max_order();
    settings.short_order = ShortOrder::Pad;
    std::vector<int64_t> row(settings.columns()), again(row.size());
    TextNumberer numberer(rules);
    size_t orders = settings.max_order;
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(segments.block, segment);
        NumberedTexts hypothesis = numberer.hypothesis(segments.block, segment, references);
        used.row(settings, ignored, hypothesis, references, row);
        CrystalBleu().row(settings, ignored, hypothesis, references, again);
        CHECK(row == again);
        bool is_small = hypothesis.numbers.size() + references.tokens.size() <= 300;
        for (size_t n = 1; n <= orders; ++n) {
            int64_t matched = row[1 + n], total = row[1 + orders + n];
            CHECK(matched >= 0 && matched <= total && total <= count_of(hypothesis.numbers.size(), n));
            if (ignored.size() > 0 || !is_small) continue;
            CHECK(total == count_of(hypothesis.numbers.size(), n));
            CHECK(matched == matches(hypothesis.numbers, each(references), n));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    bool is_stored = input.flag();
    if (is_stored) {
        std::span<const uint8_t> bytes = input.take(size - std::min<size_t>(size, 24));
        try {
            FrequentNgrams read(chars(bytes));
            CHECK(FrequentNgrams(std::span<const char>(read.bytes())).bytes() == read.bytes());
            TextRules rules;
            Segments segments(input, rules);
            if (read.takes(segments.block.kind)) check_rows(read, segments, rules);
        } catch (const std::invalid_argument&) {
        } catch (const OtherTokens&) {}
        return 0;
    }
    size_t max_order = 1 + input.below(8), most = input.choose({0, 3, 20, 500});
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    TextNumberer numberer(rules);
    TokenList list;
    Lexicon lexicon;
    Collection collection;
    for (size_t r = 0; r < segments.block.references.size(); ++r) {
        numberer.read_reference(segments.block, r, list);
        std::vector<uint32_t> numbers;
        for (const Token& token : list.tokens) numbers.push_back(lexicon.add(token, list.arena.data()));
        auto length = static_cast<uint32_t>(numbers.size());
        collection.add(numbers, {&length, 1});
    }
    FrequentNgrams counted(lexicon, collection, max_order, most, segments.block.kind == ItemKind::Ids);
    std::string bytes = counted.bytes();
    FrequentNgrams read{std::span<const char>(bytes)};
    CHECK(read.bytes() == bytes && read.size() == counted.size() && read.size() <= most);
    check_rows(read, segments, rules);
    return 0;
}
