// Every scanner that this processor can run gives the same results as the portable one.
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/simd/byte_classes.hpp"

using namespace refscore;

namespace {

constexpr int some_classes(char c) {
    return c == ' '               ? kSpace
           : c >= '0' && c <= '9' ? kNumber
           : c % 7 == 0           ? kSymbol | kMarkup
           : c % 5 == 0           ? kPoint
                                  : kOther;
}

constexpr ByteClasses kClasses{some_classes};

}  // namespace

TEST_CASE("every scanner equals the portable one") {
    std::mt19937 random(1);
    std::vector<BlockScanner> scanners = usable_scanners();
    const BlockScanner& portable = scanners.back();
    for (int round = 0; round < 2000; ++round) {
        size_t blocks = 1 + random() % 9;
        std::vector<uint8_t> text(64 * blocks);
        for (uint8_t& byte : text) byte = static_cast<uint8_t>(random());
        std::vector<BlockMasks> expected(blocks), found(blocks);
        portable.classify(kClasses, text.data(), blocks, expected.data());
        std::vector<uint64_t> masks(blocks);
        for (size_t b = 0; b < blocks; ++b) {
            masks[b] = expected[b].of[random() % kClassBits];
            if (round % 10 == 0) masks[b] = b % 2 ? ~uint64_t{0} : 0;
        }
        std::vector<uint32_t> positions(64 * blocks + BlockScanner::kOvershoot), other_positions(positions.size());
        uint32_t* end = portable.write_positions(masks.data(), blocks, 1000, positions.data());
        for (const BlockScanner& scanner : scanners) {
            scanner.classify(kClasses, text.data(), blocks, found.data());
            for (size_t b = 0; b < blocks; ++b) CHECK(found[b].of == expected[b].of);
            uint32_t* other_end = scanner.write_positions(masks.data(), blocks, 1000, other_positions.data());
            CHECK(other_end - other_positions.data() == end - positions.data());
            CHECK(std::equal(positions.data(), end, other_positions.data()));
        }
    }
    std::printf("%zu scanners agree\n", scanners.size());
}
