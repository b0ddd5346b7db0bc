// What differs between processors and compilers, and the only place that asks which of them this is.
//
// A kernel has a generic function, and may have others for instruction sets: in a file of each set, or as the generic function
// built with a REFSCORE_TARGET_. best_function() chooses among them when the module is loaded. With REFSCORE_PORTABLE defined,
// only what every processor and compiler can run is built, so tests can force the generic code.
#pragma once

#include <cstdint>
#include <type_traits>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(REFSCORE_PORTABLE)
#define REFSCORE_GNU 1
#define REFSCORE_INLINE inline __attribute__((always_inline))
#else
#define REFSCORE_INLINE inline
#endif

#if defined(__x86_64__) && defined(REFSCORE_GNU)
#define REFSCORE_X86 1
#define REFSCORE_TARGET_AVX2 __attribute__((target("avx2,bmi,popcnt")))
#define REFSCORE_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")))
// A function for x86, or null where it is not built.
#define REFSCORE_IF_X86(function) (function)
#else
#define REFSCORE_IF_X86(function) nullptr
#endif

namespace refscore {

// From the least to the most; each has the instructions of its REFSCORE_TARGET_.
enum class InstructionSet : uint8_t { Generic, Avx2, Avx512 };

// The most that this processor has.
inline InstructionSet best_instruction_set() {
#ifdef REFSCORE_X86
    __builtin_cpu_init();  // initializers of other files may run before the compiler's own
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512vbmi2");
    if (avx2) return avx512 ? InstructionSet::Avx512 : InstructionSet::Avx2;
#endif
    return InstructionSet::Generic;
}

// The best function that this processor can run; null stands for one that there is not.
template <class Function>
Function best_function(Function generic, std::type_identity_t<Function> avx2, std::type_identity_t<Function> avx512 = nullptr) {
    InstructionSet best = best_instruction_set();
    if (best >= InstructionSet::Avx512 && avx512 != nullptr) return avx512;
    if (best >= InstructionSet::Avx2 && avx2 != nullptr) return avx2;
    return generic;
}

// Asks for a cache line ahead of its use.
inline void prefetch_line([[maybe_unused]] const void* address) {
#ifdef REFSCORE_GNU
    __builtin_prefetch(address);
#endif
}

}  // namespace refscore
