#include "refscore/statistics/resampling.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/threads/parallel.hpp"

namespace refscore {
namespace {

using Wide = Pcg64::Wide;

Wide multiply(Wide a, Wide b) { return {multiply_high(a.low, b.low) + a.high * b.low + a.low * b.high, a.low * b.low}; }
Wide add(Wide a, Wide b) { return {a.high + b.high + (a.low + b.low < a.low), a.low + b.low}; }

constexpr Wide kMultiplier{0x2360ed051fc65da4, 0x4385df649fccf645};  // PCG_DEFAULT_MULTIPLIER_128

}  // namespace

uint64_t Pcg64::next() {
    state_ = add(multiply(state_, kMultiplier), increment_);
    return std::rotr(state_.high ^ state_.low, static_cast<int>(state_.high >> 58));
}

namespace {

// For checkpoint() and for the number of threads: nanoseconds per word, and products per nanosecond. Only the order of
// magnitude matters.
constexpr size_t kWordWork = 3, kProducts = 8;

// Rows that one thread draws at the same time: a word depends on the last one of its row, so the processor waits less
// with two rows.
constexpr size_t kTogether = 2;

// Writes the weights of `count` rows, at most kTogether, from generators that are at the first words of these rows.
template <class Number>
void draw_resamples(const Pcg64* generators, size_t count, size_t units, Number* counts) {
    std::fill_n(counts, count * units, Number{0});
    Pcg64 one = generators[0], other = generators[1];  // in registers
    if (count == kTogether) {
        for (size_t u = 0; u < units; ++u) {
            counts[multiply_high(one.next(), units)] += 1;
            counts[units + multiply_high(other.next(), units)] += 1;
        }
    } else {
        for (size_t u = 0; u < units; ++u) counts[multiply_high(one.next(), units)] += 1;
    }
}

template <class Number>
void draw_swaps(Pcg64* generators, size_t count, size_t units, Number* weights) {
    for (size_t k = 0; k < count; ++k) {
        Number* swapped = weights + k * units;
        for (size_t u = 0; u < units; u += 64) {
            uint64_t word = generators[k].next();
            for (size_t bit = 0; bit < std::min<size_t>(64, units - u); ++bit)
                swapped[u + bit] = static_cast<Number>(word >> bit & 1);
        }
    }
}

// Words of a row, and what draws its weights.
struct Resamples {
    static size_t words(size_t units) { return units; }
    template <class Number>
    static constexpr auto draw = &draw_resamples<Number>;
};
struct Swaps {
    static size_t words(size_t units) { return (units + 63) / 64; }
    template <class Number>
    static constexpr auto draw = &draw_swaps<Number>;
};

// Writes the weights of the rows from `begin` to `end`.
template <class Weights, class Number>
void draw_rows(const Pcg64& generator, size_t begin, size_t end, size_t units, Number* weights) {
    size_t words = Weights::words(units);
    for (size_t row = begin; row < end; row += kTogether) {
        size_t count = std::min(kTogether, end - row);
        Pcg64 own[kTogether] = {generator, generator};
        for (size_t k = 0; k < count; ++k) own[k].advance((row + k) * words);
        checkpoint(count * words * kWordWork);
        Weights::template draw<Number>(own, count, units, weights + (row - begin) * units);
    }
}

template <class Weights>
void draw_all(const Pcg64& generator, size_t begin, size_t end, size_t units, size_t threads, double* weights) {
    parallel_for(
        end - begin, threads,
        [&] {
            return [&](size_t from, size_t to) {
                draw_rows<Weights>(generator, begin + from, begin + to, units, weights + from * units);
            };
        },
        kTogether, Weights::words(units) * kWordWork);
}

// The tile of one call of add_tile: rows and columns of the total, and units. A tile of the table, 128 × 32 numbers, is
// 32 KiB and stays in the L1 cache for all rows.
constexpr size_t kTileRows = 16, kTileUnits = 128, kTileColumns = 32;

// kRows × kVectors accumulators of `Vector` must fit into the registers.
template <class Vector, size_t kRows, size_t kVectors, class Number>
REFSCORE_INLINE void add_strip(const Number* weights, size_t stride, const Number* table, size_t units, size_t width,
                               Number* total) {
    constexpr size_t kLanes = sizeof(Vector) / sizeof(Number);
    Vector sums[kRows][kVectors];
    for (size_t r = 0; r < kRows; ++r)
        for (size_t v = 0; v < kVectors; ++v) std::memcpy(&sums[r][v], total + r * width + v * kLanes, sizeof(Vector));
    for (size_t u = 0; u < units; ++u) {
        Vector numbers[kVectors];
        for (size_t v = 0; v < kVectors; ++v) std::memcpy(&numbers[v], table + u * width + v * kLanes, sizeof(Vector));
        for (size_t r = 0; r < kRows; ++r) {
            Number weight = weights[r * stride + u];
            for (size_t v = 0; v < kVectors; ++v) sums[r][v] += weight * numbers[v];
        }
    }
    for (size_t r = 0; r < kRows; ++r)
        for (size_t v = 0; v < kVectors; ++v) std::memcpy(total + r * width + v * kLanes, &sums[r][v], sizeof(Vector));
}

template <class Vector, size_t kRows, size_t kVectors, class Number>
REFSCORE_INLINE void add_tile_inline(const Number* weights, size_t stride, size_t rows, const Number* table,
                                     size_t units, size_t width, Number* total) {
    constexpr size_t kColumns = kVectors * sizeof(Vector) / sizeof(Number);
    static_assert(kTileColumns % kColumns == 0);
    for (size_t column = 0; column < kTileColumns; column += kColumns) {
        size_t row = 0;
        for (; row + kRows <= rows; row += kRows)
            add_strip<Vector, kRows, kVectors>(weights + row * stride, stride, table + column, units, width,
                                               total + row * width + column);
        for (; row < rows; ++row)
            add_strip<Vector, 1, kVectors>(weights + row * stride, stride, table + column, units, width,
                                           total + row * width + column);
    }
}

template <class Number>
using AddTile = void (*)(const Number*, size_t, size_t, const Number*, size_t, size_t, Number*);

template <class Number>
void add_tile(const Number* weights, size_t stride, size_t rows, const Number* table, size_t units, size_t width,
              Number* total) {
    add_tile_inline<Number, 2, 4>(weights, stride, rows, table, units, width, total);
}
#if defined(REFSCORE_X86)
REFSCORE_TARGET_AVX2 void add_tile_avx2(const double* weights, size_t stride, size_t rows, const double* table,
                                        size_t units, size_t width, double* total) {
    add_tile_inline<Double4, 4, 2>(weights, stride, rows, table, units, width, total);
}
REFSCORE_TARGET_AVX2 void add_tile_avx2(const float* weights, size_t stride, size_t rows, const float* table,
                                        size_t units, size_t width, float* total) {
    add_tile_inline<Float8, 4, 2>(weights, stride, rows, table, units, width, total);
}
REFSCORE_TARGET_AVX512 void add_tile_avx512(const double* weights, size_t stride, size_t rows, const double* table,
                                            size_t units, size_t width, double* total) {
    add_tile_inline<Double8, 4, 4>(weights, stride, rows, table, units, width, total);
}
REFSCORE_TARGET_AVX512 void add_tile_avx512(const float* weights, size_t stride, size_t rows, const float* table,
                                            size_t units, size_t width, float* total) {
    add_tile_inline<Float16, 8, 2>(weights, stride, rows, table, units, width, total);
}
#elif defined(REFSCORE_NEON)
void add_tile_neon(const double* weights, size_t stride, size_t rows, const double* table, size_t units, size_t width,
                   double* total) {
    add_tile_inline<Double2, 4, 4>(weights, stride, rows, table, units, width, total);
}
void add_tile_neon(const float* weights, size_t stride, size_t rows, const float* table, size_t units, size_t width,
                   float* total) {
    add_tile_inline<Float4, 4, 4>(weights, stride, rows, table, units, width, total);
}
#endif

template <class Number>
const AddTile<Number> best_add_tile =
    best_function<AddTile<Number>>(&add_tile<Number>, REFSCORE_IF_X86(&add_tile_avx2),
                                   REFSCORE_IF_X86(&add_tile_avx512), REFSCORE_IF_NEON(&add_tile_neon));

}  // namespace

// Squares the step as often as the count has bits, as in "Random Number Generation with Arbitrary Strides" (Brown,
// 1994).
void Pcg64::advance(uint64_t words) {
    Wide multiplier{0, 1}, increment{0, 0}, step = kMultiplier, offset = increment_;
    for (; words > 0; words >>= 1) {
        if (words & 1) {
            multiplier = multiply(multiplier, step);
            increment = add(multiply(increment, step), offset);
        }
        offset = multiply(add(step, {0, 1}), offset);
        step = multiply(step, step);
    }
    state_ = add(multiply(multiplier, state_), increment);
}

void resample_weights(const Pcg64& generator, size_t begin, size_t end, size_t units, size_t threads, double* weights) {
    draw_all<Resamples>(generator, begin, end, units, threads, weights);
}

void swap_weights(const Pcg64& generator, size_t begin, size_t end, size_t units, size_t threads, double* weights) {
    draw_all<Swaps>(generator, begin, end, units, threads, weights);
}

void stack_tables(std::span<const int64_t* const> tables, const int64_t* minus, size_t columns, size_t begin,
                  size_t rows, size_t stride, size_t threads, double* out) {
    constexpr size_t kRows = 64;  // per block of parallel_for: some microseconds
    parallel_for(
        rows, threads,
        [&] {
            return [&](size_t from, size_t to) {
                checkpoint((to - from) * tables.size() * columns);
                for (size_t r = from; r < to; ++r)
                    for (size_t k = 0; k < tables.size(); ++k)
                        for (size_t c = 0; c < columns; ++c) {
                            size_t cell = (begin + r) * columns + c;
                            double subtracted = minus != nullptr ? static_cast<double>(minus[cell]) : 0;
                            out[r * stride + k * columns + c] = static_cast<double>(tables[k][cell]) - subtracted;
                        }
            };
        },
        kRows, tables.size() * columns);
}

namespace {

// Adds the product of at most kTileRows rows of weights and one strip of the table.
template <class Number>
void add_strip_of_tiles(const Number* weights, size_t stride, size_t rows, const Number* table, size_t units,
                        size_t width, Number* total) {
    checkpoint(kTileRows * units * kTileColumns / kProducts);
    for (size_t u = 0; u < units; u += kTileUnits)
        best_add_tile<Number>(weights + u, stride, rows, table + u * width, std::min(kTileUnits, units - u), width,
                              total);
}

// Writes the table in floats, if all sums of its rows are exact in floats: they are whole numbers, and the sums of as
// many rows as there are units, the most that a draw adds, are at most 2^24. A register holds twice as many floats.
bool convert_to_floats(const double* table, size_t units, size_t width, size_t threads, float* out) {
    constexpr double kMostExact = 1 << 24;
    // The sum with this number has no bits for fractions.
    constexpr double kWhole = 0x1.8p52;
    constexpr size_t kUnits = 16;  // per block of parallel_for: some microseconds
    const double most = kMostExact / static_cast<double>(units);
    std::atomic<bool> is_exact{true};
    parallel_for(
        units, threads,
        [&] {
            return [&](size_t from, size_t to) {
                bool fits = true;
                for (size_t i = from * width; i < to * width; ++i) {
                    fits &= std::abs(table[i]) <= most && table[i] + kWhole - kWhole == table[i];
                    out[i] = static_cast<float>(table[i]);
                }
                if (!fits) is_exact = false;
            };
        },
        kUnits, width);
    return is_exact;
}

template <class Weights, class Number>
void add_drawn_rows(const Pcg64& generator, size_t begin, size_t rows, const Number* table, size_t units, size_t width,
                    size_t threads, double* total) {
    constexpr bool kDirectly = std::is_same_v<Number, double>;
    parallel_for(
        rows, threads,
        [&] {
            return [&, weights = std::vector<Number>(kTileRows * units),
                    sums = std::vector<Number>(kDirectly ? 0 : kTileRows * width)](size_t from, size_t to) mutable {
                draw_rows<Weights>(generator, begin + from, begin + to, units, weights.data());
                double* block = total + from * width;
                Number* into;
                if constexpr (kDirectly) {
                    into = block;
                } else {
                    std::fill(sums.begin(), sums.end(), Number{0});
                    into = sums.data();
                }
                for (size_t column = 0; column < width; column += kTileColumns)
                    add_strip_of_tiles(weights.data(), units, to - from, table + column, units, width, into + column);
                if constexpr (!kDirectly)
                    for (size_t i = 0; i < (to - from) * width; ++i) block[i] += sums[i];
            };
        },
        kTileRows, Weights::words(units) * kWordWork + units * width / kProducts);
}

template <class Weights>
void add_drawn(const Pcg64& generator, size_t begin, size_t rows, const double* table, size_t units, size_t width,
               size_t threads, double* total) {
    constexpr size_t kWorthFloats = 16;  // rows: converting a number takes as long as a few products
    std::vector<float> floats(rows < kWorthFloats ? 0 : units * width);
    if (!floats.empty() && convert_to_floats(table, units, width, threads, floats.data())) {
        add_drawn_rows<Weights>(generator, begin, rows, floats.data(), units, width, threads, total);
    } else {
        add_drawn_rows<Weights>(generator, begin, rows, table, units, width, threads, total);
    }
}

}  // namespace

void add_resampled(const Pcg64& generator, size_t begin, size_t rows, const double* table, size_t units, size_t width,
                   size_t threads, double* total) {
    add_drawn<Resamples>(generator, begin, rows, table, units, width, threads, total);
}

void add_swapped(const Pcg64& generator, size_t begin, size_t rows, const double* table, size_t units, size_t width,
                 size_t threads, double* total) {
    add_drawn<Swaps>(generator, begin, rows, table, units, width, threads, total);
}

void add_product(const double* weights, size_t stride, size_t rows, const double* table, size_t units, size_t width,
                 size_t threads, double* total) {
    size_t strips = width / kTileColumns, blocks = (rows + kTileRows - 1) / kTileRows,
           work = kTileRows * units * kTileColumns / kProducts;
    parallel_for(
        blocks * strips, threads,
        [&] {
            return [&](size_t from, size_t to) {
                for (size_t i = from; i < to; ++i) {
                    size_t row = i / strips * kTileRows, column = i % strips * kTileColumns;
                    add_strip_of_tiles(weights + row * stride, stride, std::min(kTileRows, rows - row), table + column,
                                       units, width, total + row * width + column);
                }
            };
        },
        1, work);
}

}  // namespace refscore
