// Compiles patterns into automata that find the longest match at a position. Each character costs one table lookup.
//
// The notation of a pattern:
//   a       a letter matches both cases, also ſ, K (U+212A), İ and ı; every other character, including '.', matches
//   itself [a-z]   one of these characters, in exactly this case; [^a-z] any other; [^] any
//   \x      the character x; \t \n \v \f \r; \u00ad a code unit; \l, \d and \p a letter, digit or capital of the
//   alphabet <name>  a named pattern ( | ) * + ? {2,4}
//
// Patterns match UTF-16 code units, because the lexers that they describe do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace refscore {

struct UnitRange {
    uint16_t first;
    uint16_t last;
};

// Sorted inclusive ranges of letters, digits and capitals.
struct Alphabet {
    std::span<const UnitRange> letters;
    std::span<const UnitRange> digits;
    std::span<const UnitRange> capitals;
};

struct NamedPattern {
    std::string_view name;
    std::string_view pattern;
};

// A pattern of one automaton. If two patterns have matches of the same length, the smaller number wins.
struct NumberedPattern {
    uint8_t number;
    size_t automaton;
    std::string_view pattern;
};

class Automaton {
  public:
    static constexpr uint16_t kDead = 0;    // the state without any match
    static constexpr uint8_t kNone = 0xff;  // not the number of a pattern

    uint16_t start() const { return start_; }
    uint16_t next(uint16_t state, uint8_t unit_class) const { return moves_[state * width_ + unit_class]; }
    // The pattern that matches the units read so far.
    uint8_t accepted(uint16_t state) const { return accepted_[state]; }
    size_t states() const { return accepted_.size(); }

  private:
    friend class AutomatonBuilder;
    size_t width_ = 0;  // unit classes per state
    uint16_t start_ = kDead;
    std::vector<uint16_t> moves_;
    std::vector<uint8_t> accepted_;
};

// Automata that share their classes of units: units of one class are in the same sets of every pattern.
struct Automata {
    std::vector<uint8_t> classes;  // of each of the 65,536 units
    std::vector<Automaton> automata;
};

// Throws std::logic_error for a pattern that does not follow the notation.
Automata compile_patterns(const Alphabet& alphabet, std::span<const NamedPattern> names,
                          std::span<const NumberedPattern> patterns);

}  // namespace refscore
