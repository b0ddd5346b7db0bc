#include "refscore/distance/max_match.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <tuple>

#include "refscore/text/text.hpp"
#include "refscore/text/unicode.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// The bits of a cell's marks: by lattice, the steps that lead to it on optimal paths, and whether it is on one to the
// end.
enum : uint8_t { kDiagonal = 1, kDeletion = 2, kInsertion = 4, kOnPath = 8 };

void split_at_spaces(std::string_view text, std::vector<std::string_view>& words) {
    words.clear();
    const auto* begin = reinterpret_cast<const uint8_t*>(text.data());
    const uint8_t *at = begin, *end = begin + text.size(), *word = begin;
    auto add = [&](const uint8_t* stop) {
        if (stop != word)
            words.push_back(text.substr(static_cast<size_t>(word - begin), static_cast<size_t>(stop - word)));
    };
    while (at != end) {
        const uint8_t* next = at;
        bool is_blank = is_space(decode(next));
        if (is_blank) {
            add(at);
            word = next;
        }
        at = next;
    }
    add(end);
}

std::string_view trimmed(std::string_view text) {
    std::vector<std::string_view> words;
    split_at_spaces(text, words);
    if (words.empty()) return {};
    return {words.front().data(),
            static_cast<size_t>(words.back().data() + words.back().size() - words.front().data())};
}

// Calls visit(part) for each part between separators.
template <class Visit>
void for_each_part(std::string_view text, std::string_view separator, Visit visit) {
    for (size_t begin = 0;;) {
        size_t end = text.find(separator, begin);
        visit(text.substr(begin, end == text.npos ? text.npos : end - begin));
        if (end == text.npos) return;
        begin = end + separator.size();
    }
}

bool parse_number(std::string_view text, long& number) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

bool is_none(std::string_view text) { return text == "-NONE-" || text == "-none-"; }

// Reads the offsets of an edit: "A 1 2", after the number of the previous edit's annotator unless it is the first.
bool read_offsets(std::string_view text, bool is_first, long& begin, long& end) {
    std::vector<std::string_view> words;
    split_at_spaces(text, words);
    std::span<const std::string_view> rest(words);
    if (!is_first && !rest.empty()) rest = rest.subspan(1);
    if (!rest.empty() && (rest[0] == "A" || rest[0] == "a")) rest = rest.subspan(1);
    return rest.size() == 2 && parse_number(rest[0], begin) && parse_number(rest[1], end);
}

}  // namespace

bool read_gold_edits(std::string_view text, std::vector<GoldEdit>& edits) {
    constexpr size_t kFields = 5;  // before the annotator: offsets, type, corrections, "REQUIRED", "-NONE-"
    edits.clear();
    std::vector<std::string_view> fields;
    for_each_part(text, "|||", [&](std::string_view field) { fields.push_back(field); });
    if (fields.size() % kFields != 1) return false;
    for (size_t at = 0; at + kFields < fields.size(); at += kFields) {
        long begin = 0, end = 0;
        if (!read_offsets(fields[at], at == 0, begin, end)) return false;
        if (trimmed(fields[at + 1]) == "noop" || begin < 0 || end < 0) continue;
        GoldEdit edit{static_cast<size_t>(begin), static_cast<size_t>(end), {}};
        for_each_part(fields[at + 2], "||", [&](std::string_view correction) {
            edit.corrections.push_back(is_none(correction) ? std::string_view() : trimmed(correction));
        });
        edits.push_back(std::move(edit));
    }
    return true;
}

double max_match_value(double beta, double correct, double proposed, double gold) {
    double precision = proposed > 0 ? correct / proposed : 1, recall = gold > 0 ? correct / gold : 1,
           square = beta * beta, sum = square * precision + recall;
    return sum > 0 ? (1 + square) * precision * recall / sum : 0;
}

// Marks the optimal steps to each cell and the cells on optimal paths, for substitutions that cost 1 (the low bits) and
// 2 (the high bits).
void MaxMatch::mark_optimal() {
    size_t rows = source_numbers_.size() + 1, width = hypothesis_numbers_.size() + 1;
    costs_.resize(2 * width);
    marks_.resize(rows * width);
    uint32_t *one = costs_.data(), *two = one + width;  // the row above, then this row up to the current cell
    constexpr uint8_t kBoth = 1 | 1 << 4;
    marks_[0] = 0;
    for (size_t j = 0; j < width; ++j) one[j] = two[j] = static_cast<uint32_t>(j);
    for (size_t j = 1; j < width; ++j) marks_[j] = kInsertion * kBoth;
    for (size_t i = 1; i < rows; ++i) {
        checkpoint(4 * width);
        uint8_t* marks = &marks_[i * width];
        uint32_t word = source_numbers_[i - 1];
        uint32_t before_one = one[0], before_two = two[0], left_one = static_cast<uint32_t>(i), left_two = left_one;
        one[0] = two[0] = left_one;
        marks[0] = kDeletion * kBoth;
        for (size_t j = 1; j < width; ++j) {
            uint32_t differs = word != hypothesis_numbers_[j - 1];
            auto step = [](uint32_t diagonal, uint32_t& above, uint32_t& before, uint32_t& left) {
                uint32_t deletion = above + 1, insertion = left + 1;
                uint32_t least = std::min(std::min(diagonal, deletion), insertion);
                before = above;
                above = left = least;
                return static_cast<uint8_t>((diagonal == least) * kDiagonal | (deletion == least) * kDeletion |
                                            (insertion == least) * kInsertion);
            };
            uint8_t low = step(before_one + differs, one[j], before_one, left_one);
            uint8_t high = step(before_two + 2 * differs, two[j], before_two, left_two);
            marks[j] = static_cast<uint8_t>(low | high << 4);
        }
    }
    marks_[rows * width - 1] |= kOnPath * kBoth;
    for (size_t cell = rows * width; cell-- > 0;) {
        uint8_t own = marks_[cell];
        uint8_t paths = (own >> 3) & kBoth;  // 1 in the bits of each lattice whose path the cell is on
        if (paths == 0) continue;
        auto mark = [&](uint8_t step, size_t before) {
            auto reached = static_cast<uint8_t>((own / step) & paths);
            if (reached != 0) marks_[before] |= static_cast<uint8_t>(reached * kOnPath);
        };
        mark(kDiagonal, cell - width - 1);
        mark(kDeletion, cell - width);
        mark(kInsertion, cell - 1);
    }
}

void MaxMatch::number_vertices() {
    size_t width = hypothesis_numbers_.size() + 1;
    vertices_.clear();
    vertex_of_.assign(marks_.size(), 0);
    for (size_t cell = 0; cell < marks_.size(); ++cell) {
        if ((marks_[cell] & (kOnPath | kOnPath << 4)) == 0) continue;
        vertex_of_[cell] = static_cast<uint32_t>(vertices_.size());
        vertices_.push_back({static_cast<uint32_t>(cell / width), static_cast<uint32_t>(cell % width)});
    }
}

void MaxMatch::add_unit_arcs() {
    size_t width = hypothesis_numbers_.size() + 1;
    for (uint32_t to = 0; to < vertices_.size(); ++to) {
        size_t cell = vertices_[to].source * width + vertices_[to].hypothesis;
        for (uint8_t step : {kDiagonal, kDeletion, kInsertion}) {
            int lattices = 0;
            for (int shift : {0, 4}) {
                auto own = static_cast<uint8_t>(marks_[cell] >> shift & 15);
                lattices += (own & kOnPath) != 0 && (own & step) != 0;
            }
            if (lattices == 0) continue;
            size_t before = step == kDiagonal ? cell - width - 1 : step == kDeletion ? cell - width : cell - 1;
            uint32_t from = vertex_of_[before];
            bool is_noop = step == kDiagonal &&
                           source_numbers_[vertices_[from].source] == hypothesis_numbers_[vertices_[from].hypothesis];
            arcs_.push_back({from, to, 1, is_noop, is_noop});
            auto number = static_cast<uint32_t>(arcs_.size() - 1);
            arc_at(from, to) = number + 1;
            into_[to].push_back(from);
            out_of_[from].push_back(to);
            order_.insert(order_.end(), static_cast<size_t>(lattices),
                          number);  // an arc of both lattices is there twice
        }
    }
    std::sort(order_.begin(), order_.end(), [&](uint32_t one, uint32_t other) {
        return std::tuple(arcs_[one].from, arcs_[one].to, one) < std::tuple(arcs_[other].from, arcs_[other].to, other);
    });
}

// Merges arcs at each vertex, from the first to the last, if that makes a shorter arc with few unchanged words.
void MaxMatch::merge_arcs(size_t max_unchanged) {
    for (uint32_t middle = 0; middle < vertices_.size(); ++middle) {
        std::sort(into_[middle].begin(), into_[middle].end());
        std::sort(out_of_[middle].begin(), out_of_[middle].end());
        checkpoint(4 * into_[middle].size() * out_of_[middle].size());
        for (uint32_t from : into_[middle]) {
            for (uint32_t to : out_of_[middle]) {
                Arc first = arcs_[arc_at(from, middle) - 1], second = arcs_[arc_at(middle, to) - 1];
                uint32_t length = first.length + second.length, unchanged = first.unchanged + second.unchanged;
                uint32_t& known = arc_at(from, to);
                if ((known != 0 && length >= arcs_[known - 1].length) || unchanged > max_unchanged) continue;
                Arc merged{from, to, length, unchanged, first.is_noop && second.is_noop};
                if (known == 0) {
                    arcs_.push_back(merged);
                    known = static_cast<uint32_t>(arcs_.size());
                    into_[to].push_back(from);
                } else {
                    arcs_[known - 1] = merged;
                }
                order_.push_back(known - 1);
            }
        }
    }
}

// Drops merged arcs without an edit. Like m2scorer, which changes its list while it reads it, this skips the arc after
// a dropped one.
void MaxMatch::drop_unchanged_arcs() {
    is_dropped_.assign(arcs_.size(), 0);
    for (size_t at = 0; at < order_.size(); ++at) {
        uint32_t number = order_[at];
        if (!arcs_[number].is_noop || arcs_[number].length == 1 || is_dropped_[number] != 0) continue;
        is_dropped_[number] = 1;
        order_.erase(std::find(order_.begin(), order_.end(), number));
    }
    std::erase_if(order_, [&](uint32_t number) { return is_dropped_[number] != 0; });
}

void MaxMatch::group_arcs() {
    // One number per arc sorts faster than four: vertices and words have 16 bits each.
    static_assert(2 * kMostVertices < size_t{1} << 16);
    keys_.clear();
    for (uint32_t number : order_) {
        const Arc& arc = arcs_[number];
        uint64_t key = vertices_[arc.from].source;
        for (uint32_t part : {vertices_[arc.to].source, arc.from, arc.to}) key = key << 16 | part;
        keys_.emplace_back(key, number);
    }
    std::sort(keys_.begin(), keys_.end(), [](const auto& one, const auto& other) { return one.first < other.first; });
    grouped_.clear();
    for (const auto& [key, number] : keys_) grouped_.push_back(number);
}

bool MaxMatch::build(const MaxMatchSettings& settings, std::string_view source, std::string_view hypothesis) {
    split_at_spaces(source, source_);
    split_at_spaces(hypothesis, hypothesis_);
    if (source_.size() + hypothesis_.size() > 2 * kMostVertices) return false;
    numbers_.clear();
    auto number = [&](const std::vector<std::string_view>& words, std::vector<uint32_t>& out) {
        out.clear();
        for (std::string_view word : words)
            out.push_back(numbers_.try_emplace(word, static_cast<uint32_t>(numbers_.size())).first->second);
    };
    number(source_, source_numbers_);
    number(hypothesis_, hypothesis_numbers_);
    mark_optimal();
    number_vertices();
    if (vertices_.size() > kMostVertices) return false;
    arcs_.clear();
    order_.clear();
    table_.assign(vertices_.size() * vertices_.size(), 0);
    for (auto* lists : {&into_, &out_of_}) {
        for (auto& list : *lists) list.clear();
        if (lists->size() < vertices_.size()) lists->resize(vertices_.size());
    }
    add_unit_arcs();
    merge_arcs(settings.max_unchanged);
    drop_unchanged_arcs();
    group_arcs();
    return true;
}

bool MaxMatch::is_gold(const Arc& arc, const GoldEdit& gold) const {
    if (vertices_[arc.from].source != gold.begin || vertices_[arc.to].source != gold.end) return false;
    return std::ranges::any_of(gold.corrections, [&](std::string_view correction) {
        for (size_t j = vertices_[arc.from].hypothesis, end = vertices_[arc.to].hypothesis; j < end; ++j) {
            if (!correction.starts_with(hypothesis_[j])) return false;
            correction.remove_prefix(hypothesis_[j].size());
            if (j + 1 == end) break;
            if (!correction.starts_with(' ')) return false;
            correction.remove_prefix(1);
        }
        return correction.empty();
    });
}

// Insertions at the same place are matched in order, from both ends in turn, because their order in the text matters.
void MaxMatch::weigh_insertions(std::span<const uint32_t> arcs, std::span<const GoldEdit> gold,
                                std::span<const uint32_t> matching) {
    auto size = static_cast<ptrdiff_t>(arcs.size());
    ptrdiff_t left = 0, right = size - 1, at = left, gold_left = 0,
              gold_right = static_cast<ptrdiff_t>(matching.size()) - 1;
    auto arc = [&](ptrdiff_t place) -> const Arc& { return arcs_[arcs[static_cast<size_t>(place)]]; };
    auto weight = [&](ptrdiff_t place) -> double& { return weights_[arcs[static_cast<size_t>(place)]]; };
    while (left <= right) {
        bool is_left = at == left, is_match = false;
        for (ptrdiff_t i = 0, count = gold_right - gold_left + 1; i < count && !is_match; ++i) {
            ptrdiff_t place = is_left ? gold_left + i : gold_right - i;
            if (!is_gold(arc(at), gold[matching[static_cast<size_t>(place)]])) continue;
            is_match = true;
            weight(at) = -static_cast<double>(order_.size());
            (is_left ? gold_left : gold_right) = is_left ? place + 1 : place - 1;
        }
        if (!is_match) {
            weight(at) += kEpsilon;
            (is_left ? left : right) += is_left ? 1 : -1;
            at = is_left ? right : left;
        } else if (is_left) {
            for (++left; left < size && arc(left).from != arc(at).to; ++left) weight(left) += kEpsilon;
            at = left;
        } else {
            for (--right; right >= 0 && arc(right).to != arc(at).from; --right) weight(right) += kEpsilon;
            at = right;
        }
    }
}

// An edit of the annotator weighs less than all others together, and other edits slightly more than unchanged words.
void MaxMatch::weigh(std::span<const GoldEdit> gold) {
    std::map<std::pair<size_t, size_t>, std::vector<uint32_t>> by_words;
    for (uint32_t i = 0; i < gold.size(); ++i) by_words[{gold[i].begin, gold[i].end}].push_back(i);
    weights_.resize(arcs_.size());
    for (size_t i = 0; i < arcs_.size(); ++i) weights_[i] = arcs_[i].length;
    auto words = [&](uint32_t number) {
        return std::pair<size_t, size_t>(vertices_[arcs_[number].from].source, vertices_[arcs_[number].to].source);
    };
    for (size_t begin = 0, end = 0; begin < grouped_.size(); begin = end) {
        auto key = words(grouped_[begin]);
        while (end < grouped_.size() && words(grouped_[end]) == key) ++end;
        auto known = by_words.find(key);
        std::span<const uint32_t> arcs(grouped_.data() + begin, end - begin), matching;
        if (known != by_words.end()) matching = known->second;
        if (key.first == key.second) {
            weigh_insertions(arcs, gold, matching);
            continue;
        }
        for (uint32_t number : arcs) {
            if (std::ranges::any_of(matching, [&](uint32_t i) { return is_gold(arcs_[number], gold[i]); })) {
                weights_[number] = -static_cast<double>(order_.size());
            } else if (!arcs_[number].is_noop) {
                weights_[number] += kEpsilon;
            }
        }
    }
}

// Finds the shortest path by the algorithm of Bellman and Ford. It stops as soon as nothing changes.
void MaxMatch::find_path() {
    distances_.assign(vertices_.size(), std::numeric_limits<double>::infinity());
    last_.assign(vertices_.size(), 0);
    distances_[0] = 0;
    bool has_changed = true;
    for (size_t round = 1; round < vertices_.size() && has_changed; ++round) {
        checkpoint(2 * order_.size());
        has_changed = false;
        for (uint32_t number : order_) {
            const Arc& arc = arcs_[number];
            double distance = distances_[arc.from] + weights_[number];
            if (!(distance < distances_[arc.to])) continue;
            distances_[arc.to] = distance;
            last_[arc.to] = number + 1;
            has_changed = true;
        }
    }
    found_.clear();
    for (uint32_t at = static_cast<uint32_t>(vertices_.size() - 1); last_[at] != 0; at = arcs_[last_[at] - 1].from) {
        const Arc& arc = arcs_[last_[at] - 1];
        if (arc.is_noop) continue;
        found_.push_back({vertices_[arc.from].source, vertices_[arc.to].source, vertices_[arc.from].hypothesis,
                          vertices_[arc.to].hypothesis, false});
    }
    std::reverse(found_.begin(), found_.end());
}

MaxMatchRow MaxMatch::count(std::span<const GoldEdit> all) {
    std::vector<GoldEdit> gold;
    std::ranges::copy_if(all, std::back_inserter(gold), [&](const GoldEdit& edit) {
        return edit.begin <= source_.size() && edit.end <= source_.size();
    });
    weigh(gold);
    find_path();
    MaxMatchRow row{0, static_cast<int64_t>(found_.size()), static_cast<int64_t>(gold.size())};
    size_t next = 0;  // edits match the annotator's in order
    for (FoundEdit& edit : found_) {
        size_t width = hypothesis_.size() + 1;
        Arc arc{vertex_of_[edit.begin * width + edit.hypothesis_begin],
                vertex_of_[edit.end * width + edit.hypothesis_end], 1, 0, false};
        for (size_t i = next; i < gold.size(); ++i) {
            if (!is_gold(arc, gold[i])) continue;
            edit.is_correct = true;
            ++row.correct;
            next = i + 1;
        }
    }
    return row;
}

void MaxMatch::annotate(std::vector<GoldEdit>& gold, std::vector<std::string>& corrections) const {
    gold.clear();
    corrections.assign(found_.size(), {});
    for (size_t i = 0; i < found_.size(); ++i) {
        for (size_t j = found_[i].hypothesis_begin; j < found_[i].hypothesis_end; ++j) {
            if (!corrections[i].empty()) corrections[i] += ' ';
            corrections[i] += hypothesis_[j];
        }
        gold.push_back({found_[i].begin, found_[i].end, {corrections[i]}});
    }
}

}  // namespace refscore
