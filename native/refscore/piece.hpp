// How work is cut for threads.
#pragma once

#include <cstddef>

namespace refscore {

// A part of a chunk that one thread works on, and roughly how much work it is.
struct Piece {
    size_t begin, end;
    size_t cost = 0;
};

}  // namespace refscore
