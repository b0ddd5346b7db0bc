#include "refscore/meetings/streams.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "refscore/base/preconditions.hpp"
#include "refscore/meetings/tables.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kStreamRows = 64;       // one bit of a machine word per word of an utterance
constexpr size_t kLanes = 8;             // lines at a time: their columns share a cache line
constexpr size_t kStreamColumnWork = 2;  // nanoseconds per column of a line, for checkpoint()

// A cell of a line, with the position where its path entered the line.
struct Entered {
    int32_t cost;
    size_t from;
};

class Steps {
  public:
    Steps(std::span<const std::span<const uint32_t>> utterances, std::span<const std::span<const uint32_t>> streams)
        : utterances_(utterances), streams_(streams) {
        window_.begins.assign(streams.size(), 0);
        for (std::span<const uint32_t> stream : streams) window_.ends.push_back(stream.size());
    }

    size_t size() const { return utterances_.size(); }
    const StreamWindow& window(size_t) const { return window_; }

    // Before the first utterance, all words are insertions.
    Costs start() const {
        size_t cells = *window_.cells();
        Costs table(new int32_t[cells]);
        // The insertions of the streams add up, so each block of cells is the first block plus the position in its
        // stream.
        table[0] = 0;
        size_t filled = 1;
        for (size_t s = streams_.size(); s-- > 0;) {
            size_t block = filled;
            for (size_t position = 1; position < window_.size(s); ++position, filled += block) {
                checkpoint(block);
                for (size_t k = 0; k < block; ++k) table[filled + k] = table[k] + static_cast<int32_t>(position);
            }
        }
        return table;
    }

    Costs step(size_t u, const int32_t* before) const {
        size_t cells = *window_.cells();
        Costs after(new int32_t[cells]);
        for (size_t s = 0; s < streams_.size(); ++s) {
            std::vector<uint64_t> masks = masks_of(utterances_[u], streams_[s]);
            auto advance = [&](auto& line) {
                checkpoint(line.size() * (utterances_[u].size() / kStreamRows + 1) * line[0].size() *
                           kStreamColumnWork);
                update(utterances_[u].size(), masks, line);
            };
            if (cells == window_.size(s)) {
                update_lines<1>(window_, s, before, after.get(), s == 0, advance);
            } else {
                update_lines<kLanes>(window_, s, before, after.get(), s == 0, advance);
            }
        }
        return after;
    }

    std::pair<uint32_t, uint64_t> back(size_t u, const int32_t* before, std::vector<size_t>& positions) const {
        std::pair<uint32_t, uint64_t> best;
        size_t from = 0;
        for (size_t s = 0; s < streams_.size(); ++s) {
            Entered entered = enter(u, s, before, positions);
            if (s > 0 && static_cast<uint64_t>(entered.cost) >= best.second) continue;
            best = {static_cast<uint32_t>(s), static_cast<uint64_t>(entered.cost)};
            from = entered.from;
        }
        positions[best.first] = from;
        return best;
    }

  private:
    // For every 64 words of an utterance, and for every word of the stream: where it occurs in them.
    static std::vector<uint64_t> masks_of(std::span<const uint32_t> utterance, std::span<const uint32_t> stream) {
        std::vector<uint64_t> masks;
        for (size_t begin = 0; begin < utterance.size(); begin += kStreamRows) {
            std::unordered_map<uint32_t, uint64_t> places;
            for (size_t i = begin; i < std::min(begin + kStreamRows, utterance.size()); ++i)
                places[utterance[i]] |= uint64_t{1} << (i - begin);
            for (uint32_t word : stream) {
                auto found = places.find(word);
                masks.push_back(found == places.end() ? 0 : found->second);
            }
        }
        return masks;
    }

    // Replaces lines by those after `words` words of an utterance. Neighbouring costs of a line differ by at most 1, so
    // the differences between columns are bits (see KaldiEdits).
    template <size_t kCount>
    static void update(size_t words, std::span<const uint64_t> masks, std::vector<std::array<int32_t, kCount>>& line) {
        size_t width = line.size() - 1;
        for (size_t begin = 0; begin < words; begin += kStreamRows, masks = masks.subspan(width)) {
            size_t rows = std::min(kStreamRows, words - begin), last = rows - 1;
            std::array<uint64_t, kCount> more_above, less_above;
            std::array<int32_t, kCount> before, after;
            more_above.fill(~uint64_t{0});
            less_above.fill(0);
            for (size_t k = 0; k < kCount; ++k) {
                before[k] = line[0][k];
                after[k] = line[0][k] += static_cast<int32_t>(rows);
            }
            for (size_t j = 0; j < width; ++j) {
                uint64_t mask = masks[j];
                std::array<int32_t, kCount>& cells = line[j + 1];
                for (size_t k = 0; k < kCount; ++k) {
                    uint64_t incoming_more = cells[k] > before[k], incoming_less = cells[k] < before[k];
                    before[k] = cells[k];
                    uint64_t vertical = mask | less_above[k], equal = mask | incoming_less;
                    uint64_t horizontal = (((equal & more_above[k]) + more_above[k]) ^ more_above[k]) | equal;
                    uint64_t more_left = less_above[k] | ~(horizontal | more_above[k]),
                             less_left = more_above[k] & horizontal;
                    after[k] +=
                        static_cast<int32_t>(more_left >> last & 1) - static_cast<int32_t>(less_left >> last & 1);
                    cells[k] = after[k];
                    uint64_t shifted_more = more_left << 1 | incoming_more,
                             shifted_less = less_left << 1 | incoming_less;
                    more_above[k] = shifted_less | ~(vertical | shifted_more);
                    less_above[k] = shifted_more & vertical;
                }
            }
        }
    }

    // The cost at `positions` if the utterance is on stream s, and where its path enters the line. Among equal costs it
    // prefers an insertion, then a deletion, as meeteval does.
    Entered enter(size_t u, size_t s, const int32_t* before, std::span<const size_t> positions) const {
        size_t end = positions[s], stride = window_.stride(s), base = window_.index(positions) - end * stride;
        std::vector<Entered> line(end + 1);
        for (size_t j = 0; j <= end; ++j) line[j] = {before[base + j * stride], j};
        for (uint32_t word : utterances_[u]) {
            checkpoint(line.size() * kStreamColumnWork);
            Entered diagonal = line[0], left = line[0];
            ++left.cost;
            line[0] = left;
            for (size_t j = 0; j < end; ++j) {
                Entered above = line[j + 1];
                if (streams_[s][j] == word) {
                    left = diagonal;
                } else {
                    if (above.cost < left.cost) left = above;
                    if (diagonal.cost < left.cost) left = diagonal;
                    ++left.cost;
                }
                line[j + 1] = left;
                diagonal = above;
            }
        }
        return line[end];
    }

    std::span<const std::span<const uint32_t>> utterances_;
    std::span<const std::span<const uint32_t>> streams_;
    StreamWindow window_;
};

}  // namespace

std::optional<StreamAssignment> assign_streams(std::span<const std::span<const uint32_t>> utterances,
                                               std::span<const std::span<const uint32_t>> streams, size_t memory) {
    require(!streams.empty(), "there is no stream");
    Steps steps(utterances, streams);
    StreamAssignment found;
    if (utterances.empty()) {
        for (std::span<const uint32_t> stream : streams) found.distance += stream.size();
        return found;
    }
    PathFinder finder(steps, memory);
    if (!finder.fits()) return std::nullopt;
    std::tie(found.streams, found.distance) = finder.find(steps.window(0).ends);
    return found;
}

std::optional<std::vector<AssignedUtterance>> assign_speakers_to_streams(
    std::span<const std::span<const uint32_t>> utterances, std::span<const std::vector<uint32_t>> speakers,
    std::span<const std::span<const uint32_t>> streams, size_t memory) {
    require(!streams.empty(), "there is no stream");
    Steps steps(utterances, streams);
    // There is a table for every number of utterances that each speaker has said.
    size_t grid = 1, most = memory / sizeof(int32_t) / steps.window(0).cells().value_or(memory);
    std::vector<size_t> strides;
    for (const std::vector<uint32_t>& said : speakers) {
        strides.push_back(grid);
        for (uint32_t u : said) require(u < utterances.size(), "there is no such utterance");
        if (said.size() + 1 > most / grid) return std::nullopt;
        grid *= said.size() + 1;
    }
    size_t cells = *steps.window(0).cells();
    auto said_before = [&](size_t place, size_t r) { return place / strides[r] % (speakers[r].size() + 1); };
    std::vector<Costs> tables(grid);
    tables[0] = steps.start();
    for (size_t place = 1; place < grid; ++place) {
        for (size_t r = 0; r < speakers.size(); ++r) {
            size_t count = said_before(place, r);
            if (count == 0) continue;
            Costs table = steps.step(speakers[r][count - 1], tables[place - strides[r]].get());
            if (!tables[place]) {
                tables[place] = std::move(table);
                continue;
            }
            checkpoint(cells);
            for (size_t k = 0; k < cells; ++k) tables[place][k] = std::min(tables[place][k], table[k]);
        }
    }
    std::vector<AssignedUtterance> path;
    std::vector<size_t> positions = steps.window(0).ends;
    for (size_t place = grid - 1; place > 0;) {
        std::optional<uint64_t> lowest;
        AssignedUtterance best;
        std::vector<size_t> from;
        size_t speaker = 0;
        for (size_t r = 0; r < speakers.size(); ++r) {
            size_t count = said_before(place, r);
            if (count == 0) continue;
            std::vector<size_t> moved = positions;
            uint32_t u = speakers[r][count - 1];
            auto [stream, cost] = steps.back(u, tables[place - strides[r]].get(), moved);
            if (lowest && cost >= *lowest) continue;
            lowest = cost;
            best = {u, stream};
            from = std::move(moved);
            speaker = r;
        }
        path.push_back(best);
        positions = std::move(from);
        place -= strides[speaker];
    }
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace refscore
