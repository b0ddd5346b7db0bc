// A random generator as an object of Python.
#pragma once

#include "refscore/statistics/resampling.hpp"

namespace refscore::bindings {

// The state of numpy.random.PCG64 as four words: state and increment, the high word first.
struct Generator {
    Pcg64 pcg;
};

}  // namespace refscore::bindings
