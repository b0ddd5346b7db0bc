#include "refscore/ngrams/repetition.hpp"

#include <algorithm>

#include "refscore/threads/stopping.hpp"

namespace refscore {

const std::vector<Loop>& Repetition::find(const RepetitionSettings& settings, std::span<const uint32_t> tokens) {
    loops_.clear();
    size_t size = tokens.size();
    for (size_t order = 1; order <= settings.max_order && order <= size / settings.repeats; ++order) {
        // Of `step` consecutive positions in a loop, each equals the one `order` tokens later. One of them is a
        // multiple of `step`, so only these are looked at. In text without loops, all orders together then take O(size
        // * log(size / repeats)) steps, and few of them find equal tokens.
        size_t step = order * (settings.repeats - 1), last = size - order;
        checkpoint(size / step + 1);
        for (size_t at = step - 1; at < last;) {
            if (tokens[at] != tokens[at + order]) {
                at += step;
                continue;
            }
            size_t begin = at, end = at + 1;
            while (begin > 0 && tokens[begin - 1] == tokens[begin - 1 + order]) --begin;
            while (end < last && tokens[end] == tokens[end + order]) ++end;
            checkpoint(end - begin);
            if (end - begin >= step) loops_.push_back({begin, end + order, order});
            at = end + step;  // the tokens differ at `end`, so the next loop begins after it
        }
    }
    return loops_;
}

RepetitionRow Repetition::row(const RepetitionSettings& settings, std::span<const uint32_t> tokens) {
    find(settings, tokens);
    RepetitionRow row;
    row.tokens = tokens.size();
    row.loops = !loops_.empty();
    // Overlapping loops count each token once.
    std::sort(loops_.begin(), loops_.end(), [](const Loop& a, const Loop& b) { return a.begin < b.begin; });
    size_t end = 0;
    for (const Loop& loop : loops_) {
        if (loop.end <= end) continue;
        row.looped += loop.end - std::max(loop.begin, end);
        end = loop.end;
    }
    return row;
}

}  // namespace refscore
