// The assertions of the tests.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>

// Prints the condition and its line if it is false, and ends the test.
#define CHECK(condition)                                                         \
    do {                                                                         \
        if (!(condition)) {                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                        \
        }                                                                        \
    } while (false)

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
