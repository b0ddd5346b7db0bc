#include "refscore/text/pattern_automaton.hpp"

#include <algorithm>
#include <bitset>
#include <map>
#include <stdexcept>
#include <string>

#include "refscore/segments/sequence_order.hpp"

namespace refscore {
// Not unnamed: a class that the header declares has members of these types.
namespace pattern_parts {

constexpr uint32_t kUnits = 0x10000;
constexpr size_t kMostClasses = 256;  // a class is a byte

// Inclusive ranges, not sorted until normalized() is called.
using UnitSet = std::vector<UnitRange>;

UnitSet normalized(UnitSet set) {
    std::sort(set.begin(), set.end(), [](UnitRange a, UnitRange b) { return a.first < b.first; });
    UnitSet merged;
    for (UnitRange range : set) {
        if (!merged.empty() && range.first <= merged.back().last + 1u) {
            merged.back().last = std::max(merged.back().last, range.last);
        } else {
            merged.push_back(range);
        }
    }
    return merged;
}

UnitSet complement(const UnitSet& set) {
    UnitSet outside;
    uint32_t next = 0;
    for (UnitRange range : set) {
        if (range.first > next)
            outside.push_back({static_cast<uint16_t>(next), static_cast<uint16_t>(range.first - 1)});
        next = range.last + 1u;
    }
    if (next < kUnits) outside.push_back({static_cast<uint16_t>(next), static_cast<uint16_t>(kUnits - 1)});
    return outside;
}

// A nondeterministic automaton. A node reads a unit of a set, continues at two nodes, or accepts.
struct Node {
    enum Kind : uint8_t { kReads, kSplits, kAccepts } kind;
    uint8_t number = Automaton::kNone;
    size_t set = 0;
    size_t next = 0, other = 0;
};

class Nodes {
  public:
    size_t add(Node node) {
        nodes_.push_back(node);
        return nodes_.size() - 1;
    }
    size_t add_set(UnitSet set) {
        set = normalized(std::move(set));
        auto key = set_key(set);
        auto [entry, is_new] = numbers_.try_emplace(std::move(key), sets_.size());
        if (is_new) sets_.push_back(std::move(set));
        return entry->second;
    }
    Node& operator[](size_t i) { return nodes_[i]; }
    const Node& operator[](size_t i) const { return nodes_[i]; }
    size_t size() const { return nodes_.size(); }
    const std::vector<UnitSet>& sets() const { return sets_; }

  private:
    static std::vector<uint32_t> set_key(const UnitSet& set) {
        std::vector<uint32_t> key;
        for (UnitRange range : set) key.push_back(uint32_t{range.first} << 16 | range.last);
        return key;
    }
    std::vector<Node> nodes_;
    std::vector<UnitSet> sets_;
    std::map<std::vector<uint32_t>, size_t, SequenceOrder> numbers_;
};

// Reads a pattern backwards into nodes: each part is built with the node that follows it, so no links are patched
// except loops.
class PatternReader {
  public:
    PatternReader(const Alphabet& alphabet, std::span<const NamedPattern> names, Nodes& nodes)
        : alphabet_(alphabet), names_(names), nodes_(nodes) {}

    // Returns the first node of the pattern, which continues at `next`.
    size_t read(std::string_view pattern, size_t next) {
        if (depth_ > 20) fail("patterns that contain each other", pattern);
        ++depth_;
        size_t at = 0;
        size_t first = alternatives(pattern, at, next);
        if (at != pattern.size()) fail("an unmatched ')'", pattern);
        --depth_;
        return first;
    }

  private:
    [[noreturn]] static void fail(const char* problem, std::string_view pattern) {
        throw std::logic_error(std::string(problem) + " in the pattern " + std::string(pattern));
    }

    size_t alternatives(std::string_view pattern, size_t& at, size_t next) {
        size_t first = sequence(pattern, at, next);
        while (at < pattern.size() && pattern[at] == '|') {
            ++at;
            size_t other = sequence(pattern, at, next);
            first = nodes_.add({.kind = Node::kSplits, .next = first, .other = other});
        }
        return first;
    }

    // The end of the atom that begins at `at`.
    size_t end_of_atom(std::string_view pattern, size_t at) const {
        auto closing = [&](char open, char close) {
            size_t level = 0;
            bool in_set = false;
            for (size_t i = at; i < pattern.size(); ++i) {
                if (pattern[i] == '\\') {
                    ++i;
                } else if (open != '[' && pattern[i] == '[') {
                    in_set = true;
                } else if (in_set) {
                    in_set = pattern[i] != ']';
                } else if (pattern[i] == close) {
                    if (open == '[' || --level == 0) return i + 1;
                } else if (pattern[i] == open) {
                    ++level;
                }
            }
            fail("an unmatched bracket", pattern);
        };
        switch (pattern[at]) {
            case '(': return closing('(', ')');
            case '[': return closing('[', ']');
            case '<': return closing('<', '>');
            case '\\': return at + 1 < pattern.size() && pattern[at + 1] == 'u' ? at + 6 : at + 2;
            default: return at + 1;
        }
    }

    struct Part {
        std::string_view atom;
        unsigned least, most;  // most 0: no limit
    };

    size_t sequence(std::string_view pattern, size_t& at, size_t next) {
        std::vector<Part> parts;
        while (at < pattern.size() && pattern[at] != '|' && pattern[at] != ')') {
            size_t end = end_of_atom(pattern, at);
            if (end > pattern.size()) fail("an incomplete escape", pattern);
            Part part{pattern.substr(at, end - at), 1, 1};
            at = end;
            char sign = at < pattern.size() ? pattern[at] : '\0';
            if (sign == '*') part.least = 0, part.most = 0, ++at;
            if (sign == '+') part.most = 0, ++at;
            if (sign == '?') part.least = 0, ++at;
            if (sign == '{') {
                if (at + 4 >= pattern.size() || pattern[at + 2] != ',' || pattern[at + 4] != '}')
                    fail("a wrong repetition", pattern);
                part.least = static_cast<unsigned>(pattern[at + 1] - '0');
                part.most = static_cast<unsigned>(pattern[at + 3] - '0');
                at += 5;
            }
            parts.push_back(part);
        }
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) next = repeated(*part, next);
        return next;
    }

    size_t repeated(const Part& part, size_t next) {
        if (part.most == 0) {
            size_t loop = nodes_.add({.kind = Node::kSplits, .other = next});
            size_t body = atom(part.atom, loop);
            nodes_[loop].next = body;
            next = part.least == 0 ? loop : body;
        }
        size_t end = next;
        for (unsigned i = part.least; i < part.most; ++i) {
            size_t body = atom(part.atom, next);
            next = nodes_.add({.kind = Node::kSplits, .next = body, .other = end});
        }
        for (unsigned i = part.most == 0 ? 1 : 0; i < part.least; ++i) next = atom(part.atom, next);
        return next;
    }

    size_t atom(std::string_view text, size_t next) {
        if (text[0] == '(') return read(text.substr(1, text.size() - 2), next);
        if (text[0] == '<') {
            std::string_view name = text.substr(1, text.size() - 2);
            for (const NamedPattern& named : names_)
                if (named.name == name) return read(named.pattern, next);
            fail("an unknown name", text);
        }
        UnitSet set;
        if (text[0] == '[') {
            set = set_of(text.substr(1, text.size() - 2));
        } else {
            size_t at = 0;
            add_unit(text, at, set);
            if (text.size() == 1) add_other_cases(text[0], set);
        }
        return nodes_.add({.kind = Node::kReads, .set = nodes_.add_set(std::move(set)), .next = next});
    }

    static void add_other_cases(char letter, UnitSet& set) {
        auto add = [&](int unit) { set.push_back({static_cast<uint16_t>(unit), static_cast<uint16_t>(unit)}); };
        char lower = static_cast<char>(letter | 0x20);
        if (lower < 'a' || lower > 'z') return;
        add(letter ^ 0x20);
        if (lower == 'i') add(0x130), add(0x131);  // İ and ı, with and without a dot in both cases
        if (lower == 'k') add(0x212a);             // the sign of Kelvin
        if (lower == 's') add(0x17f);              // ſ, the long s
    }

    UnitSet set_of(std::string_view text) {
        size_t at = 0;
        bool outside = !text.empty() && text[0] == '^';
        if (outside) ++at;
        UnitSet set;
        while (at < text.size()) {
            add_unit(text, at, set);
            if (at + 1 < text.size() && text[at] == '-') {
                UnitSet last;
                add_unit(text, ++at, last);
                set.back().last = last.back().last;
            }
        }
        return outside ? complement(normalized(std::move(set))) : set;
    }

    // Adds one character, or one set of the alphabet, and advances.
    void add_unit(std::string_view text, size_t& at, UnitSet& set) {
        auto add_all = [&](std::span<const UnitRange> ranges) { set.insert(set.end(), ranges.begin(), ranges.end()); };
        uint32_t unit = static_cast<uint8_t>(text[at++]);
        if (unit == '\\') {
            switch (unit = static_cast<uint8_t>(text[at++])) {
                case 'l': return add_all(alphabet_.letters);
                case 'd': return add_all(alphabet_.digits);
                case 'p': return add_all(alphabet_.capitals);
                case 't': unit = '\t'; break;
                case 'n': unit = '\n'; break;
                case 'v': unit = '\v'; break;
                case 'f': unit = '\f'; break;
                case 'r': unit = '\r'; break;
                case 'u':
                    unit = static_cast<uint32_t>(std::stoul(std::string(text.substr(at, 4)), nullptr, 16)), at += 4;
                    break;
                default: break;
            }
        }
        set.push_back({static_cast<uint16_t>(unit), static_cast<uint16_t>(unit)});
    }

    const Alphabet& alphabet_;
    std::span<const NamedPattern> names_;
    Nodes& nodes_;
    int depth_ = 0;
};

using ClassSet = std::bitset<kMostClasses>;

// Splits the units into classes, and returns the classes of each set. Units between two bounds are in the same sets.
std::vector<ClassSet> classify_units(const std::vector<UnitSet>& sets, std::vector<uint8_t>& classes, size_t& count) {
    std::vector<uint32_t> bounds{0, kUnits};
    for (const UnitSet& set : sets)
        for (UnitRange range : set) bounds.insert(bounds.end(), {uint32_t{range.first}, range.last + 1u});
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    auto at = [&](uint32_t bound) {
        return static_cast<size_t>(std::lower_bound(bounds.begin(), bounds.end(), bound) - bounds.begin());
    };
    std::vector<std::vector<size_t>> containing(bounds.size() - 1);
    for (size_t i = 0; i < sets.size(); ++i)
        for (UnitRange range : sets[i])
            for (size_t stretch = at(range.first), end = at(range.last + 1u); stretch < end; ++stretch)
                containing[stretch].push_back(i);
    std::map<std::vector<size_t>, size_t, SequenceOrder> numbers;
    std::vector<ClassSet> members(sets.size());
    classes.resize(kUnits);
    for (size_t stretch = 0; stretch < containing.size(); ++stretch) {
        size_t number = numbers.try_emplace(containing[stretch], numbers.size()).first->second;
        if (number >= kMostClasses) throw std::logic_error("the patterns need more than 256 classes of units");
        std::fill(classes.begin() + bounds[stretch], classes.begin() + bounds[stretch + 1],
                  static_cast<uint8_t>(number));
        for (size_t i : containing[stretch]) members[i].set(number);
    }
    count = numbers.size();
    return members;
}

}  // namespace pattern_parts

using namespace pattern_parts;

// The subset construction: a state is the set of reading nodes that are active after the same units.
class AutomatonBuilder {
  public:
    AutomatonBuilder(const Nodes& nodes, const std::vector<ClassSet>& members, size_t classes)
        : nodes_(nodes), members_(members), classes_(classes), marks_(nodes.size(), 0) {}

    Automaton build(const std::vector<size_t>& first) {
        automaton_.width_ = classes_;
        state_of({});  // kDead
        automaton_.start_ = state_of(first);
        std::vector<std::vector<size_t>> targets(classes_);
        for (size_t state = 1; state < active_.size(); ++state) {
            for (auto& target : targets) target.clear();
            for (size_t i : active_[state]) {
                if (nodes_[i].kind != Node::kReads) continue;
                const ClassSet& reads = members_[nodes_[i].set];
                for (size_t unit_class = 0; unit_class < classes_; ++unit_class)
                    if (reads[unit_class]) targets[unit_class].push_back(nodes_[i].next);
            }
            for (size_t unit_class = 0; unit_class < classes_; ++unit_class) {
                if (targets[unit_class].empty()) continue;
                uint16_t target = state_of(targets[unit_class]);  // first: it can reallocate the moves
                automaton_.moves_[state * classes_ + unit_class] = target;
            }
        }
        return std::move(automaton_);
    }

  private:
    uint16_t state_of(const std::vector<size_t>& entered) {
        auto [known, is_unknown] = by_entered_.try_emplace(entered, uint16_t{0});
        if (!is_unknown) return known->second;
        std::vector<size_t> active;
        ++round_;
        for (size_t i : entered) collect(i, active);
        std::sort(active.begin(), active.end());
        if (active_.size() >= UINT16_MAX) throw std::logic_error("the patterns need too many states");
        auto [entry, is_new] = by_active_.try_emplace(active, static_cast<uint16_t>(active_.size()));
        known->second = entry->second;
        if (!is_new) return entry->second;
        uint8_t accepted = Automaton::kNone;
        for (size_t i : active)
            if (nodes_[i].kind == Node::kAccepts) accepted = std::min(accepted, nodes_[i].number);
        automaton_.accepted_.push_back(accepted);
        automaton_.moves_.resize(automaton_.moves_.size() + classes_, Automaton::kDead);
        active_.push_back(std::move(active));
        return entry->second;
    }

    // Adds the nodes that are reached from this one without reading.
    void collect(size_t i, std::vector<size_t>& active) {
        std::vector<size_t> pending{i};
        while (!pending.empty()) {
            size_t node = pending.back();
            pending.pop_back();
            if (marks_[node] == round_) continue;
            marks_[node] = round_;
            if (nodes_[node].kind == Node::kSplits) {
                pending.push_back(nodes_[node].next);
                pending.push_back(nodes_[node].other);
            } else {
                active.push_back(node);
            }
        }
    }

    const Nodes& nodes_;
    const std::vector<ClassSet>& members_;
    size_t classes_;
    std::vector<size_t> marks_;  // the round in which each node was collected
    size_t round_ = 0;
    std::map<std::vector<size_t>, uint16_t, SequenceOrder> by_entered_, by_active_;
    std::vector<std::vector<size_t>> active_;
    Automaton automaton_;
};

Automata compile_patterns(const Alphabet& alphabet, std::span<const NamedPattern> names,
                          std::span<const NumberedPattern> patterns) {
    Nodes nodes;
    PatternReader reader(alphabet, names, nodes);
    std::vector<std::vector<size_t>> first;
    for (const NumberedPattern& pattern : patterns) {
        if (first.size() <= pattern.automaton) first.resize(pattern.automaton + 1);
        size_t accepts = nodes.add({.kind = Node::kAccepts, .number = pattern.number});
        first[pattern.automaton].push_back(reader.read(pattern.pattern, accepts));
    }
    Automata automata;
    size_t count = 0;
    std::vector<ClassSet> members = classify_units(nodes.sets(), automata.classes, count);
    for (const auto& starts : first) automata.automata.push_back(AutomatonBuilder(nodes, members, count).build(starts));
    return automata;
}

}  // namespace refscore
