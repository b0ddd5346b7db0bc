// Tables of costs by positions in several streams.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace refscore {

// The positions of each stream, from `begin` to `end` (which is included), after an utterance.
struct StreamWindow {
    std::vector<size_t> begins, ends;

    size_t size(size_t stream) const { return ends[stream] - begins[stream] + 1; }
    // The number of positions in all streams together, or nothing if it is too large for memory.
    std::optional<size_t> cells() const {
        size_t product = 1;
        for (size_t s = 0; s < begins.size(); ++s) {
            if (size(s) > (std::numeric_limits<size_t>::max() >> 8) / product) return std::nullopt;
            product *= size(s);
        }
        return product;
    }
    // The distance of neighbouring positions in a stream. The last stream has stride 1.
    size_t stride(size_t stream) const {
        size_t product = 1;
        for (size_t s = stream + 1; s < begins.size(); ++s) product *= size(s);
        return product;
    }
    size_t index(std::span<const size_t> positions) const {
        size_t index = 0;
        for (size_t s = 0; s < begins.size(); ++s) index = index * size(s) + (positions[s] - begins[s]);
        return index;
    }
};

// Costs are signed because baseline instruction sets compare only signed numbers.
using Costs = std::unique_ptr<int32_t[]>;

// Replaces the lines of a table along a stream, and keeps the lower costs in `after`, or all if `is_first`.
// update(line) changes up to kLanes lines at a time. line[j][k] is position j of line k.
template <size_t kLanes, class Update>
void update_lines(const StreamWindow& window, size_t stream, const int32_t* before, int32_t* after, bool is_first,
                  Update update) {
    size_t cells = *window.cells(), stride = window.stride(stream), size = window.size(stream), block = stride * size;
    std::vector<std::array<int32_t, kLanes>> line(size);
    auto advance = [&](size_t base, size_t count, size_t lane_stride) {
        for (size_t j = 0; j < size; ++j) {
            for (size_t k = 0; k < count; ++k) line[j][k] = before[base + k * lane_stride + j * stride];
            for (size_t k = count; k < kLanes; ++k) line[j][k] = line[j][0];  // unused
        }
        update(line);
        for (size_t j = 0; j < size; ++j) {
            for (size_t k = 0; k < count; ++k) {
                int32_t& cell = after[base + k * lane_stride + j * stride];
                cell = is_first || line[j][k] < cell ? line[j][k] : cell;
            }
        }
    };
    if (stride > 1) {
        for (size_t outer = 0; outer < cells; outer += block)
            for (size_t inner = 0; inner < stride; inner += kLanes)
                advance(outer + inner, std::min(kLanes, stride - inner), 1);
    } else {
        for (size_t first = 0; first < cells; first += kLanes * block)
            advance(first, std::min(kLanes, (cells - first) / block), block);
    }
}

// Finds the path through tables from the last utterance to the first. `Steps` has:
//   size(), the number of utterances; window(u), the window before utterance u; cells(u), its number of cells
//   start(), the table before the first utterance; step(u, table), the table after utterance u
//   back(u, table, positions), which moves positions after utterance u to those before it, and returns (stream, cost)
template <class Steps>
class PathFinder {
  public:
    PathFinder(const Steps& steps, size_t memory) : steps_(steps), memory_(memory / sizeof(int32_t)) {}

    // Whether the tables fit. Each level of the recursion has one table, and a step needs two more and a copy.
    bool fits() const {
        size_t levels = 4, largest = 0;
        for (size_t size = steps_.size(); size > 0; size /= 2) ++levels;
        for (size_t u = 0; u <= steps_.size(); ++u) {
            std::optional<size_t> cells = steps_.window(u).cells();
            if (!cells) return false;
            largest = largest < *cells ? *cells : largest;
        }
        return largest <= memory_ / levels;
    }

    // Moves `positions` from after the last utterance to before the first. Returns the streams, and the cost of the
    // last position.
    std::pair<std::vector<uint32_t>, uint64_t> find(std::vector<size_t> positions) {
        streams_.assign(steps_.size(), 0);
        positions_ = std::move(positions);
        cost_ = 0;
        find(0, steps_.size(), steps_.start());
        return {std::move(streams_), cost_};
    }

  private:
    void find(size_t from, size_t to, Costs first) {
        if (from == to) return;
        size_t cells = 0;
        for (size_t u = from; u < to; ++u) cells += *steps_.window(u).cells();
        if (to - from > 1 && cells > memory_ / 2) {
            size_t middle = from + (to - from) / 2;
            {
                Costs table = steps_.step(from, first.get());
                for (size_t u = from + 1; u < middle; ++u) table = steps_.step(u, table.get());
                find(middle, to, std::move(table));
            }
            find(from, middle, std::move(first));
            return;
        }
        std::vector<Costs> tables;
        tables.push_back(std::move(first));
        for (size_t u = from; u + 1 < to; ++u) tables.push_back(steps_.step(u, tables.back().get()));
        for (size_t u = to; u-- > from;) {
            auto [stream, cost] = steps_.back(u, tables.back().get(), positions_);
            if (u + 1 == steps_.size()) cost_ = cost;
            streams_[u] = stream;
            tables.pop_back();
        }
    }

    const Steps& steps_;
    size_t memory_;
    std::vector<uint32_t> streams_;
    std::vector<size_t> positions_;
    uint64_t cost_ = 0;
};

}  // namespace refscore
