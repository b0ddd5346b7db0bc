#include <algorithm>
#include <array>
#include <tuple>

#include "refscore/base/preconditions.hpp"
#include "refscore/meetings/streams.hpp"
#include "refscore/meetings/tables.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kTimedLanes = 16;  // lines at a time: their columns share a cache line
constexpr size_t kCellWork = 1;     // nanoseconds per cell, for checkpoint()

// Limits of the times of words that may be out of order, from 0 on as in meeteval.
struct Limits {
    std::vector<double> latest_ends;      // of this and all previous words
    std::vector<double> earliest_begins;  // of this and all next words

    explicit Limits(const TimedWords& words) : latest_ends(words.size()), earliest_begins(words.size()) {
        double end = 0;
        for (size_t i = 0; i < words.size(); ++i) latest_ends[i] = end = std::max(end, words.ends[i]);
        double begin = end;
        for (size_t i = words.size(); i-- > 0;) earliest_begins[i] = begin = std::min(begin, words.begins[i]);
    }
};

// A cell of a line, with the position where its path entered the line.
struct TimedEntered {
    int32_t cost;
    size_t from;
};

class TimedSteps {
  public:
    TimedSteps(std::span<const TimedWords> utterances, std::span<const TimedWords> streams)
        : utterances_(utterances), streams_(streams) {
        for (const TimedWords& stream : streams) stream_limits_.emplace_back(stream);
        for (const TimedWords& utterance : utterances) utterance_limits_.emplace_back(utterance);
        set_windows();
    }

    size_t size() const { return utterances_.size(); }
    // The window before utterance u.
    const StreamWindow& window(size_t u) const { return windows_[u]; }

    Costs start() const {
        Costs table(new int32_t[1]);
        table[0] = 0;
        return table;
    }

    Costs step(size_t u, const int32_t* before) const {
        const StreamWindow& window = windows_[u + 1];
        size_t cells = *window.cells();
        Costs moved = move(u, before, cells), after(new int32_t[cells]);
        bool is_first = true;
        for (size_t s = 0; s < streams_.size(); ++s) {
            if (!tries(u, s)) continue;
            TimedWords words = streams_[s].subspan(window.begins[s], window.size(s) - 1);
            auto advance = [&](auto& line) {
                checkpoint((utterances_[u].size() + 1) * line.size() * line[0].size() * kCellWork);
                update(utterances_[u], words, line);
            };
            if (cells == window.size(s)) {
                update_lines<1>(window, s, moved.get(), after.get(), is_first, advance);
            } else {
                update_lines<kTimedLanes>(window, s, moved.get(), after.get(), is_first, advance);
            }
            is_first = false;
        }
        return after;
    }

    std::pair<uint32_t, uint64_t> back(size_t u, const int32_t* before, std::vector<size_t>& positions) const {
        std::pair<uint32_t, uint64_t> best;
        size_t from = 0;
        bool is_first = true;
        for (size_t s = 0; s < streams_.size(); ++s) {
            if (!tries(u, s)) continue;
            TimedEntered entered = enter(u, s, before, positions);
            if (!is_first && static_cast<uint64_t>(entered.cost) >= best.second) continue;
            best = {static_cast<uint32_t>(s), static_cast<uint64_t>(entered.cost)};
            from = entered.from;
            is_first = false;
        }
        positions[best.first] = from;
        for (size_t s = 0; s < streams_.size(); ++s) positions[s] = std::min(positions[s], windows_[u].ends[s]);
        return best;
    }

  private:
    // The words of a stream between the end of the words that are over before an utterance and the begin of those after
    // it.
    void set_windows() {
        StreamWindow window;
        window.begins.assign(streams_.size(), 0);
        window.ends = window.begins;
        windows_.push_back(window);
        std::vector<double> begins(utterances_.size()), ends(utterances_.size());
        double end = 0;
        for (size_t u = 0; u < utterances_.size(); ++u) {
            begins[u] = *std::min_element(utterances_[u].begins.begin(), utterances_[u].begins.end());
            ends[u] = end = std::max(end, *std::max_element(utterances_[u].ends.begin(), utterances_[u].ends.end()));
        }
        double begin = end;
        for (size_t u = utterances_.size(); u-- > 0;) begins[u] = begin = std::min(begin, begins[u]);
        for (size_t u = 0; u < utterances_.size(); ++u) {
            for (size_t s = 0; s < streams_.size(); ++s) {
                const Limits& limits = stream_limits_[s];
                size_t& first = window.begins[s];
                while (first < streams_[s].size() && limits.latest_ends[first] < begins[u]) ++first;
                size_t last = std::max(first, window.ends[s]);
                while (last < streams_[s].size() && limits.earliest_begins[last] < ends[u]) ++last;
                window.ends[s] = last;
            }
            windows_.push_back(window);
        }
    }

    // An utterance on a stream without overlapping words only adds deletions, so one such stream suffices, if there is
    // no other.
    bool tries(size_t u, size_t s) const {
        const StreamWindow& window = windows_[u + 1];
        if (window.size(s) > 1) return true;
        if (s + 1 < streams_.size()) return false;
        for (size_t other = 0; other < s; ++other)
            if (window.size(other) > 1) return false;
        return true;
    }

    // The table in the window after utterance u, before its words. Words between the windows are insertions.
    Costs move(size_t u, const int32_t* before, size_t cells) const {
        const StreamWindow &old = windows_[u], &window = windows_[u + 1];
        Costs moved(new int32_t[cells]);
        std::vector<size_t> positions = window.begins, nearest(positions.size());
        size_t last = positions.size() - 1;
        for (size_t cell = 0; cell < cells;) {
            checkpoint(window.size(last));
            int32_t distance = 0;
            for (size_t s = 0; s < last; ++s) {
                nearest[s] = std::min(positions[s], old.ends[s]);
                distance += static_cast<int32_t>(positions[s] - nearest[s]);
            }
            nearest[last] = old.begins[last];
            const int32_t* line = before + old.index(nearest);
            for (size_t position = window.begins[last]; position <= window.ends[last]; ++position, ++cell) {
                size_t near = std::min(position, old.ends[last]);
                moved[cell] = line[near - old.begins[last]] + distance + static_cast<int32_t>(position - near);
            }
            for (size_t s = last; s-- > 0;) {
                if (++positions[s] <= window.ends[s]) break;
                positions[s] = window.begins[s];
            }
        }
        return moved;
    }

    template <size_t kCount>
    static void update(const TimedWords& utterance, const TimedWords& words,
                       std::vector<std::array<int32_t, kCount>>& line) {
        for (size_t i = 0; i < utterance.size(); ++i) {
            std::array<int32_t, kCount> diagonal = line[0];
            for (int32_t& cell : line[0]) ++cell;
            for (size_t j = 0; j < words.size(); ++j) {
                const std::array<int32_t, kCount>& left = line[j];
                std::array<int32_t, kCount>& cells = line[j + 1];
                // A substitution that is not allowed costs as much as a deletion and an insertion.
                int32_t cost = overlaps(utterance, i, words, j) ? utterance.words[i] != words.words[j] : 2;
                for (size_t k = 0; k < kCount; ++k) {
                    int32_t above = cells[k], cell = (left[k] < above ? left[k] : above) + 1,
                            matched = diagonal[k] + cost;
                    cells[k] = matched < cell ? matched : cell;
                    diagonal[k] = above;
                }
            }
        }
    }

    // The cost at `positions` if the utterance is on stream s, and where its path enters the line. Paths of equal cost
    // are chosen as in meeteval, which leaves out cells before words that are over, and after words that have not
    // begun.
    TimedEntered enter(size_t u, size_t s, const int32_t* before, std::span<const size_t> positions) const {
        const StreamWindow &old = windows_[u], &window = windows_[u + 1];
        const TimedWords &utterance = utterances_[u], &stream = streams_[s];
        const Limits &limits = utterance_limits_[u], &words = stream_limits_[s];
        size_t begin = window.begins[s], width = window.size(s) - 1;
        std::vector<TimedEntered> line(width + 1);
        std::vector<size_t> nearest(positions.size());
        int32_t distance = 0;
        for (size_t other = 0; other < positions.size(); ++other) {
            nearest[other] = std::min(positions[other], old.ends[other]);
            if (other != s) distance += static_cast<int32_t>(positions[other] - nearest[other]);
        }
        for (size_t j = 0; j <= width; ++j) {
            nearest[s] = std::min(begin + j, old.ends[s]);
            line[j] = {before[old.index(nearest)] + distance + static_cast<int32_t>(begin + j - nearest[s]), begin + j};
        }
        size_t first = 0, last = 0, length = utterance.size();
        for (size_t i = 0; i < length; ++i) {
            checkpoint(line.size() * kCellWork);
            TimedEntered diagonal = line[first];
            ++line[first].cost;
            TimedEntered left = line[first];
            bool can_skip = true;
            size_t j = first + 1;
            for (; j <= width; ++j) {
                size_t word = begin + j - 1;
                can_skip = can_skip && limits.earliest_begins[i] > words.latest_ends[word];
                first += can_skip;
                TimedEntered above = line[j];
                if (j > last) {  // untouched by the previous words of the utterance
                    above.cost += static_cast<int32_t>(i);
                    if (diagonal.cost < above.cost) above = {diagonal.cost + 1, diagonal.from};
                }
                bool is_near = overlaps(utterance, i, stream, word);
                if (is_near && utterance.words[i] == stream.words[word]) {
                    left = diagonal;
                } else {
                    if (above.cost < left.cost) left = above;
                    if (is_near && diagonal.cost < left.cost) left = diagonal;
                    ++left.cost;
                }
                line[j] = left;
                diagonal = above;
                // The cell before is not computed again: the remaining words are deletions.
                if (can_skip) line[j - 1].cost += static_cast<int32_t>(length - i - 1);
                if (limits.latest_ends[i] < words.earliest_begins[word]) break;
            }
            last = j;
        }
        for (; last < width; ++last) {
            TimedEntered above = line[last + 1], left = line[last];
            above.cost += static_cast<int32_t>(length);
            ++left.cost;
            line[last + 1] = above.cost < left.cost ? above : left;
        }
        return line[positions[s] - begin];
    }

    std::span<const TimedWords> utterances_;
    std::span<const TimedWords> streams_;
    std::vector<Limits> stream_limits_, utterance_limits_;
    std::vector<StreamWindow> windows_;  // before each utterance, and after the last
};

}  // namespace

std::optional<StreamAssignment> assign_streams(std::span<const TimedWords> utterances,
                                               std::span<const TimedWords> streams, size_t memory) {
    require(!streams.empty(), "there is no stream");
    for (const TimedWords& utterance : utterances) {
        require(utterance.size() > 0, "an utterance is empty");
        utterance.check();
    }
    for (const TimedWords& stream : streams) stream.check();
    StreamAssignment found;
    if (!utterances.empty()) {
        TimedSteps steps(utterances, streams);
        PathFinder finder(steps, memory);
        if (!finder.fits()) return std::nullopt;
        std::vector<size_t> ends = steps.window(steps.size()).ends;
        std::tie(found.streams, found.distance) = finder.find(ends);
        for (size_t s = 0; s < streams.size(); ++s) found.distance -= ends[s];
    }
    for (const TimedWords& stream : streams) found.distance += stream.size();
    return found;
}

}  // namespace refscore
