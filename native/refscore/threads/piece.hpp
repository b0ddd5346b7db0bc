// How work is divided among threads.
#pragma once

#include <cstddef>

namespace refscore {

// A part of a chunk that one thread processes, with a rough estimate of its cost.
struct Piece {
    size_t begin, end;
    size_t cost = 0;
};

}  // namespace refscore
