// Error rates of meetings with several speakers.
#include "bind.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/meetings/assignment.hpp"
#include "refscore/meetings/diarization.hpp"
#include "refscore/meetings/edits.hpp"
#include "refscore/meetings/greedy.hpp"
#include "refscore/meetings/streams.hpp"
#include "refscore/meetings/times.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copied(const Input<T>& values) {
    return {values.data(), values.data() + values.size()};
}

using Counts = std::tuple<int64_t, int64_t, int64_t, int64_t>;

Counts as_tuple(const EditCounts& counts) {
    return {counts.hits, counts.substitutions, counts.deletions, counts.insertions};
}

// The words of one side, in parts: by speaker, stream or utterance. Copied, because other threads could change the
// arrays.
class MeetingWords {
  public:
    MeetingWords(const Input<uint32_t>& words, const Input<int64_t>& ends, const Input<double>& begin_times,
                 const Input<double>& end_times)
        : words_(copied(words)), begins_(copied(begin_times)), ends_(copied(end_times)) {
        // Tables have 32-bit numbers of edits.
        require(words_.size() < size_t{1} << 30, "a session has too many words");
        for (uint32_t word : words_) {
            require(word > 0 && word < std::numeric_limits<uint32_t>::max(), "words are numbered from 1");
            vocabulary_ = std::max(vocabulary_, word);
        }
        size_t begin = 0;
        for (size_t k = 0; k < ends.size(); ++k) {
            size_t end = static_cast<size_t>(ends.data()[k]);
            require(ends.data()[k] >= 0 && end >= begin && end <= words_.size(), "the ends of parts must not decrease");
            parts_.emplace_back(begin, end - begin);
            begin = end;
        }
        require(begin == words_.size(), "the last part must have the last word");
        if (!begins_.empty() || !ends_.empty()) all().check();
    }

    bool has_times() const { return begins_.size() == words_.size() && ends_.size() == words_.size(); }
    size_t size() const { return parts_.size(); }
    uint32_t vocabulary() const { return vocabulary_; }
    TimedWords all() const { return {words_, begins_, ends_}; }
    std::span<const uint32_t> words(size_t part) const {
        return part < size() ? std::span<const uint32_t>(words_).subspan(parts_[part].first, parts_[part].second)
                             : std::span<const uint32_t>();
    }
    TimedWords timed(size_t part) const {
        return part < size() ? all().subspan(parts_[part].first, parts_[part].second) : TimedWords{};
    }

  private:
    std::vector<uint32_t> words_;
    std::vector<double> begins_, ends_;
    std::vector<std::pair<size_t, size_t>> parts_;  // begin and size
    uint32_t vocabulary_ = 0;
};

// For each reference speaker, and then for each hypothesis speaker without one: the hypothesis speaker, which may be
// beyond the last, and the counts.
std::vector<std::pair<size_t, Counts>> assign_speakers(const MeetingWords& reference, const MeetingWords& hypothesis,
                                                       bool is_timed) {
    require(!is_timed || (reference.has_times() && hypothesis.has_times()), "a time constraint needs times");
    std::vector<std::pair<size_t, Counts>> assigned;
    uint32_t vocabulary = std::max(reference.vocabulary(), hypothesis.vocabulary());
    without_gil([&] {
        size_t size = std::max(reference.size(), hypothesis.size());
        std::vector<int64_t> costs(size * size);
        EditDistance distance;
        TimedEdits timed;
        KaldiEdits edits;
        for (size_t r = 0; r < size; ++r) {
            for (size_t h = 0; h < size; ++h) {
                size_t cost = is_timed ? timed.distance(hypothesis.timed(h), reference.timed(r))
                                       : distance.distance(hypothesis.words(h), reference.words(r), vocabulary);
                costs[r * size + h] = static_cast<int64_t>(cost);
            }
        }
        std::vector<size_t> columns = assign_rows(costs, size);
        for (size_t r = 0; r < size; ++r) {
            size_t h = columns[r];
            EditCounts counts = is_timed ? timed.count(hypothesis.timed(h), reference.timed(r))
                                         : edits.count(hypothesis.words(h), reference.words(r), vocabulary);
            assigned.emplace_back(h, as_tuple(counts));
        }
    });
    return assigned;
}

// Counts the edits of each stream, whose reference words are those of its utterances in their order.
std::vector<Counts> count_streams(const MeetingWords& reference, const MeetingWords& hypothesis, bool is_timed,
                                  std::span<const AssignedUtterance> assigned) {
    std::vector<Counts> counts;
    TimedEdits timed;
    KaldiEdits edits;
    std::vector<uint32_t> words;
    std::vector<double> begins, ends;
    uint32_t vocabulary = std::max(reference.vocabulary(), hypothesis.vocabulary());
    for (size_t s = 0; s < hypothesis.size(); ++s) {
        words.clear();
        begins.clear();
        ends.clear();
        for (const AssignedUtterance& each : assigned) {
            if (each.stream != s) continue;
            std::span<const uint32_t> own = reference.words(each.utterance);
            words.insert(words.end(), own.begin(), own.end());
            if (!is_timed) continue;
            TimedWords utterance = reference.timed(each.utterance);
            begins.insert(begins.end(), utterance.begins.begin(), utterance.begins.end());
            ends.insert(ends.end(), utterance.ends.begin(), utterance.ends.end());
        }
        counts.push_back(as_tuple(is_timed ? timed.count(hypothesis.timed(s), {words, begins, ends})
                                           : edits.count(hypothesis.words(s), words, vocabulary)));
    }
    return counts;
}

std::vector<AssignedUtterance> in_order(const std::vector<uint32_t>& streams) {
    std::vector<AssignedUtterance> assigned;
    for (size_t u = 0; u < streams.size(); ++u) assigned.push_back({static_cast<uint32_t>(u), streams[u]});
    return assigned;
}

std::vector<std::span<const uint32_t>> parts_of(const MeetingWords& words) {
    std::vector<std::span<const uint32_t>> parts;
    for (size_t k = 0; k < words.size(); ++k) parts.push_back(words.words(k));
    return parts;
}

std::vector<TimedWords> timed_parts_of(const MeetingWords& words, bool is_timed) {
    std::vector<TimedWords> parts;
    for (size_t k = 0; k < words.size(); ++k)
        parts.push_back(is_timed ? words.timed(k) : TimedWords{words.words(k), {}, {}});
    return parts;
}

using AssignedStreams = std::optional<std::pair<std::vector<uint32_t>, std::vector<Counts>>>;

// The stream of each utterance, and the counts of each stream; or nothing if the tables need more than `memory` bytes.
AssignedStreams assign_utterances(const MeetingWords& reference, const MeetingWords& hypothesis, bool is_timed,
                                  size_t memory) {
    require(!is_timed || (reference.has_times() && hypothesis.has_times()), "a time constraint needs times");
    AssignedStreams result;
    without_gil([&] {
        std::optional<StreamAssignment> found;
        if (is_timed) {
            std::vector<TimedWords> utterances = timed_parts_of(reference, true);
            std::vector<TimedWords> streams = timed_parts_of(hypothesis, true);
            found = refscore::assign_streams(std::span<const TimedWords>(utterances),
                                             std::span<const TimedWords>(streams), memory);
        } else {
            std::vector<std::span<const uint32_t>> utterances = parts_of(reference), streams = parts_of(hypothesis);
            found = refscore::assign_streams(std::span<const std::span<const uint32_t>>(utterances),
                                             std::span<const std::span<const uint32_t>>(streams), memory);
        }
        if (!found) return;
        std::vector<Counts> counts = count_streams(reference, hypothesis, is_timed, in_order(found->streams));
        result.emplace(std::move(found->streams), std::move(counts));
    });
    return result;
}

// The initial streams of utterances: whole speakers are assigned as for cpWER. A speaker without a stream gets the one
// with the fewest errors.
std::vector<uint32_t> initial_streams(const MeetingWords& reference, const MeetingWords& hypothesis, bool is_timed,
                                      std::span<const uint32_t> speakers) {
    size_t count = 0, streams = hypothesis.size();
    for (uint32_t speaker : speakers) count = std::max<size_t>(count, speaker + 1);
    std::vector<std::vector<uint32_t>> words(count);
    std::vector<std::vector<double>> begins(count), ends(count);
    for (size_t u = 0; u < speakers.size(); ++u) {
        uint32_t s = speakers[u];
        TimedWords timed = is_timed ? reference.timed(u) : TimedWords{reference.words(u), {}, {}};
        words[s].insert(words[s].end(), timed.words.begin(), timed.words.end());
        begins[s].insert(begins[s].end(), timed.begins.begin(), timed.begins.end());
        ends[s].insert(ends[s].end(), timed.ends.begin(), timed.ends.end());
    }
    size_t size = std::max(count, streams);
    std::vector<int64_t> costs(size * size);
    uint32_t vocabulary = std::max(reference.vocabulary(), hypothesis.vocabulary());
    EditDistance distance;
    TimedEdits timed;
    for (size_t r = 0; r < size; ++r) {
        for (size_t h = 0; h < size; ++h) {
            TimedWords said = r < count ? TimedWords{words[r], begins[r], ends[r]} : TimedWords{};
            costs[r * size + h] =
                static_cast<int64_t>(is_timed ? timed.distance(hypothesis.timed(h), said)
                                              : distance.distance(hypothesis.words(h), said.words, vocabulary));
        }
    }
    std::vector<size_t> columns = assign_rows(costs, size);
    std::vector<uint32_t> result;
    for (uint32_t speaker : speakers) {
        auto row = costs.begin() + static_cast<ptrdiff_t>(speaker * size);
        size_t best = static_cast<size_t>(std::min_element(row, row + static_cast<ptrdiff_t>(streams)) - row);
        result.push_back(static_cast<uint32_t>(columns[speaker] < streams ? columns[speaker] : best));
    }
    return result;
}

void check_speakers(const std::vector<uint32_t>& speakers, const MeetingWords& reference) {
    require(speakers.size() == reference.size(), "each utterance needs a speaker");
    for (uint32_t speaker : speakers) require(speaker < speakers.size(), "speakers are numbered from 0");
}

// The same, greedily. `speakers` has the number of each utterance's speaker, from 0.
AssignedStreams assign_greedily(const MeetingWords& reference, const MeetingWords& hypothesis,
                                const Input<uint32_t>& speakers, bool is_timed, size_t memory) {
    require(!is_timed || (reference.has_times() && hypothesis.has_times()), "a time constraint needs times");
    std::vector<uint32_t> own = copied(speakers);
    check_speakers(own, reference);
    AssignedStreams result;
    without_gil([&] {
        std::vector<TimedWords> utterances = timed_parts_of(reference, is_timed);
        std::vector<TimedWords> streams = timed_parts_of(hypothesis, is_timed);
        auto found = refscore::assign_greedily(utterances, streams,
                                               initial_streams(reference, hypothesis, is_timed, own), memory);
        if (!found) return;
        std::vector<Counts> counts = count_streams(reference, hypothesis, is_timed, in_order(*found));
        result.emplace(std::move(*found), std::move(counts));
    });
    return result;
}

// The utterances in the best order, each with its stream, and the counts of each stream; or nothing if the tables need
// more than `memory` bytes.
std::optional<std::pair<std::vector<std::pair<uint32_t, uint32_t>>, std::vector<Counts>>> assign_speakers_to_streams(
    const MeetingWords& reference, const MeetingWords& hypothesis, const Input<uint32_t>& speakers, size_t memory) {
    std::vector<uint32_t> own = copied(speakers);
    check_speakers(own, reference);
    std::optional<std::pair<std::vector<std::pair<uint32_t, uint32_t>>, std::vector<Counts>>> result;
    without_gil([&] {
        std::vector<std::vector<uint32_t>> said;
        for (uint32_t u = 0; u < own.size(); ++u) {
            if (own[u] >= said.size()) said.resize(own[u] + 1);
            said[own[u]].push_back(u);
        }
        std::vector<std::span<const uint32_t>> utterances = parts_of(reference), streams = parts_of(hypothesis);
        auto found = refscore::assign_speakers_to_streams(utterances, said, streams, memory);
        if (!found) return;
        std::vector<std::pair<uint32_t, uint32_t>> path;
        for (const AssignedUtterance& each : *found) path.emplace_back(each.utterance, each.stream);
        result.emplace(std::move(path), count_streams(reference, hypothesis, false, *found));
    });
    return result;
}

std::vector<Interval> intervals_of(const Input<double>& begins, const Input<double>& ends) {
    require(begins.size() == ends.size(), "each interval needs two times");
    std::vector<Interval> intervals;
    for (size_t k = 0; k < begins.size(); ++k) intervals.push_back({begins.data()[k], ends.data()[k]});
    return intervals;
}

// The turns of one side. Copied, because other threads could change the arrays.
class SpeakerTurns {
  public:
    SpeakerTurns(const Input<uint32_t>& speakers, const Input<double>& begins, const Input<double>& ends, size_t count)
        : count_(count) {
        std::vector<Interval> times = intervals_of(begins, ends);
        require(speakers.size() == times.size(), "each turn needs a speaker");
        for (size_t k = 0; k < times.size(); ++k) turns_.push_back({times[k], speakers.data()[k]});
    }

    std::span<const Turn> turns() const { return turns_; }
    size_t count() const { return count_; }

  private:
    std::vector<Turn> turns_;
    size_t count_;
};

// The seconds of scored, missed, false and confused speech; each reference speaker's hypothesis speaker, or -1, Jaccard
// error, and whether it is scored; the number of scored hypothesis speakers; and the scored regions.
auto score_turns(const SpeakerTurns& reference, const SpeakerTurns& hypothesis, const Input<double>& begins,
                 const Input<double>& ends, double collar, bool skip_overlap, const std::string& self_overlap,
                 bool trim, bool map_all_speech, bool map_jaccard, double step) {
    std::vector<Interval> regions = intervals_of(begins, ends);
    DiarizationRules rules;
    rules.collar = collar;
    rules.skips_overlap = skip_overlap;
    rules.self_overlap = self_overlap == "each"   ? SelfOverlap::each
                         : self_overlap == "once" ? SelfOverlap::once
                                                  : SelfOverlap::merged;
    rules.trims = trim;
    rules.maps_all_speech = map_all_speech;
    rules.maps_jaccard = map_jaccard;
    rules.step = step;
    DiarizationErrors errors;
    without_gil([&] {
        errors = refscore::score_turns(reference.turns(), reference.count(), hypothesis.turns(), hypothesis.count(),
                                       regions, rules);
    });
    std::vector<std::tuple<int64_t, double, bool>> pairs;
    for (const SpeakerPair& pair : errors.pairs) pairs.emplace_back(pair.hypothesis, pair.error, pair.is_scored);
    std::vector<std::pair<double, double>> scored;
    for (Interval region : errors.scored_regions) scored.emplace_back(region.begin, region.end);
    return std::tuple(std::tuple(errors.scored, errors.missed, errors.false_alarm, errors.confusion), pairs,
                      errors.hypothesis_speakers, scored);
}

}  // namespace

void bind_meetings(nb::module_& m) {
    nb::class_<MeetingWords>(m, "MeetingWords")
        .def(nb::init<const Input<uint32_t>&, const Input<int64_t>&, const Input<double>&, const Input<double>&>(),
             "words"_a, "ends"_a, "begin_times"_a, "end_times"_a);
    nb::class_<SpeakerTurns>(m, "SpeakerTurns")
        .def(nb::init<const Input<uint32_t>&, const Input<double>&, const Input<double>&, size_t>(), "speakers"_a,
             "begins"_a, "ends"_a, "count"_a);
    m.def("score_turns", &score_turns, "reference"_a, "hypothesis"_a, "begins"_a, "ends"_a, nb::kw_only(), "collar"_a,
          "skip_overlap"_a, "self_overlap"_a, "trim"_a, "map_all_speech"_a, "map_jaccard"_a, "step"_a);
    m.def("assign_speakers", &assign_speakers, "reference"_a, "hypothesis"_a, "is_timed"_a);
    m.def("assign_greedily", &assign_greedily, "reference"_a, "hypothesis"_a, "speakers"_a, "is_timed"_a, "memory"_a);
    m.def("assign_speakers_to_streams", &assign_speakers_to_streams, "reference"_a, "hypothesis"_a, "speakers"_a,
          "memory"_a);
    m.def("assign_utterances", &assign_utterances, "reference"_a, "hypothesis"_a, "is_timed"_a, "memory"_a);
}

}  // namespace refscore::bindings
