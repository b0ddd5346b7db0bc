// The tokens of Stanford CoreNLP's PTBTokenizer 3.4.1, as patterns.
#pragma once

#include <span>

#include "refscore/text/pattern_automaton.hpp"

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

// Automata are separate because most texts cannot match the last three, and one for all would need many more states.
enum Group : uint8_t { kWords, kMail, kWeb, kMarkup, kGroups };

struct Rule {
    Form form;
    Cut cut;
    Group group;
    const char* pattern;
};

// In order: among matches of the same length the first rule wins.
extern const std::span<const Rule> kRules;
extern const std::span<const NamedPattern> kNames;
extern const Alphabet kAlphabet;

}  // namespace refscore::ptb
