// The assertions of the tests.
//
// Not a framework: the tests then need only a compiler, also for other platforms and under every sanitizer.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

// CHECK writes `Start() <= a == b`.
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif

namespace checks {

// Ends a test that has failed with status 1.
struct Verdict {
    static constexpr size_t kMost = 50;  // a failure in a long loop should not print millions of lines

    std::atomic<size_t> failures{0};

    void fail(const char* file, int line, const char* condition, const std::string& values) {
        std::ostringstream text;
        text << file << ':' << line << ": " << condition << (values.empty() ? "" : "  // ") << values << '\n';
        std::cerr << text.str() << std::flush;
        if (++failures == kMost) end();
    }
    ~Verdict() {
        if (failures > 0) end();
    }
    [[noreturn]] static void end() {
        std::fflush(nullptr);
        std::_Exit(1);
    }
};
inline Verdict verdict;

template <class T>
std::string shown(const T& value) {
    std::ostringstream text;
    if constexpr (std::is_same_v<T, uint8_t> || std::is_same_v<T, int8_t>) {
        text << int{value};
    } else if constexpr (std::is_floating_point_v<T>) {
        text.precision(17);
        text << value;
    } else if constexpr (requires { text << value; }) {
        text << value;
    } else if constexpr (requires { value.begin() != value.end(); }) {
        for (const auto& each : value) text << (text.tellp() > 0 ? " " : "") << shown(each);
        return "{" + text.str() + "}";
    } else if constexpr (std::is_enum_v<T>) {
        text << static_cast<std::underlying_type_t<T>>(value);
    } else {
        text << '?';
    }
    return text.str();
}

template <class T>
constexpr bool is_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> && !std::is_same_v<T, char32_t>;

// A comparison, with its values if it is false.
struct Outcome {
    bool holds;
    std::string values;

    explicit operator bool() const { return holds; }
};

template <class Left, class Right>
Outcome outcome(bool holds, const Left& left, const char* sign, const Right& right) {
    if (holds) return {true, {}};
    return {false, shown(left) + sign + shown(right)};
}

// The left side of a condition. Integers are compared by their values, whatever their signs.
template <class Left>
struct Side {
    const Left& left;

    explicit operator bool() const { return static_cast<bool>(left); }

#define REFSCORE_COMPARE(sign, safe)                                            \
    template <class Right>                                                      \
    Outcome operator sign(const Right& right) const {                           \
        if constexpr (is_integer<Left> && is_integer<Right>) {                  \
            return outcome(std::safe(left, right), left, " " #sign " ", right); \
        } else {                                                                \
            return outcome(left sign right, left, " " #sign " ", right);        \
        }                                                                       \
    }
    REFSCORE_COMPARE(==, cmp_equal)
    REFSCORE_COMPARE(!=, cmp_not_equal)
    REFSCORE_COMPARE(<, cmp_less)
    REFSCORE_COMPARE(<=, cmp_less_equal)
    REFSCORE_COMPARE(>, cmp_greater)
    REFSCORE_COMPARE(>=, cmp_greater_equal)
#undef REFSCORE_COMPARE
};

// Takes the left side of a condition, because <= comes before == and from left to right among < and others.
struct Start {
    template <class Left>
    Side<Left> operator<=(const Left& left) const {
        return {left};
    }
};

inline void check(const Outcome& result, const char* file, int line, const char* condition) {
    if (!result.holds) verdict.fail(file, line, condition, result.values);
}
template <class Condition>
void check(const Condition& condition, const char* file, int line, const char* text) {
    if (!static_cast<bool>(condition)) verdict.fail(file, line, text, {});
}

}  // namespace checks

// Prints the condition, its line and the compared values if it is false. The test goes on, and fails at its end.
#define CHECK(...) ::checks::check(::checks::Start() <= __VA_ARGS__, __FILE__, __LINE__, #__VA_ARGS__)

// Whether a call throws an exception of this type.
template <class Error = std::exception, class Call>
bool throws(Call call) {
    try {
        call();
    } catch (const Error&) {
        return true;
    }
    return false;
}
