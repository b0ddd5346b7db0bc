// What differs between processors and compilers. With REFSCORE_PORTABLE defined, the code that other processors and compilers get is built
// everywhere, so that it can be tested where there is none of them.
#pragma once

#if (defined(__GNUC__) || defined(__clang__)) && !defined(REFSCORE_PORTABLE)
#define REFSCORE_GNU 1
#endif

#if defined(__x86_64__) && defined(REFSCORE_GNU)
#define REFSCORE_X86 1
#endif

#ifdef REFSCORE_GNU
#define REFSCORE_INLINE inline __attribute__((always_inline))
#else
#define REFSCORE_INLINE inline
#endif

namespace refscore {

// Asks for a cache line ahead of its use.
inline void prefetch_line([[maybe_unused]] const void* address) {
#ifdef REFSCORE_GNU
    __builtin_prefetch(address);
#endif
}

}  // namespace refscore
