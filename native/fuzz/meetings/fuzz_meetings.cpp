// Edits of meetings equal those of complete tables, and assignments have the cost that they promise.
#include <numeric>

#include "input.hpp"
#include "refscore/meetings/edits.hpp"
#include "refscore/meetings/streams.hpp"
#include "refscore/meetings/times.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Words {
    std::vector<uint32_t> words;
    std::vector<double> begins, ends;

    Words() = default;
    Words(Input& input, size_t size) {
        for (size_t i = 0; i < size; ++i) {
            words.push_back(1 + static_cast<uint32_t>(input.below(4)));
            begins.push_back(static_cast<double>(input.below(64)) - 4);
            ends.push_back(begins.back() + static_cast<double>(input.below(8)));
        }
    }
    void add(const Words& other) {
        words.insert(words.end(), other.words.begin(), other.words.end());
        begins.insert(begins.end(), other.begins.begin(), other.begins.end());
        ends.insert(ends.end(), other.ends.begin(), other.ends.end());
    }
    TimedWords view() const { return {words, begins, ends}; }
};

size_t distance(const TimedWords& hypothesis, const TimedWords& reference, bool is_timed) {
    std::vector<size_t> row(hypothesis.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < reference.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < hypothesis.size(); ++j) {
            size_t above = row[j + 1];
            row[j + 1] = std::min(above, row[j]) + 1;
            if (!is_timed || overlaps(reference, i, hypothesis, j))
                row[j + 1] = std::min(row[j + 1], diagonal + (reference.words[i] != hypothesis.words[j]));
            diagonal = above;
        }
    }
    return row.back();
}

void check_counts(const EditCounts& counts, const TimedWords& hypothesis, const TimedWords& reference, bool is_timed) {
    CHECK(static_cast<size_t>(counts.errors()) == distance(hypothesis, reference, is_timed));
    CHECK(static_cast<size_t>(counts.hits + counts.substitutions + counts.deletions) == reference.size());
    CHECK(static_cast<size_t>(counts.hits + counts.substitutions + counts.insertions) == hypothesis.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static KaldiEdits edits;
    static TimedEdits timed;
    Input input(data, size);
    size_t memory = size_t{64} << input.below(16);
    std::vector<Words> utterances, streams;
    for (size_t left = 1 + input.below(4); left > 0; --left) streams.emplace_back(input, input.below(8));
    for (size_t left = input.below(6); left > 0; --left) utterances.emplace_back(input, 1 + input.below(80));
    std::vector<TimedWords> timed_utterances, timed_streams;
    std::vector<std::span<const uint32_t>> plain_utterances, plain_streams;
    Words reference, hypothesis;
    for (const Words& words : utterances) {
        timed_utterances.push_back(words.view());
        plain_utterances.push_back(words.words);
        reference.add(words);
    }
    for (const Words& words : streams) {
        timed_streams.push_back(words.view());
        plain_streams.push_back(words.words);
        hypothesis.add(words);
    }
    check_counts(edits.count(hypothesis.words, reference.words, 4), hypothesis.view(), reference.view(), false);
    check_counts(timed.count(hypothesis.view(), reference.view()), hypothesis.view(), reference.view(), true);
    CHECK(timed.distance(hypothesis.view(), reference.view()) == distance(hypothesis.view(), reference.view(), true));
    for (bool is_timed : {false, true}) {
        auto found = is_timed ? assign_streams(std::span<const TimedWords>(timed_utterances), timed_streams, memory)
                              : assign_streams(std::span<const std::span<const uint32_t>>(plain_utterances),
                                               plain_streams, memory);
        if (!found) continue;
        CHECK(found->streams.size() == utterances.size());
        size_t errors = 0;
        for (size_t s = 0; s < streams.size(); ++s) {
            Words joined;
            for (size_t u = 0; u < utterances.size(); ++u)
                if (found->streams[u] == s) joined.add(utterances[u]);
            errors += distance(streams[s].view(), joined.view(), is_timed);
        }
        CHECK(errors == found->distance);
    }
    return 0;
}
