// Everything that depends on the processor or the compiler is in this file.
//
// A kernel has a generic function, and optional versions for instruction sets: in a separate file, or as the generic
// function compiled with a REFSCORE_TARGET_ attribute. On x86, best_function() selects one when the module is loaded.
// Every 64-bit ARM processor has NEON, so there the compiler selects it. REFSCORE_PORTABLE excludes everything except
// the generic code, so tests can force it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(_MSC_VER) && !defined(REFSCORE_PORTABLE)
#include <intrin.h>
#endif

#if (defined(__GNUC__) || defined(__clang__)) && !defined(REFSCORE_PORTABLE)
#define REFSCORE_GNU 1
#define REFSCORE_INLINE inline __attribute__((always_inline))
#else
#define REFSCORE_INLINE inline
#endif

#if defined(__x86_64__) && defined(REFSCORE_GNU)
#define REFSCORE_X86 1
// Every processor with BMI has LZCNT.
#define REFSCORE_TARGET_AVX2 __attribute__((target("avx2,bmi,lzcnt,popcnt")))
#define REFSCORE_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,lzcnt,popcnt")))
// The x86 version of a function, or null if it is not built.
#define REFSCORE_IF_X86(function) (function)
#else
#define REFSCORE_IF_X86(function) nullptr
#endif

#if defined(__aarch64__) && !defined(__AARCH64EB__) && defined(REFSCORE_GNU)
#define REFSCORE_NEON 1
#define REFSCORE_IF_NEON(function) (function)
#else
#define REFSCORE_IF_NEON(function) nullptr
#endif

namespace refscore {

// In ascending order. Each set contains the instructions of its REFSCORE_TARGET_ attribute.
enum class InstructionSet : uint8_t { Generic, Avx2, Avx512 };

// The highest instruction set of this processor.
inline InstructionSet best_instruction_set() {
#ifdef REFSCORE_X86
    __builtin_cpu_init();  // static initializers may run before the compiler's own
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
    if (avx2) return avx512 ? InstructionSet::Avx512 : InstructionSet::Avx2;
#endif
    return InstructionSet::Generic;
}

// Returns the best function that this processor can run. Null means that there is no such version.
template <class Function>
Function best_function(Function generic, std::type_identity_t<Function> avx2,
                       std::type_identity_t<Function> avx512 = nullptr, std::type_identity_t<Function> neon = nullptr) {
    if (neon != nullptr) return neon;
    InstructionSet best = best_instruction_set();
    if (best >= InstructionSet::Avx512 && avx512 != nullptr) return avx512;
    if (best >= InstructionSet::Avx2 && avx2 != nullptr) return avx2;
    return generic;
}

// Numbers in one register, with the usual operators element by element.
#if defined(REFSCORE_X86)
typedef double Double4 __attribute__((vector_size(32)));
typedef double Double8 __attribute__((vector_size(64)));
typedef float Float8 __attribute__((vector_size(32)));
typedef float Float16 __attribute__((vector_size(64)));
#elif defined(REFSCORE_NEON)
typedef double Double2 __attribute__((vector_size(16)));
typedef float Float4 __attribute__((vector_size(16)));
#endif

// Eight 32-bit integers, with the usual operators element by element. Compilers with vector types keep them in
// registers.
#ifdef REFSCORE_GNU
typedef int32_t Int32x8 __attribute__((vector_size(32)));
#else
struct Int32x8 {
    int32_t lanes[8];

    int32_t operator[](size_t i) const { return lanes[i]; }
    friend Int32x8 operator+(Int32x8 a, const Int32x8& b) {
        return a.apply(b, [](int32_t x, int32_t y) { return x + y; });
    }
    friend Int32x8 operator-(Int32x8 a, const Int32x8& b) {
        return a.apply(b, [](int32_t x, int32_t y) { return x - y; });
    }
    friend Int32x8 operator&(Int32x8 a, const Int32x8& b) {
        return a.apply(b, [](int32_t x, int32_t y) { return x & y; });
    }
    friend Int32x8 operator^(Int32x8 a, const Int32x8& b) {
        return a.apply(b, [](int32_t x, int32_t y) { return x ^ y; });
    }
    friend Int32x8 operator~(Int32x8 a) {
        for (int32_t& lane : a.lanes) lane = ~lane;
        return a;
    }
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

// The upper half of a product.
inline uint64_t multiply_high(uint64_t a, uint64_t b) {
#if defined(REFSCORE_GNU) && defined(__SIZEOF_INT128__)
    __extension__ using Product = unsigned __int128;
    return static_cast<uint64_t>(static_cast<Product>(a) * b >> 64);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64)) && !defined(REFSCORE_PORTABLE)
    return __umulh(a, b);
#else
    uint64_t a_low = a & 0xffffffff, a_high = a >> 32, b_low = b & 0xffffffff, b_high = b >> 32;
    uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32), cross = a_low * b_high + (middle & 0xffffffff);
    return a_high * b_high + (middle >> 32) + (cross >> 32);
#endif
}

// Tells the processor that this thread waits in a loop.
inline void pause_thread() {
#if defined(REFSCORE_X86)
    __builtin_ia32_pause();
#elif defined(REFSCORE_NEON)
    __asm__ volatile("yield");
#endif
}

// Prefetches a cache line.
inline void prefetch_line([[maybe_unused]] const void* address) {
#ifdef REFSCORE_GNU
    __builtin_prefetch(address);
#endif
}

}  // namespace refscore
