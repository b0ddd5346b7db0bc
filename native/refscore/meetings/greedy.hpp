// A good assignment of utterances to streams, found step by step (greedy ORC-WER).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "refscore/meetings/times.hpp"

namespace refscore {

// Moves one utterance after the other to the stream where it costs least, until nothing changes, first with
// substitutions that cost 2 and then 1, as meeteval does. Without times, `begins` and `ends` are empty.
//
// Returns the stream of each utterance, or nothing if the tables need more than `memory` bytes. There must be at least
// one stream, and an initial stream for each utterance.
std::optional<std::vector<uint32_t>> assign_greedily(std::span<const TimedWords> utterances,
                                                     std::span<const TimedWords> streams, std::vector<uint32_t> initial,
                                                     size_t memory);

}  // namespace refscore
