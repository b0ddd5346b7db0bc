#include "refscore/text/graphemes.hpp"

#include "refscore/text/code_table.hpp"
#include "refscore/text/unicode.hpp"

namespace refscore {
namespace {

#include "refscore/generated/grapheme_ranges.inc"

enum class Break : uint8_t {
    Other,
    CR,
    LF,
    Control,
    Extend,
    Zwj,
    RegionalIndicator,
    Prepend,
    SpacingMark,
    L,
    V,
    T,
    LV,
    LVT
};
enum class Conjunct : uint8_t { None, Consonant, Linker, Extend };

struct Properties {
    Break breaks = Break::Other;
    Conjunct conjunct = Conjunct::None;
    bool pictographic = false;
};

const CodeTable<Properties>& table() {
    static const CodeTable<Properties> table = [] {
        CodeTable<Properties> table;
        auto add = [&](const auto& ranges, Break value) {
            table.change(ranges, [=](Properties& p) { p.breaks = value; });
        };
        add(kBreakCR, Break::CR);
        add(kBreakLF, Break::LF);
        add(kBreakControl, Break::Control);
        add(kBreakExtend, Break::Extend);
        add(kBreakZWJ, Break::Zwj);
        add(kBreakRegionalIndicator, Break::RegionalIndicator);
        add(kBreakPrepend, Break::Prepend);
        add(kBreakSpacingMark, Break::SpacingMark);
        add(kBreakL, Break::L);
        add(kBreakV, Break::V);
        add(kBreakT, Break::T);
        auto conjoin = [&](const auto& ranges, Conjunct value) {
            table.change(ranges, [=](Properties& p) { p.conjunct = value; });
        };
        conjoin(kConjunctConsonant, Conjunct::Consonant);
        conjoin(kConjunctLinker, Conjunct::Linker);
        conjoin(kConjunctExtend, Conjunct::Extend);
        table.change(kPictographic, [](Properties& p) { p.pictographic = true; });
        return table;
    }();
    return table;
}

Properties properties(uint32_t code) {
    // Hangul syllables are computed as in section 3.12 of the Unicode standard: 28 final consonants, including none.
    constexpr uint32_t kFirstSyllable = 0xac00, kLastSyllable = 0xd7a3, kFinals = 28;
    if (code >= kFirstSyllable && code <= kLastSyllable) {
        Properties syllable;
        syllable.breaks = (code - kFirstSyllable) % kFinals == 0 ? Break::LV : Break::LVT;
        return syllable;
    }
    return table().of(code);
}

// The part of the current cluster that affects the next character.
struct State {
    Break last;
    bool odd_indicators = false;      // the cluster ends in an odd number of regional indicators
    bool after_pictographic = false;  // it ends in a pictograph and any number of extenders
    bool joins_pictographic = false;  // … and a zero-width joiner
    Conjoining conjoining;

    State(const Properties& first, const Conjoining& before) : last(first.breaks), conjoining(before) { step(first); }

    void step(const Properties& next) {
        last = next.breaks;
        odd_indicators = next.breaks == Break::RegionalIndicator && !odd_indicators;
        joins_pictographic = after_pictographic && next.breaks == Break::Zwj;
        after_pictographic = next.pictographic || (after_pictographic && next.breaks == Break::Extend);
        bool starts = next.conjunct == Conjunct::Consonant,
             goes_on = conjoining.after_consonant && next.conjunct != Conjunct::None;
        bool joins = conjoining.joins_consonant || next.conjunct == Conjunct::Linker;
        conjoining = {starts || goes_on, !starts && goes_on && joins};
    }

    // The rules of Unicode Standard Annex 29, by their numbers.
    bool goes_on_with(const Properties& next) const {
        auto is_control = [](Break kind) { return kind == Break::CR || kind == Break::LF || kind == Break::Control; };
        if (last == Break::CR && next.breaks == Break::LF) return true;  // GB3
        if (is_control(last) || is_control(next.breaks)) return false;   // GB4, GB5
        switch (next.breaks) {
            case Break::L:  // GB6 to GB8: the parts of a Hangul syllable
            case Break::LV:
            case Break::LVT:
                if (last == Break::L) return true;
                break;
            case Break::V:
                if (last == Break::L || last == Break::LV || last == Break::V) return true;
                break;
            case Break::T:
                if (last == Break::LV || last == Break::V || last == Break::LVT || last == Break::T) return true;
                break;
            case Break::Extend:
            case Break::Zwj:
            case Break::SpacingMark: return true;  // GB9, GB9a
            case Break::RegionalIndicator:         // GB12, GB13: a flag is a pair of them
                if (odd_indicators) return true;
                break;
            default: break;
        }
        if (last == Break::Prepend) return true;                                              // GB9b
        if (conjoining.joins_consonant && next.conjunct == Conjunct::Consonant) return true;  // GB9c
        return joins_pictographic && next.pictographic;                                       // GB11
    }
};

}  // namespace

const uint8_t* end_of_cluster(const uint8_t* begin, const uint8_t* end, Conjoining& conjoining) {
    const uint8_t* at = begin;
    State state(properties(decode(at)), conjoining);
    while (at != end) {
        const uint8_t* after = at;
        Properties next = properties(decode(after));
        if (!state.goes_on_with(next)) break;
        state.step(next);
        at = after;
    }
    conjoining = state.conjoining;
    return at;
}

}  // namespace refscore
