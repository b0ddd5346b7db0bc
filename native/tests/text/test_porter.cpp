// The Porter stemmer on random words in buffers of exact size: it stays inside, never lengthens a word, keeps the first
// byte, and leaves complete characters. Python tests compare the stems with the original.
#include <cstring>
#include <memory>
#include <random>
#include <string>

#include "doctest.hpp"
#include "refscore/text/porter.hpp"

using namespace refscore;

namespace {

const char* const kPieces[] = {"a",
                               "b",
                               "y",
                               "s",
                               "l",
                               "e",
                               "i",
                               "d",
                               "at",
                               "bl",
                               "iz",
                               "ies",
                               "ied",
                               "eed",
                               "ed",
                               "ing",
                               "ational",
                               "alli",
                               "logi",
                               "fulness",
                               "icate",
                               "ement",
                               "ion",
                               "ll",
                               "*d",
                               "\xc3\xa9",
                               "\xe4\xb8\xad",
                               "\xf0\x9f\x91\x8d",
                               "\xed\xa0\x80"};

std::string stemmed(const std::string& word) {
    std::unique_ptr<uint8_t[]> bytes(new uint8_t[word.size()]);
    std::memcpy(bytes.get(), word.data(), word.size());
    size_t size = porter_stem(bytes.get(), word.size());
    CHECK(size <= word.size());
    CHECK((word.empty() || (size > 0 && bytes[0] == static_cast<uint8_t>(word[0]))));
    return std::string(reinterpret_cast<const char*>(bytes.get()), size);
}

}  // namespace

TEST_CASE("stems stay inside their words") {
    CHECK(stemmed("") == "");
    CHECK(stemmed("as") == "as");
    CHECK(stemmed("relational") == "relat");
    CHECK(stemmed("skies") == "sky");
    CHECK(stemmed("\xc3\xa9ies") == "\xc3\xa9ie");
    CHECK(stemmed("a\xc3\xa9\xc3\xa9ing") == "a\xc3\xa9");
    std::mt19937 random(9);
    for (int round = 0; round < 300000; ++round) {
        std::string word;
        for (size_t pieces = random() % 6; pieces > 0; --pieces) word += kPieces[random() % std::size(kPieces)];
        if (round % 1000 == 0) word += std::string(random() % 3000, 'y');
        std::string stem = stemmed(word);
        size_t lead = stem.size();
        while (lead > 0 && (static_cast<uint8_t>(stem[lead - 1]) & 0xc0) == 0x80) --lead;
        if (lead < stem.size()) {
            CHECK(lead > 0);
            uint8_t first = static_cast<uint8_t>(stem[lead - 1]);
            CHECK(stem.size() - lead == (first >= 0xf0 ? 3u : first >= 0xe0 ? 2u : 1u));
        }
    }
}
