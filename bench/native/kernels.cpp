// Runs one kernel a number of times, for bench.instructions: kernels NAME TIMES.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "refscore/simd/byte_classes.hpp"
#include "refscore/simd/strip_rows.hpp"
#include "refscore/simd/swapped_ties.hpp"
#include "refscore/statistics/resampling.hpp"

using namespace refscore;

namespace {

constexpr size_t kBytes = 1024, kBlocks = kBytes / kBlockBytes;

constexpr std::string_view kSample =
    "The committee met on Tuesday, and its members agreed - after a long discussion - that the 27 proposals of last "
    "year "
    "should be read again. Nobody objected. \"We have time until March,\" the chair said; \"please send your notes by "
    "then.\" ";

constexpr int class_of(char c) {
    return c == ' '               ? kSpace
           : c >= '0' && c <= '9' ? kNumber
           : c == '.' || c == ',' ? kPoint
           : c == '-'             ? kDash
           : c == '"' || c == ';' ? kSymbol
                                  : kOther;
}
constexpr ByteClasses kClasses{class_of};

std::vector<uint8_t> sample_text() {
    std::vector<uint8_t> text(kBytes);
    for (size_t i = 0; i < kBytes; ++i) text[i] = static_cast<uint8_t>(kSample[i % kSample.size()]);
    return text;
}

// Classifies 1 KiB of English.
void classify(size_t times) {
    std::vector<uint8_t> text = sample_text();
    std::vector<BlockMasks> masks(kBlocks);
    for (size_t i = 0; i < times; ++i) kScanner.classify(kClasses, text.data(), kBlocks, masks.data());
}

// Writes the positions of the spaces in 1 KiB of English.
void write_positions(size_t times) {
    std::vector<uint8_t> text = sample_text();
    uint64_t masks[kBlocks] = {};
    for (size_t i = 0; i < kBytes; ++i)
        masks[i / kBlockBytes] |= static_cast<uint64_t>(text[i] == ' ') << i % kBlockBytes;
    std::vector<uint32_t> positions(kBytes + BlockScanner::kOvershoot);
    for (size_t i = 0; i < times; ++i) kScanner.write_positions(masks, kBlocks, 0, positions.data());
}

// Adds 1,000 steps of 64 draws.
void add_steps(size_t times) {
    constexpr size_t kSteps = 1000, kPositions = 100;
    std::mt19937_64 random(1);
    std::vector<uint64_t> swapped(kPositions);
    for (uint64_t& word : swapped) word = random();
    std::vector<TieStep> steps(kSteps);
    for (TieStep& step : steps)
        step = {static_cast<uint32_t>(random() % kPositions), static_cast<uint32_t>(random() % kPositions),
                static_cast<uint32_t>(random() % 16)};
    TieSums sums{};
    for (size_t i = 0; i < times; ++i)
#ifdef REFSCORE_NEON
        add_tie_steps_neon(steps.data(), kSteps, swapped.data(), sums);
#else
        add_tie_steps(steps.data(), kSteps, swapped.data(), sums);
#endif
}

// Multiplies 16 resamples of 100 segments with 32 statistics.
void add_products(size_t times) {
    constexpr size_t kResamples = 16, kSegments = 100, kStatistics = 32;
    std::vector<double> weights(kResamples * kSegments, 1), table(kSegments * kStatistics, 2),
        total(kResamples * kStatistics);
    for (size_t i = 0; i < times; ++i)
        add_product(weights.data(), kSegments, kResamples, table.data(), kSegments, kStatistics, 1, total.data());
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    std::string_view name = arguments[1];
    size_t times = std::stoul(arguments[2]);
    if (name == "classify") {
        classify(times);
    } else if (name == "write_positions") {
        write_positions(times);
    } else if (name == "add_tie_steps") {
        add_steps(times);
    } else if (name == "add_product") {
        add_products(times);
    } else {
        return 2;
    }
}
