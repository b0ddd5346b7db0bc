#include "refscore/base/hash_table.hpp"

#include <random>

namespace refscore {
namespace {

HashSeeds draw_seeds() {
    std::random_device device;
    // Odd, so a seed is never 0, which would make every product 0.
    auto draw = [&] { return (static_cast<uint64_t>(device()) << 32 | device()) | 1; };
    uint64_t first = draw();
    return {first, draw()};
}

}  // namespace

const HashSeeds kSeeds = draw_seeds();

}  // namespace refscore
