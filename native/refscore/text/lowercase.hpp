// Lowercase letters of any script, by the rules of Unicode that do not depend on a language.
#pragma once

#include <cstddef>
#include <cstdint>

#include "refscore/base/buffer.hpp"

namespace refscore {

// Appends the lowercase form of a word in generalized UTF-8 to a buffer of `size` bytes, and returns its new size.
size_t append_lowercase(const uint8_t* word, size_t word_size, Buffer<uint8_t>& out, size_t size);

}  // namespace refscore
