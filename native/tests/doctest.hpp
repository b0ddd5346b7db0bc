// The test framework (Debian's doctest-dev), and how it prints ranges of values if a check fails.
#pragma once

#include <doctest.h>

#include <ranges>
#include <string>

template <std::ranges::input_range T>
    requires(!doctest::detail::has_insertion_operator<T>::value)
struct doctest::StringMaker<T> {
    static String convert(const T& values) {
        String text = "{";
        for (const auto& value : values) text = text + (text.size() > 1 ? ", " : "") + toString(value);
        return text + "}";
    }
};
