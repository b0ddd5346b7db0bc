#include "refscore/meetings/assignment.hpp"

#include <limits>
#include <utility>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kFree = std::numeric_limits<size_t>::max();

template <class Cost>
std::vector<size_t> assign(std::span<const Cost> costs, size_t size) {
    constexpr Cost kFar = std::numeric_limits<Cost>::max();
    require(costs.size() == size * size, "the costs of an assignment must be a square");
    std::vector<Cost> row_prices(size), column_prices(size), distances(size);
    std::vector<size_t> column_of(size, kFree), row_of(size, kFree), from(size), open(size);
    std::vector<char> is_row_reached(size), is_column_reached(size);
    for (size_t start = 0; start < size; ++start) {
        // The last column is the first to be tried, so equal costs give the identity.
        for (size_t k = 0; k < size; ++k) open[k] = size - 1 - k;
        distances.assign(size, kFar);
        is_row_reached.assign(size, 0);
        is_column_reached.assign(size, 0);
        Cost reached = 0;
        size_t row = start, end = kFree;
        while (end == kFree) {
            checkpoint(open.size());
            is_row_reached[row] = 1;
            Cost lowest = kFar;
            size_t best = 0;
            for (size_t k = 0; k < open.size(); ++k) {
                size_t column = open[k];
                Cost distance = reached + costs[row * size + column] - row_prices[row] - column_prices[column];
                if (distance < distances[column]) {
                    distances[column] = distance;
                    from[column] = row;
                }
                if (distances[column] < lowest || (distances[column] == lowest && row_of[column] == kFree)) {
                    lowest = distances[column];
                    best = k;
                }
            }
            reached = lowest;
            size_t column = open[best];
            is_column_reached[column] = 1;
            open[best] = open.back();
            open.pop_back();
            if (row_of[column] == kFree) {
                end = column;
            } else {
                row = row_of[column];
            }
        }
        row_prices[start] += reached;
        for (size_t i = 0; i < size; ++i)
            if (is_row_reached[i] && i != start) row_prices[i] += reached - distances[column_of[i]];
        for (size_t j = 0; j < size; ++j)
            if (is_column_reached[j]) column_prices[j] -= reached - distances[j];
        for (size_t column = end;;) {
            size_t i = from[column];
            row_of[column] = i;
            std::swap(column_of[i], column);
            if (i == start) break;
        }
        open.resize(size);
    }
    return column_of;
}

}  // namespace

std::vector<size_t> assign_rows(std::span<const int64_t> costs, size_t size) { return assign(costs, size); }
std::vector<size_t> assign_rows(std::span<const double> costs, size_t size) { return assign(costs, size); }

}  // namespace refscore
