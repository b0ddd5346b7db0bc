// Everything that depends on the processor or the compiler is in this file.
//
// A kernel has a generic function, and optional versions for instruction sets: in a separate file, or as the generic function
// compiled with a REFSCORE_TARGET_ attribute. best_function() selects one when the module is loaded. REFSCORE_PORTABLE excludes
// everything except the generic code, so tests can force it.
#pragma once

#include <cstddef>
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
// The x86 version of a function, or null if it is not built.
#define REFSCORE_IF_X86(function) (function)
#else
#define REFSCORE_IF_X86(function) nullptr
#endif

namespace refscore {

// In ascending order. Each set contains the instructions of its REFSCORE_TARGET_ attribute.
enum class InstructionSet : uint8_t { Generic, Avx2, Avx512 };

// The highest instruction set of this processor.
inline InstructionSet best_instruction_set() {
#ifdef REFSCORE_X86
    __builtin_cpu_init();  // static initializers may run before the compiler's own
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512vbmi2");
    if (avx2) return avx512 ? InstructionSet::Avx512 : InstructionSet::Avx2;
#endif
    return InstructionSet::Generic;
}

// Returns the best function that this processor can run. Null means that there is no such version.
template <class Function>
Function best_function(Function generic, std::type_identity_t<Function> avx2, std::type_identity_t<Function> avx512 = nullptr) {
    InstructionSet best = best_instruction_set();
    if (best >= InstructionSet::Avx512 && avx512 != nullptr) return avx512;
    if (best >= InstructionSet::Avx2 && avx2 != nullptr) return avx2;
    return generic;
}

// Eight 32-bit integers, with the usual operators element by element. Compilers with vector types keep them in registers.
#ifdef REFSCORE_GNU
typedef int32_t Int32x8 __attribute__((vector_size(32)));
#else
struct Int32x8 {
    int32_t lanes[8];

    int32_t operator[](size_t i) const { return lanes[i]; }
    friend Int32x8 operator+(Int32x8 a, const Int32x8& b) { return a.apply(b, [](int32_t x, int32_t y) { return x + y; }); }
    friend Int32x8 operator-(Int32x8 a, const Int32x8& b) { return a.apply(b, [](int32_t x, int32_t y) { return x - y; }); }
    friend Int32x8 operator&(Int32x8 a, const Int32x8& b) { return a.apply(b, [](int32_t x, int32_t y) { return x & y; }); }
    friend Int32x8 operator^(Int32x8 a, const Int32x8& b) { return a.apply(b, [](int32_t x, int32_t y) { return x ^ y; }); }
    friend Int32x8 operator>>(Int32x8 a, int bits) {
        for (int32_t& lane : a.lanes) lane >>= bits;
        return a;
    }

  private:
    template <class Apply>
    Int32x8& apply(const Int32x8& other, Apply apply) {
        for (size_t i = 0; i < 8; ++i) lanes[i] = apply(lanes[i], other.lanes[i]);
        return *this;
    }
};
#endif

// Tells the processor that this thread waits in a loop.
inline void pause_thread() {
#ifdef REFSCORE_X86
    __builtin_ia32_pause();
#endif
}

// Prefetches a cache line.
inline void prefetch_line([[maybe_unused]] const void* address) {
#ifdef REFSCORE_GNU
    __builtin_prefetch(address);
#endif
}

}  // namespace refscore
