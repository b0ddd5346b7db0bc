#include "refscore/text/ptb_automata.hpp"

#include <algorithm>

namespace refscore::ptb {
namespace {

// Units from `first` to the next run have this class.
struct ClassRun {
    uint16_t first;
    uint8_t unit_class;
};

// The moves of a state are those of an earlier state, except for this many changes.
struct StateRow {
    uint16_t like;
    uint8_t accepted;
    uint8_t changes;
};

// Classes from `first` up to `end` lead to another state.
struct StateChange {
    uint8_t first, end;
    uint16_t next;
};

#include "refscore/generated/ptb_automata.inc"

struct Table {
    std::span<const StateRow> states;
    std::span<const StateChange> changes;
};
constexpr Table kTables[kGroups] = {{kWordsStates, kWordsChanges},
                                    {kMailStates, kMailChanges},
                                    {kWebStates, kWebChanges},
                                    {kMarkupStates, kMarkupChanges}};

}  // namespace

Automata::Automata() : rules(kRuleList), classes(0x10000) {
    for (const ClassRun& run : kClassRuns) std::fill(classes.begin() + run.first, classes.end(), run.unit_class);
    for (size_t group = 0; group < kGroups; ++group) {
        Automaton& automaton = automata[group];
        automaton.width_ = kClasses;
        automaton.moves_.resize(kTables[group].states.size() * kClasses, Automaton::kDead);
        const StateChange* change = kTables[group].changes.data();
        auto row = automaton.moves_.begin();
        for (const StateRow& state : kTables[group].states) {
            std::copy_n(automaton.moves_.begin() + state.like * kClasses, kClasses, row);
            for (size_t i = 0; i < state.changes; ++i, ++change)
                std::fill(row + change->first, row + change->end, change->next);
            automaton.accepted_.push_back(state.accepted);
            row += kClasses;
        }
    }
}

}  // namespace refscore::ptb
