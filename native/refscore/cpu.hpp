// What differs between processors and compilers.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define REFSCORE_X86 1
#endif

#if defined(__GNUC__) || defined(__clang__)
#define REFSCORE_INLINE inline __attribute__((always_inline))
#else
#define REFSCORE_INLINE inline
#endif

namespace refscore {

// Asks for a cache line ahead of its use.
inline void prefetch_line([[maybe_unused]] const void* address) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#endif
}

}  // namespace refscore
