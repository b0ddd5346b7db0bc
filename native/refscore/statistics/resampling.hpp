// Random weights of resamples, and sums of rows with such weights, for significance tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace refscore {

// The generator PCG64 of NumPy (PCG XSL-RR 128/64). It gives the same words as numpy.random.PCG64.random_raw.
class Pcg64 {
  public:
    struct Wide {
        uint64_t high, low;
    };

    Pcg64(Wide state, Wide increment) : state_(state), increment_(increment) {}

    uint64_t next();
    // Skips this many words.
    void advance(uint64_t words);

  private:
    Wide state_, increment_;
};

// Writes how often each resample draws each unit, with replacement: a row of `units` numbers for each of the resamples
// from `begin` to `end`. Resample b uses the words from b * units on. There must be fewer than 2**32 units.
void resample_weights(const Pcg64& generator, size_t begin, size_t end, size_t units, size_t threads, double* weights);

// Writes 1 for each unit that a trial swaps, else 0. A trial uses whole words; unit i is bit i from the lowest.
void swap_weights(const Pcg64& generator, size_t begin, size_t end, size_t units, size_t threads, double* weights);

// Writes rows of several tables side by side: out[r][k * columns + c] = tables[k][begin + r][c], minus that of another
// table unless it is null. Rows of `out` are `stride` numbers apart.
void stack_tables(std::span<const int64_t* const> tables, const int64_t* minus, size_t columns, size_t begin,
                  size_t rows, size_t stride, size_t threads, double* out);

// Adds the product of two matrices to a third one: total[r][c] += weights[r][u] * table[u][c]. Rows of `weights` are
// `stride` numbers apart. The result depends on the order of summation only if a sum is not exact.
void add_product(const double* weights, size_t stride, size_t rows, const double* table, size_t units, size_t width,
                 size_t threads, double* total);

// Add the product of such weights, from draw `begin` on, and a table, whose width must be a multiple of 32. Each thread
// draws the weights of a few rows and multiplies them at once, so they stay in its cache.
void add_resampled(const Pcg64& generator, size_t begin, size_t rows, const double* table, size_t units, size_t width,
                   size_t threads, double* total);
void add_swapped(const Pcg64& generator, size_t begin, size_t rows, const double* table, size_t units, size_t width,
                 size_t threads, double* total);

}  // namespace refscore
