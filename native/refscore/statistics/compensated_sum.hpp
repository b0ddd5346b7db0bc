// A sum of a few numbers inside a kernel that hardly depends on their order. Sums of rows are exact: see
// exact_sums.hpp.
#pragma once

#include <cmath>

namespace refscore {

// Kahan-Babuška summation (Neumaier's version): rounding errors are summed separately.
struct CompensatedSum {
    double sum = 0, error = 0;
    void add(double term) {
        double next = sum + term;
        error += std::fabs(sum) >= std::fabs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }
    double value() const { return sum + error; }
};

}  // namespace refscore
