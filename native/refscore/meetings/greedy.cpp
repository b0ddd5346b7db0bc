#include "refscore/meetings/greedy.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kMostRounds = 49;  // as in meeteval; usually a few are enough
constexpr size_t kGreedyCellWork = 2;

using CostColumn = std::vector<uint32_t>;

// Words in order or reversed, with times if they have any.
struct Sequence {
    std::vector<uint32_t> words;
    std::vector<double> begins, ends;

    explicit Sequence(const TimedWords& given)
        : words(given.words.begin(), given.words.end()),
          begins(given.begins.begin(), given.begins.end()),
          ends(given.ends.begin(), given.ends.end()) {}

    Sequence reversed() const {
        Sequence copy = *this;
        std::reverse(copy.words.begin(), copy.words.end());
        std::reverse(copy.begins.begin(), copy.begins.end());
        std::reverse(copy.ends.begin(), copy.ends.end());
        return copy;
    }
};

// Adds the words of an utterance to a column of costs, which has a cell for each position in the stream.
void advance(CostColumn& column, const Sequence& stream, const Sequence& utterance, uint32_t substitution) {
    bool is_timed = !stream.begins.empty() && !utterance.begins.empty();
    for (size_t i = 0; i < utterance.words.size(); ++i) {
        checkpoint(column.size() * kGreedyCellWork);
        uint32_t word = utterance.words[i], diagonal = column[0], left = ++column[0];
        for (size_t j = 0; j < stream.words.size(); ++j) {
            uint32_t above = column[j + 1], cell = std::min(left, above) + 1;
            bool is_near = !is_timed || (stream.begins[j] < utterance.ends[i] && utterance.begins[i] < stream.ends[j]);
            uint32_t matched = stream.words[j] == word ? diagonal : std::min(diagonal + substitution, cell);
            left = is_near ? matched : cell;
            column[j + 1] = left;
            diagonal = above;
        }
    }
}

uint32_t lowest_sum(const CostColumn& forward, const CostColumn& backward) {
    uint32_t lowest = std::numeric_limits<uint32_t>::max();
    for (size_t j = 0; j < forward.size(); ++j) lowest = std::min(lowest, forward[j] + backward[j]);
    return lowest;
}

class GreedySteps {
  public:
    GreedySteps(std::span<const TimedWords> utterances, std::span<const TimedWords> streams) {
        for (const TimedWords& words : utterances) {
            utterances_.emplace_back(words);
            reversed_utterances_.push_back(utterances_.back().reversed());
        }
        for (const TimedWords& words : streams) {
            streams_.emplace_back(words);
            reversed_streams_.push_back(streams_.back().reversed());
        }
    }

    // The bytes of the backward columns. At worst, all utterances are on the longest stream.
    std::optional<size_t> bytes() const {
        size_t longest = 0;
        for (const Sequence& stream : streams_) longest = std::max(longest, stream.words.size() + 1);
        size_t columns = utterances_.size() + streams_.size(), size = longest * sizeof(uint32_t);
        if (columns > std::numeric_limits<size_t>::max() / size) return std::nullopt;
        return columns * size;
    }

    void improve(std::vector<uint32_t>& assignment, uint32_t substitution) {
        for (size_t round = 0; round < kMostRounds; ++round) {
            std::vector<uint32_t> improved = one_round(assignment, substitution);
            if (improved == assignment) break;
            assignment = std::move(improved);
        }
    }

  private:
    // By number of utterances that came before: the costs of the following ones, by position in the stream.
    std::vector<CostColumn> backward_columns(const std::vector<uint32_t>& assignment, size_t stream,
                                             uint32_t substitution) const {
        CostColumn column = start(stream);
        std::vector<CostColumn> columns;
        auto keep = [&] { columns.emplace_back(column.rbegin(), column.rend()); };
        keep();
        for (size_t u = assignment.size(); u-- > 0;) {
            if (assignment[u] != stream) continue;
            advance(column, reversed_streams_[stream], reversed_utterances_[u], substitution);
            keep();
        }
        std::reverse(columns.begin(), columns.end());
        return columns;
    }

    CostColumn start(size_t stream) const {
        CostColumn column(streams_[stream].words.size() + 1);
        for (size_t j = 0; j < column.size(); ++j) column[j] = static_cast<uint32_t>(j);
        return column;
    }

    std::vector<uint32_t> one_round(const std::vector<uint32_t>& assignment, uint32_t substitution) const {
        size_t count = streams_.size();
        std::vector<std::vector<CostColumn>> backward;
        std::vector<CostColumn> forward;
        std::vector<uint32_t> costs;
        for (size_t s = 0; s < count; ++s) {
            backward.push_back(backward_columns(assignment, s, substitution));
            forward.push_back(start(s));
            costs.push_back(backward.back()[0][0]);
        }
        std::vector<size_t> places(count);
        std::vector<uint32_t> improved(assignment.size()), with(count), without(count);
        std::vector<CostColumn> updated(count);
        for (size_t u = 0; u < assignment.size(); ++u) {
            uint32_t current = assignment[u];
            size_t best = 0;
            auto difference = [&](size_t s) { return int64_t{with[s]} - int64_t{without[s]}; };
            for (size_t s = 0; s < count; ++s) {
                updated[s] = forward[s];
                advance(updated[s], streams_[s], utterances_[u], substitution);
                with[s] = without[s] = costs[s];
                if (s == current) {
                    without[s] = lowest_sum(forward[s], backward[s][places[s] + 1]);
                } else {
                    with[s] = lowest_sum(updated[s], backward[s][places[s]]);
                }
                if (difference(s) < difference(best)) best = s;
            }
            // An equally good assignment stays as it is.
            if (difference(best) == difference(current)) best = current;
            std::swap(forward[best], updated[best]);
            ++places[current];
            improved[u] = static_cast<uint32_t>(best);
            if (best != current) {
                costs[best] = with[best];
                costs[current] = without[current];
            }
        }
        return improved;
    }

    std::vector<Sequence> utterances_, reversed_utterances_, streams_, reversed_streams_;
};

}  // namespace

std::optional<std::vector<uint32_t>> assign_greedily(std::span<const TimedWords> utterances,
                                                     std::span<const TimedWords> streams, std::vector<uint32_t> initial,
                                                     size_t memory) {
    require(!streams.empty(), "there is no stream");
    require(initial.size() == utterances.size(), "each utterance needs an initial stream");
    for (uint32_t stream : initial) require(stream < streams.size(), "there is no such stream");
    GreedySteps steps(utterances, streams);
    if (steps.bytes().value_or(memory + 1) > memory) return std::nullopt;
    for (uint32_t substitution : {2, 1}) steps.improve(initial, substitution);
    return initial;
}

}  // namespace refscore
