// Sorted and merged keys equal those of the standard library, for every instruction set of this processor.
#include <algorithm>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/simd/sort_keys.hpp"

using namespace refscore;

TEST_CASE("sorted and merged keys equal those of the standard library") {
    std::mt19937_64 random(5);
    for (const KeySorter& sorter : usable_key_sorters())
        for (size_t blocks = 1; blocks <= 70; ++blocks)
            for (uint64_t kinds : {uint64_t{1}, uint64_t{2}, uint64_t{40}, kLastKey}) {
                std::vector<uint64_t> keys(blocks * kKeyBlock);
                for (uint64_t& key : keys) key = random() % kinds;
                for (size_t i = random() % kKeyBlock; i > 0; --i) keys[keys.size() - i] = kLastKey;
                std::vector<uint64_t> expected = keys, sorted = keys;
                std::sort(expected.begin(), expected.end());
                sorter.sort(sorted.data(), sorted.size());
                CHECK(sorted == expected);
                size_t middle = random() % (blocks + 1) * kKeyBlock;
                auto begin = keys.begin(), end = keys.end();
                std::sort(begin, begin + static_cast<ptrdiff_t>(middle));
                std::sort(begin + static_cast<ptrdiff_t>(middle), end);
                if (middle > 0 && middle < keys.size()) {
                    sorter.merge(keys.data(), middle, keys.size());
                    CHECK(keys == expected);
                }
            }
    CHECK(padded_keys(0) == 0);
    CHECK(padded_keys(1) == kKeyBlock);
    CHECK(padded_keys(65) == 2 * kKeyBlock);
}
