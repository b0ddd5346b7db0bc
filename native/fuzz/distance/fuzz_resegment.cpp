// Cuts of small inputs have the least cost of all cuts, by definition. Both algorithms find the same cuts.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/resegment.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Parts {
    Words hypothesis, tokens;
    std::vector<int64_t> reference_ends, segment_ends;
    std::vector<uint8_t> allowed;
    std::vector<PunctuationSide> sides;
    std::vector<std::vector<Words>> entries;
};

int64_t piece_cost(const Parts& parts, size_t segment, size_t begin, size_t end) {
    size_t least = SIZE_MAX;
    for (const Words& reference : parts.entries[segment])
        least = std::min(least, edit_distance(Sequence(parts.hypothesis).subspan(begin, end - begin), reference));
    return static_cast<int64_t>(least);
}

int64_t least_cost(const Parts& parts) {
    size_t size = parts.hypothesis.size();
    constexpr int64_t kNever = 1 << 30;
    std::vector<int64_t> best(size + 1, kNever);
    best[0] = 0;
    for (size_t segment = 0; segment < parts.entries.size(); ++segment) {
        std::vector<int64_t> next(size + 1, kNever);
        for (size_t begin = 0; begin <= size; ++begin) {
            bool is_open = begin == 0 || begin == size || parts.allowed.empty() || parts.allowed[begin] != 0;
            if (!is_open || best[begin] == kNever) continue;
            for (size_t end = begin; end <= size; ++end)
                next[end] = std::min(next[end], best[begin] + piece_cost(parts, segment, begin, end));
        }
        best = std::move(next);
    }
    return best[size];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Resegmenter used;
    Input input(data, size);
    bool earliest = input.flag(), is_masked = input.flag(), has_sides = input.flag();
    uint32_t vocabulary = 1 + static_cast<uint32_t>(input.below(5));
    Parts parts;
    size_t length = input.below(24);
    for (size_t i = 0; i < length; ++i) parts.hypothesis.push_back(static_cast<uint32_t>(input.below(vocabulary + 1)));
    for (size_t i = 0; is_masked && i <= length; ++i) parts.allowed.push_back(input.byte() & 1);
    for (size_t i = 0; has_sides && i < length; ++i) parts.sides.push_back(input.one_of<PunctuationSide>(3));
    size_t segments = 1 + input.below(6);
    for (size_t segment = 0; segment < segments; ++segment) {
        std::vector<Words>& entry = parts.entries.emplace_back(1 + input.below(3));
        for (Words& reference : entry) {
            reference.resize(input.below(8));
            for (uint32_t& token : reference) token = 1 + static_cast<uint32_t>(input.below(vocabulary));
            parts.tokens.insert(parts.tokens.end(), reference.begin(), reference.end());
            parts.reference_ends.push_back(static_cast<int64_t>(parts.tokens.size()));
        }
        parts.segment_ends.push_back(static_cast<int64_t>(parts.reference_ends.size()));
    }
    ResegmentInput all{parts.hypothesis, parts.tokens,  parts.reference_ends, parts.segment_ends,
                       vocabulary,       parts.allowed, parts.sides};
    Cuts cuts = used.cut(all, earliest);
    CHECK(cuts.ends == used.cut(all, earliest, true).ends);
    int64_t total = 0;
    size_t begin = 0;
    for (size_t segment = 0; segment < segments; ++segment) {
        size_t end = static_cast<size_t>(cuts.ends[segment]);
        CHECK(begin <= end && end <= length);
        CHECK(end == 0 || end == length || parts.allowed.empty() || parts.allowed[end] != 0);
        CHECK(cuts.costs[segment] == piece_cost(parts, segment, begin, end));
        total += cuts.costs[segment];
        begin = end;
    }
    CHECK(begin == length && total == least_cost(parts));
    return 0;
}
