// A sum of many numbers that does not show the order they came in.
#pragma once

#include <cmath>

namespace refscore {

// Kahan and Babuška's sum, with what was rounded away kept beside it.
struct ExactSum {
    double sum = 0, lost = 0;
    void add(double term) {
        double next = sum + term;
        lost += std::fabs(sum) >= std::fabs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }
    double value() const { return sum + lost; }
};

}  // namespace refscore
