// The tokens of Stanford CoreNLP's PTBTokenizer 3.4.1, as automata that find the longest match at a position. Each
// character costs one table lookup. native/tools/make_ptb_automata.py compiles them from patterns.
//
// They match UTF-16 code units, because the lexer that they describe does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refscore::ptb {

// How much of a match belongs to the token. The rest is context that only selects the pattern.
enum class Cut : uint8_t {
    Nothing,
    One,         // all but the last unit
    Two,         // all but the last two units
    Four,        // all but the last four units
    LastBreak,   // all but a final line break, which may be \r\n, or else all but the last unit
    Gap,         // up to the first whitespace
    Period,      // up to the first period, which belongs to the token
    First,       // the first unit
    Apostrophe,  // up to the last apostrophe
    Negation,    // up to the unit before the last apostrophe: do|n't
};

// How a token is written.
enum class Form : uint8_t {
    Skip,  // not a token
    Same,
    NoSoftHyphen,  // without soft hyphens, but "-" if nothing else is left
    NoBreak,       // spaces become no-break spaces
    Phone,         // the same, and parentheses have names
    Parentheses,   // parentheses have names
    Ampersand,     // &amp; becomes &
    OpenQuote,     // ' and " become ` and ``, and curly quotes by their direction
    Quote,         // " becomes '', and curly quotes as above
    Dash,
    Dashes,  // three or four hyphens become two
    Ellipsis,
    Fraction,
    Currency,
    Less,
    Greater,
    LeftParenthesis,
    RightParenthesis,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    SplitTwo,     // the last two units are a token: gon|na
    SplitThree,   // the last three units are a token: can|not
    SentenceEnd,  // the period ends the sentence as well, so it is read again
    AcronymEnd,   // the same, but a single letter loses its period: I.
};

// The automata. Most texts cannot match the last three.
enum Group : uint8_t { kWords, kMail, kWeb, kMarkup, kGroups };

struct Rule {
    Form form;
    Cut cut;
};

class Automaton {
  public:
    static constexpr uint16_t kDead = 0, kStart = 1;  // kDead: the state without any match
    static constexpr uint8_t kNone = 0xff;            // not a rule

    uint16_t next(uint16_t state, uint8_t unit_class) const { return moves_[state * width_ + unit_class]; }
    // The rule that matches the units read so far. Of several, the first one.
    uint8_t accepted(uint16_t state) const { return accepted_[state]; }

  private:
    friend struct Automata;
    size_t width_ = 0;  // unit classes per state
    std::vector<uint16_t> moves_;
    std::vector<uint8_t> accepted_;
};

// Automata that share their classes of units: units of one class are in the same sets of every pattern.
struct Automata {
    Automata();

    std::span<const Rule> rules;
    std::vector<uint8_t> classes;  // of each of the 65,536 units
    std::array<Automaton, kGroups> automata;
};

}  // namespace refscore::ptb
