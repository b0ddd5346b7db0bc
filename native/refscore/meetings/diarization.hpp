// Who spoke when: the time that speakers are missed, speak falsely or are confused, and the overlap of paired speakers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refscore {

struct Interval {
    double begin = 0, end = 0;
};

// What one speaker says, in any order.
struct Turn {
    Interval time;
    uint32_t speaker = 0;
};

// How segments of one speaker that overlap are counted.
enum class SelfOverlap {
    merged,  // as one segment, before collars are placed
    once,    // collars and overlapping speech are those of the segments, but a speaker counts once
    each,    // each segment counts, as if several people spoke
};

struct DiarizationRules {
    double collar = 0;  // the seconds that are not scored on each side of a reference boundary
    bool skips_overlap = false;
    SelfOverlap self_overlap = SelfOverlap::merged;
    bool trims = false;            // whether turns are cut to the regions before anything else
    bool maps_all_speech = false;  // whether speakers are mapped by their time in the regions, or only by scored time
    bool maps_jaccard = false;     // whether the mapping has the lowest Jaccard error, or the largest common time
    double step = 0;               // the seconds per frame, or 0 to use the times
};

struct SpeakerPair {
    int64_t hypothesis = -1;  // the hypothesis speaker, or -1
    double error = 1;         // the Jaccard error
    bool is_scored = false;   // whether the reference speaker has scored time
};

struct DiarizationErrors {
    double scored = 0, missed = 0, false_alarm = 0, confusion = 0;  // seconds, summed over speakers
    std::vector<SpeakerPair> pairs;                                 // by reference speaker
    int64_t hypothesis_speakers = 0;                                // with scored time
    std::vector<Interval> scored_regions;
};

// Scores turns within `regions`. Speakers are numbered from 0. All times are finite.
DiarizationErrors score_turns(std::span<const Turn> reference, size_t reference_speakers,
                              std::span<const Turn> hypothesis, size_t hypothesis_speakers,
                              std::span<const Interval> regions, const DiarizationRules& rules);

}  // namespace refscore
