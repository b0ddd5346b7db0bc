// The best assignment of reference utterances to hypothesis streams (ORC-WER).
//
// After each utterance, a table has the fewest edits for every combination of positions in the streams. An utterance
// advances one stream, so each line of the table along a stream is a row of an edit distance. The lowest cost over the
// streams counts. Only costs are stored. The path is found from the last utterance to the first, by repeating single
// lines. If all tables do not fit into the memory, those of the first half of the utterances are computed again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "refscore/meetings/times.hpp"

namespace refscore {

struct StreamAssignment {
    uint64_t distance = 0;
    std::vector<uint32_t> streams;  // by utterance
};

// Returns the best assignment, or nothing if the tables need more than `memory` bytes. There must be at least one
// stream. Of several best assignments it returns the one of meeteval. Words are from 1 on.
std::optional<StreamAssignment> assign_streams(std::span<const std::span<const uint32_t>> utterances,
                                               std::span<const std::span<const uint32_t>> streams, size_t memory);

// The same under a time constraint. No utterance may be empty. A table only has the positions in the words that may
// overlap with an utterance.
std::optional<StreamAssignment> assign_streams(std::span<const TimedWords> utterances,
                                               std::span<const TimedWords> streams, size_t memory);

struct AssignedUtterance {
    uint32_t utterance = 0, stream = 0;
};

// The best assignment if only the order of each speaker's utterances is known (MIMO-WER). `speakers` has each speaker's
// utterances. Returns all utterances in the best order with their streams, or nothing if the tables need more than
// `memory` bytes. Of several best assignments it returns the one of meeteval.
std::optional<std::vector<AssignedUtterance>> assign_speakers_to_streams(
    std::span<const std::span<const uint32_t>> utterances, std::span<const std::vector<uint32_t>> speakers,
    std::span<const std::span<const uint32_t>> streams, size_t memory);

}  // namespace refscore
