#include "refscore/meetings/diarization.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "refscore/base/preconditions.hpp"
#include "refscore/meetings/assignment.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Shorter intervals are rounding errors. pyannote.core has the same limit.
constexpr double kShortest = 1e-6;
constexpr size_t kEventWork = 20;  // nanoseconds per boundary, for checkpoint()

bool is_long(Interval interval) { return interval.end - interval.begin > kShortest; }

bool is_before(Interval a, Interval b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); }

// Time during which a speaker has `weight` segments.
struct Piece {
    Interval time;
    int64_t weight = 1;
};

using Pieces = std::vector<Piece>;
using Intervals = std::vector<Interval>;

void sort(Intervals& intervals) { std::sort(intervals.begin(), intervals.end(), is_before); }

// Joins intervals that overlap or touch.
Intervals joined(Intervals intervals) {
    sort(intervals);
    Intervals result;
    for (Interval each : intervals) {
        if (!is_long(each)) continue;
        if (!result.empty() && each.begin - result.back().end <= kShortest) {
            result.back().end = std::max(result.back().end, each.end);
        } else {
            result.push_back(each);
        }
    }
    return result;
}

// The parts of `regions` outside of `excluded`. Both are joined.
Intervals without(const Intervals& regions, const Intervals& excluded) {
    Intervals result;
    size_t k = 0;
    for (Interval region : regions) {
        double begin = region.begin;
        while (k < excluded.size() && excluded[k].end <= begin) ++k;
        for (size_t j = k; j < excluded.size() && excluded[j].begin < region.end; ++j) {
            Interval gap = {begin, excluded[j].begin};
            if (is_long(gap)) result.push_back(gap);
            begin = std::max(begin, excluded[j].end);
        }
        Interval gap = {begin, region.end};
        if (is_long(gap)) result.push_back(gap);
    }
    return result;
}

// A boundary of weighted time: `change` is added to the weight.
struct Boundary {
    double time = 0;
    int64_t change = 0;

    bool operator<(const Boundary& other) const { return std::tie(time, change) < std::tie(other.time, other.change); }
};

// Splits intervals that overlap into disjoint pieces. Intervals that only touch stay as they are.
Pieces pieces_of(Intervals intervals) {
    sort(intervals);
    Pieces pieces;
    bool overlaps = false;
    for (Interval each : intervals) {
        overlaps = overlaps || (!pieces.empty() && each.begin < pieces.back().time.end);
        pieces.push_back({each, 1});
    }
    if (!overlaps) return pieces;
    std::vector<Boundary> boundaries;
    for (Interval each : intervals) {
        boundaries.push_back({each.begin, 1});
        boundaries.push_back({each.end, -1});
    }
    std::sort(boundaries.begin(), boundaries.end());
    pieces.clear();
    int64_t weight = 0;
    double begin = 0;
    for (const Boundary& boundary : boundaries) {
        if (weight > 0 && boundary.time > begin) pieces.push_back({{begin, boundary.time}, weight});
        weight += boundary.change;
        begin = boundary.time;
    }
    return pieces;
}

// Merges intervals that overlap. Intervals that only touch stay apart, because collars may lie between them.
Intervals merged(Intervals intervals) {
    sort(intervals);
    Intervals result;
    for (Interval each : intervals) {
        if (!result.empty() && each.begin < result.back().end) {
            result.back().end = std::max(result.back().end, each.end);
        } else {
            result.push_back(each);
        }
    }
    return result;
}

// The parts of sorted pieces that lie in the regions.
Pieces cropped(const Pieces& pieces, const Intervals& regions) {
    Pieces result;
    size_t first = 0;
    for (const Piece& piece : pieces) {
        while (first < regions.size() && regions[first].end <= piece.time.begin) ++first;
        for (size_t k = first; k < regions.size() && regions[k].begin < piece.time.end; ++k) {
            Interval time = {std::max(piece.time.begin, regions[k].begin), std::min(piece.time.end, regions[k].end)};
            if (is_long(time)) result.push_back({time, piece.weight});
        }
    }
    return result;
}

// The time that two speakers share, which counts once per pair of their segments.
double common_time(const Pieces& a, const Pieces& b) {
    double sum = 0;
    size_t first = 0;
    for (const Piece& piece : a) {
        while (first < b.size() && b[first].time.end <= piece.time.begin) ++first;
        for (size_t k = first; k < b.size() && b[k].time.begin < piece.time.end; ++k) {
            Interval time = {std::max(piece.time.begin, b[k].time.begin), std::min(piece.time.end, b[k].time.end)};
            if (is_long(time)) sum += (time.end - time.begin) * static_cast<double>(piece.weight * b[k].weight);
        }
    }
    return sum;
}

double duration(const Pieces& pieces) {
    double sum = 0;
    for (const Piece& piece : pieces) sum += piece.time.end - piece.time.begin;
    return sum;
}

// One side's speech, by speaker.
class Speech {
  public:
    Speech(std::span<const Turn> turns, size_t speakers) : segments_(speakers) {
        for (const Turn& turn : turns) {
            require(turn.speaker < speakers, "speakers must be numbered from 0");
            require(std::isfinite(turn.time.begin) && std::isfinite(turn.time.end), "times must be finite");
            if (is_long(turn.time)) segments_[turn.speaker].push_back(turn.time);
        }
    }

    size_t size() const { return segments_.size(); }
    const std::vector<Intervals>& segments() const { return segments_; }

    void trim(const Intervals& regions) {
        for (Intervals& segments : segments_) {
            sort(segments);
            Pieces pieces;
            for (Interval segment : segments) pieces.push_back({segment, 1});
            pieces = cropped(pieces, regions);
            segments.clear();
            for (const Piece& piece : pieces) segments.push_back(piece.time);
        }
    }

    void merge() {
        for (Intervals& segments : segments_) segments = merged(std::move(segments));
    }

    // The pieces of each speaker in the regions.
    std::vector<Pieces> pieces(const Intervals& regions, bool counts_once) const {
        std::vector<Pieces> result;
        for (const Intervals& segments : segments_) {
            checkpoint(segments.size() * kEventWork);
            Pieces pieces = pieces_of(segments);
            if (counts_once)
                for (Piece& piece : pieces) piece.weight = 1;
            result.push_back(cropped(pieces, regions));
        }
        return result;
    }

  private:
    std::vector<Intervals> segments_;
};

// The parts of the regions that are scored: outside of collars and, if it is skipped, of overlapping speech.
Intervals scored_regions(const Speech& reference, const Intervals& regions, const DiarizationRules& rules) {
    if (rules.collar <= 0 && !rules.skips_overlap) return regions;
    Intervals excluded;
    std::vector<Boundary> boundaries;
    for (const Intervals& segments : reference.segments()) {
        for (Interval segment : segments) {
            if (rules.collar > 0) {
                excluded.push_back({segment.begin - rules.collar, segment.begin + rules.collar});
                excluded.push_back({segment.end - rules.collar, segment.end + rules.collar});
            }
            if (rules.skips_overlap) {
                boundaries.push_back({segment.begin, 1});
                boundaries.push_back({segment.end, -1});
            }
        }
    }
    std::sort(boundaries.begin(), boundaries.end());
    int64_t weight = 0;
    double begin = 0;
    for (const Boundary& boundary : boundaries) {
        if (weight > 1 && boundary.time > begin) excluded.push_back({begin, boundary.time});
        weight += boundary.change;
        begin = boundary.time;
    }
    return without(regions, joined(std::move(excluded)));
}

// Numbers frames by the time at which they begin, as numpy.searchsorted does among step * numpy.arange(frames).
class Frames {
  public:
    Frames(double step, const Intervals& regions) : step_(step) {
        if (!regions.empty()) frames_ = std::floor(regions.back().end / step);
    }

    double operator()(double time) const {
        double frame = std::ceil(time / step_);
        while (step_ * (frame - 1) >= time) --frame;
        while (step_ * frame < time) ++frame;
        return std::min(frame, frames_);
    }

    void convert(std::vector<Pieces>& speakers) const {
        for (Pieces& pieces : speakers)
            for (Piece& piece : pieces) piece.time = {(*this)(piece.time.begin), (*this)(piece.time.end)};
    }

  private:
    double step_, frames_ = 0;
};

// Labels by number, as pyannote.core generates them: A to Z and then AA, AB and so on; and 0, 1, 2.
std::string letters(size_t number) {
    std::string label;
    for (size_t rest = number + 1; rest > 0; rest = (rest - 1) / 26)
        label.insert(label.begin(), static_cast<char>('A' + (rest - 1) % 26));
    return label;
}

std::string digits(size_t number) { return std::to_string(number); }

// The speakers with speech, in the order of generated labels. It only matters if several mappings are equal: then JER
// differs between them, and pyannote.metrics maps speakers in this order.
template <class Label>
std::vector<size_t> ordered_speakers(const std::vector<Pieces>& speakers, Label label) {
    std::vector<size_t> spoken;
    for (size_t s = 0; s < speakers.size(); ++s)
        if (!speakers[s].empty()) spoken.push_back(s);
    std::vector<std::pair<std::string, size_t>> labelled;
    for (size_t k = 0; k < spoken.size(); ++k) labelled.emplace_back(label(k), spoken[k]);
    std::sort(labelled.begin(), labelled.end());
    for (size_t k = 0; k < spoken.size(); ++k) spoken[k] = labelled[k].second;
    return spoken;
}

// Returns the hypothesis speaker of each reference speaker, or the number of hypothesis speakers.
std::vector<size_t> map_speakers(const std::vector<Pieces>& reference, const std::vector<Pieces>& hypothesis,
                                 bool maps_jaccard) {
    std::vector<size_t> rows = ordered_speakers(reference, letters), columns = ordered_speakers(hypothesis, digits);
    size_t size = std::max(rows.size(), columns.size());
    std::vector<double> costs(size * size);
    // The smaller side is first, as in scipy, so equal mappings are resolved in the same way.
    bool swaps = rows.size() > columns.size();
    auto cost = [&](size_t r, size_t h) -> double& { return costs[swaps ? h * size + r : r * size + h]; };
    for (size_t r = 0; r < rows.size(); ++r) {
        const Pieces& spoken = reference[rows[r]];
        for (size_t h = 0; h < columns.size(); ++h) {
            const Pieces& heard = hypothesis[columns[h]];
            checkpoint((spoken.size() + heard.size()) * kEventWork);
            double both = common_time(spoken, heard);
            if (both > 0) cost(r, h) = maps_jaccard ? -both / (duration(spoken) + duration(heard) - both) : -both;
        }
    }
    std::vector<size_t> column_of = assign_rows(costs, size), mapping(reference.size(), hypothesis.size());
    for (size_t k = 0; k < size; ++k) {
        size_t r = swaps ? column_of[k] : k, h = swaps ? k : column_of[k];
        if (r < rows.size() && h < columns.size() && cost(r, h) < 0) mapping[rows[r]] = columns[h];
    }
    return mapping;
}

struct Event {
    double time = 0;
    int64_t change = 0;
    uint32_t speaker = 0;
    bool is_reference = false;

    bool operator<(const Event& other) const {
        return std::tie(time, is_reference, speaker, change) <
               std::tie(other.time, other.is_reference, other.speaker, other.change);
    }
};

// Adds up the errors between neighbouring boundaries.
void add_errors(const std::vector<Pieces>& reference, const std::vector<Pieces>& hypothesis,
                const std::vector<size_t>& mapping, DiarizationErrors& errors) {
    std::vector<Event> events;
    for (bool is_reference : {false, true}) {
        const std::vector<Pieces>& side = is_reference ? reference : hypothesis;
        for (size_t s = 0; s < side.size(); ++s) {
            for (const Piece& piece : side[s]) {
                events.push_back({piece.time.begin, piece.weight, static_cast<uint32_t>(s), is_reference});
                events.push_back({piece.time.end, -piece.weight, static_cast<uint32_t>(s), is_reference});
            }
        }
    }
    checkpoint(events.size() * kEventWork);
    std::sort(events.begin(), events.end());
    std::vector<size_t> reference_of(hypothesis.size(), reference.size());
    for (size_t r = 0; r < mapping.size(); ++r)
        if (mapping[r] < hypothesis.size()) reference_of[mapping[r]] = r;
    std::vector<int64_t> spoken(reference.size()), heard(hypothesis.size());
    int64_t all_spoken = 0, all_heard = 0, correct = 0;
    double begin = 0;
    for (const Event& event : events) {
        Interval time = {begin, event.time};
        if ((all_spoken > 0 || all_heard > 0) && is_long(time)) {
            double seconds = time.end - time.begin;
            errors.scored += seconds * static_cast<double>(all_spoken);
            errors.missed += seconds * static_cast<double>(std::max<int64_t>(all_spoken - all_heard, 0));
            errors.false_alarm += seconds * static_cast<double>(std::max<int64_t>(all_heard - all_spoken, 0));
            errors.confusion += seconds * static_cast<double>(std::min(all_spoken, all_heard) - correct);
        }
        begin = event.time;
        size_t r = event.is_reference ? event.speaker : reference_of[event.speaker];
        size_t h = event.is_reference ? mapping[event.speaker] : event.speaker;
        bool is_mapped = r < reference.size() && h < hypothesis.size();
        if (is_mapped) correct -= std::min(spoken[r], heard[h]);
        (event.is_reference ? spoken : heard)[event.speaker] += event.change;
        (event.is_reference ? all_spoken : all_heard) += event.change;
        if (is_mapped) correct += std::min(spoken[r], heard[h]);
    }
}

}  // namespace

DiarizationErrors score_turns(std::span<const Turn> reference_turns, size_t reference_speakers,
                              std::span<const Turn> hypothesis_turns, size_t hypothesis_speakers,
                              std::span<const Interval> regions, const DiarizationRules& rules) {
    require(rules.step >= 0 && rules.collar >= 0, "steps and collars must not be negative");
    DiarizationErrors errors;
    Intervals evaluated = joined({regions.begin(), regions.end()});
    Speech reference(reference_turns, reference_speakers), hypothesis(hypothesis_turns, hypothesis_speakers);
    for (Speech* speech : {&reference, &hypothesis}) {
        if (rules.trims) speech->trim(evaluated);
        if (rules.self_overlap == SelfOverlap::merged) speech->merge();
    }
    errors.scored_regions = scored_regions(reference, evaluated, rules);
    bool counts_once = rules.self_overlap != SelfOverlap::each;
    std::vector<Pieces> spoken = reference.pieces(errors.scored_regions, counts_once);
    std::vector<Pieces> heard = hypothesis.pieces(errors.scored_regions, counts_once);
    errors.pairs.resize(reference_speakers);
    for (size_t r = 0; r < reference_speakers; ++r) errors.pairs[r].is_scored = !spoken[r].empty();
    for (const Pieces& pieces : heard) errors.hypothesis_speakers += !pieces.empty();
    if (rules.step > 0) {
        Frames frames(rules.step, evaluated);
        frames.convert(spoken);
        frames.convert(heard);
    }
    std::vector<size_t> mapping = rules.maps_all_speech
                                      ? map_speakers(reference.pieces(evaluated, counts_once),
                                                     hypothesis.pieces(evaluated, counts_once), rules.maps_jaccard)
                                      : map_speakers(spoken, heard, rules.maps_jaccard);
    add_errors(spoken, heard, mapping, errors);
    // Jaccard errors are about the time with a speaker, however many segments there are at once.
    for (std::vector<Pieces>* side : {&spoken, &heard})
        for (Pieces& pieces : *side)
            for (Piece& piece : pieces) piece.weight = 1;
    for (size_t r = 0; r < reference_speakers; ++r) {
        if (mapping[r] == hypothesis_speakers) continue;
        const Pieces& other = heard[mapping[r]];
        double both = common_time(spoken[r], other), all = duration(spoken[r]) + duration(other) - both;
        errors.pairs[r].hypothesis = static_cast<int64_t>(mapping[r]);
        errors.pairs[r].error = all > 0 ? 1 - both / all : 1;
    }
    return errors;
}

}  // namespace refscore
