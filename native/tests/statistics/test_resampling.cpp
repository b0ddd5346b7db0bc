// Draws and products equal their definitions, for all sizes around the tiles and any number of threads.
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/statistics/resampling.hpp"

using namespace refscore;

namespace {

// Skipping words gives the words that follow. tests/significance/test_draws.py compares them with those of NumPy.
void check_words() {
    Pcg64 generator({0xa30febebf2dc0e2a, 0x5bb9d8c45ea47d12}, {0x8d8d1b8d8d8d8d8d, 0x1}), other = generator;
    std::vector<uint64_t> words;
    for (int i = 0; i < 1000; ++i) words.push_back(generator.next());
    for (size_t skipped : {0, 1, 2, 3, 63, 64, 999}) {
        Pcg64 own = other;
        own.advance(skipped);
        CHECK(own.next() == words[skipped]);
    }
}

void check_product(size_t rows, size_t units, size_t width, size_t threads) {
    std::mt19937_64 random(rows * 1000 + units);
    size_t stride = units + 3;
    std::vector<double> weights(rows * stride), table(units * width), total(rows * width), expected;
    for (double& weight : weights) weight = static_cast<double>(random() % 5);
    for (double& number : table) number = static_cast<double>(random() % 1000);
    for (double& sum : total) sum = static_cast<double>(random() % 10);
    expected = total;
    for (size_t r = 0; r < rows; ++r)
        for (size_t u = 0; u < units; ++u)
            for (size_t c = 0; c < width; ++c)
                expected[r * width + c] += weights[r * stride + u] * table[u * width + c];
    add_product(weights.data(), stride, rows, table.data(), units, width, threads, total.data());
    CHECK(total == expected);
}

void check_draws(size_t units, size_t threads) {
    Pcg64 generator({1, 2}, {3, 5});
    constexpr size_t kDraws = 9;
    std::vector<double> drawn(kDraws * units), swapped(kDraws * units), expected(units);
    resample_weights(generator, 0, kDraws, units, threads, drawn.data());
    swap_weights(generator, 0, kDraws, units, threads, swapped.data());
    Pcg64 words = generator, bits = generator;
    for (size_t draw = 0; draw < kDraws; ++draw) {
        expected.assign(units, 0);
        // The high part of a product, in two steps of 32 bits.
        for (size_t u = 0; u < units; ++u) {
            uint64_t word = words.next();
            ++expected[((word >> 32) * units + ((word & 0xffffffff) * units >> 32)) >> 32];
        }
        for (size_t u = 0; u < units; ++u) CHECK(drawn[draw * units + u] == expected[u]);
        uint64_t word = 0;
        for (size_t u = 0; u < units; ++u) {
            if (u % 64 == 0) word = bits.next();
            CHECK(swapped[draw * units + u] == static_cast<double>(word >> u % 64 & 1));
        }
    }
}

// Drawing and multiplying at once gives the product with the drawn weights: of small whole numbers, which are added as
// floats, and of numbers that need doubles, because they are large or fractions.
void check_drawn(size_t rows, size_t units, size_t width, size_t threads) {
    Pcg64 generator({1, 2}, {3, 5});
    constexpr size_t kBegin = 5;
    std::mt19937_64 random(rows + units);
    std::vector<double> weights(rows * units), table(units * width), total(rows * width, 3), expected = total;
    for (double factor : {1.0, 1048577.0, 0.25}) {
        for (double& number : table) number = factor * (static_cast<double>(random() % 1000) - 300);
        for (bool swaps : {false, true}) {
            (swaps ? swap_weights : resample_weights)(generator, kBegin, kBegin + rows, units, 1, weights.data());
            add_product(weights.data(), units, rows, table.data(), units, width, 1, expected.data());
            (swaps ? add_swapped : add_resampled)(generator, kBegin, rows, table.data(), units, width, threads,
                                                  total.data());
            CHECK(total == expected);
        }
    }
}

}  // namespace

TEST_CASE("draws and products equal their definitions") {
    check_words();
    for (size_t threads : {1, 3}) {
        for (size_t rows : {0, 1, 3, 4, 5, 15, 16, 17, 40})
            for (size_t units : {0, 1, 127, 128, 129, 300})
                for (size_t width : {32, 96}) {
                    check_product(rows, units, width, threads);
                    if (units > 0) check_drawn(rows, units, width, threads);
                }
        for (size_t units : {1, 2, 63, 64, 65, 1000}) check_draws(units, threads);
    }
}
