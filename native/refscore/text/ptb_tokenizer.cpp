#include "refscore/text/ptb_tokenizer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "refscore/text/lowercase.hpp"
#include "refscore/text/ptb_automata.hpp"
#include "refscore/text/tokenizers.hpp"
#include "refscore/text/unicode.hpp"
#include "refscore/threads/thread_local_cache.hpp"

namespace refscore {
namespace {

using ptb::Automata;
using ptb::Automaton;
using ptb::Cut;
using ptb::Form;
using ptb::Rule;

const Automata& automata() {
    static const Automata unpacked;
    return unpacked;
}

bool is_gap(uint32_t code) {
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xa0 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x3000;
}

bool is_tick(uint32_t code) {
    return code == '\'' || code == '`' || code == 0x91 || code == 0x92 || code == 0x2018 || code == 0x2019 ||
           code == 0x201b;
}

constexpr uint32_t kPtbSoftHyphen = 0xad;
constexpr std::string_view kNoBreakSpace = "\xc2\xa0";

// The tokens that coco-caption drops. Its list has the names of brackets too, but in capitals, so they remain.
bool is_dropped(std::string_view token) {
    static constexpr std::string_view kDropped[] = {"''", "'", "``", "`",  ".",   "?", "!",
                                                    ",",  ":", "-",  "--", "...", ";"};
    return token.size() <= 3 && std::find(std::begin(kDropped), std::end(kDropped), token) != std::end(kDropped);
}

std::string_view quote(uint32_t code, bool opens) {
    switch (code) {
        case '\'': return opens ? "`" : "'";
        case '"': return opens ? "``" : "''";
        case 0x91:
        case 0x2018:
        case 0x201b:
        case 0x2039: return "`";
        case 0x92:
        case 0x2019:
        case 0x203a: return "'";
        case 0x93:
        case 0x201c:
        case 0xab: return "``";
        case 0x94:
        case 0x201d:
        case 0xbb: return "''";
        default: return {};
    }
}

std::string_view fraction(uint32_t code) {
    switch (code) {
        case 0xbc: return "1/4";
        case 0xbd: return "1/2";
        case 0xbe: return "3/4";
        case 0x2153: return "1/3";
        case 0x2154: return "2/3";
        default: return {};
    }
}

std::string_view currency(uint32_t code) {
    switch (code) {
        case 0xa2: return "cents";
        case 0xa3: return "#";
        case 0x80:
        case 0xa4:
        case 0x20a0:
        case 0x20ac: return "$";
        default: return {};
    }
}

std::string_view parenthesis(uint32_t code) {
    return code == '(' ? "-LRB-" : code == ')' ? "-RRB-" : std::string_view{};
}

// Tokenizes one text. Reused for many.
class PtbScanner {
  public:
    size_t bytes() const {
        size_t hopeless = 0;
        for (const auto& checkpoints : hopeless_) hopeless += checkpoints.capacity() * sizeof(checkpoints[0]);
        return classes_.bytes() + offsets_.bytes() + written_.bytes() + lowered_.bytes() + hopeless;
    }

    void tokenize(const PtbRules& rules, Arena& arena, Span text, TokenSpans& out) {
        coco_ = rules.coco;
        read(arena.data() + text.begin, text.end - text.begin);
        out.reset(size_);  // each token takes at least one unit
        count_ = written_size_ = 0;
        for (size_t at = 0; at < size_;) at += take(at, out);
        arena.cut(text.begin);
        arena.append_utf8(written_.data(), written_size_);
        for (size_t i = 0; i < count_; ++i) {
            out.begins()[i] += text.begin;
            out.ends()[i] += text.begin;
        }
        out.resize(count_);
    }

  private:
    // ---- the text as classes of UTF-16 units

    void read(const uint8_t* bytes, size_t size) {
        const uint8_t* unit_classes = automata().classes.data();
        bytes_ = bytes;
        uint8_t* classes = classes_.reserve(size + 1);
        uint32_t* offsets = offsets_.reserve(size + 2);
        std::fill(std::begin(last_), std::end(last_), size_t{0});
        size_ = 0;
        uint32_t before = 0;
        for (const uint8_t *at = bytes, *end = bytes + size; at != end;) {
            uint32_t offset = static_cast<uint32_t>(at - bytes);
            uint32_t code = decode(at);
            if (code == '\n') code = ' ';
            if (code == '@') last_[ptb::kMail] = size_ + 1;
            if (code == '<') last_[ptb::kMarkup] = size_ + 1;
            if ((before == '.' && !is_gap(code)) || (before == ':' && code == '/')) last_[ptb::kWeb] = size_;
            bool is_pair = code > 0xffff;
            uint8_t unit_class = unit_classes[is_pair ? 0xd800 : code];
            classes[size_] = unit_class;
            offsets[size_++] = offset;
            if (is_pair) {
                classes[size_] = unit_class;
                offsets[size_++] = offset;
            }
            before = code;
        }
        classes[size_] = unit_classes[uint8_t{'\n'}];
        offsets[size_] = offsets[size_ + 1] = static_cast<uint32_t>(size);
        last_[ptb::kWords] = size_;
        for (auto& checkpoints : hopeless_) checkpoints.clear();
    }

    // The character at a unit. A line break follows the last one.
    uint32_t code_at(size_t unit) const {
        if (unit >= size_) return '\n';
        const uint8_t* at = bytes_ + offsets_[unit];
        uint32_t code = decode(at);
        return code == '\n' ? ' ' : code;
    }

    // ---- the longest match

    struct Match {
        size_t length = 0;
        uint8_t rule = Automaton::kNone;
    };

    Match longest_match(size_t at) {
        Match best = match(ptb::kWords, at);
        for (ptb::Group group : {ptb::kMail, ptb::kWeb, ptb::kMarkup}) {
            if (at >= last_[group]) continue;
            Match other = match(group, at);
            if (other.length > best.length || (other.length == best.length && other.rule < best.rule)) best = other;
        }
        return best;
    }

    // Some patterns read ahead without limit, such as an address up to its @. To read each part of a long text only a
    // limited number of times, states that led to no longer match are remembered at every kStretch units.
    Match match(ptb::Group group, size_t at) {
        constexpr size_t kStretch = 64;
        const Automaton& automaton = automata().automata[group];
        auto& hopeless = hopeless_[group];
        passed_.clear();
        Match best;
        uint16_t state = Automaton::kStart;
        for (size_t i = at; i <= size_; ++i) {
            state = automaton.next(state, classes_[i]);
            if (state == Automaton::kDead) break;
            if (uint8_t rule = automaton.accepted(state); rule != Automaton::kNone) {
                best = {i + 1 - at, rule};
                passed_.clear();
            }
            if (i % kStretch == kStretch - 1) {
                size_t checkpoint = i / kStretch;
                if (checkpoint < hopeless.size() && std::find(hopeless[checkpoint].begin(), hopeless[checkpoint].end(),
                                                              state) != hopeless[checkpoint].end())
                    break;
                passed_.push_back({checkpoint, state});
            }
        }
        for (Passed passed : passed_) {
            if (hopeless.size() <= passed.checkpoint) hopeless.resize(passed.checkpoint + 1);
            hopeless[passed.checkpoint].push_back(passed.state);
        }
        return best;
    }

    // The end of the token in a match.
    size_t end_of_token(Cut cut, size_t at, size_t end) const {
        switch (cut) {
            case Cut::Nothing: return end;
            case Cut::One: return end - 1;
            case Cut::Two: return end - 2;
            case Cut::Four: return end - 4;
            case Cut::LastBreak: return code_at(end - 1) == '\n' && code_at(end - 2) == '\r' ? end - 2 : end - 1;
            case Cut::First: return at + 1;
            case Cut::Gap:
                while (!is_gap(code_at(at))) ++at;
                return at;
            case Cut::Period:
                while (code_at(at) != '.') ++at;
                return at + 1;
            case Cut::Apostrophe:
            case Cut::Negation:
                do --end;
                while (!is_tick(code_at(end)) && code_at(end) != '&');
                return cut == Cut::Apostrophe ? end : end - 1;
        }
        return end;
    }

    // ---- tokens

    // Writes the token at a unit, if any, and returns the number of units that it takes.
    size_t take(size_t at, TokenSpans& out) {
        Match match = longest_match(at);
        const Rule& rule = automata().rules[match.rule];
        if (rule.form == Form::Skip) return match.length;
        size_t end = end_of_token(rule.cut, at, at + match.length);
        if (rule.form == Form::SplitTwo) end -= 2;
        if (rule.form == Form::SplitThree) end -= 3;
        bool is_letter = rule.form == Form::AcronymEnd && end - at == 2;
        if (is_letter) --end;
        add_token(at, end, rule.form, out);
        bool reads_period_again = rule.form == Form::SentenceEnd || (rule.form == Form::AcronymEnd && !is_letter);
        return end - at - (reads_period_again ? 1 : 0);
    }

    void add_token(size_t at, size_t end, Form form, TokenSpans& out) {
        const uint8_t *from = bytes_ + offsets_[at], *to = bytes_ + offsets_[end];
        size_t begin = written_size_;
        write(from, to, end - at, form);
        if (!coco_) return add_span(begin, written_size_, out);
        const uint8_t* token = written_.data() + begin;
        size_t size = written_size_ - begin;
        bool is_ascii = std::all_of(token, token + size, [](uint8_t byte) { return byte < 0x80; });
        if (is_ascii) {
            for (size_t i = begin; i < written_size_; ++i)
                if (static_cast<uint8_t>(written_[i] - 'A') < 26)
                    written_[i] = static_cast<uint8_t>(written_[i] + ('a' - 'A'));
        } else {
            size_t lowered = append_lowercase(token, size, lowered_, 0);
            written_size_ = begin;
            append({reinterpret_cast<const char*>(lowered_.data()), lowered});
        }
        if (is_dropped({reinterpret_cast<const char*>(written_.data()) + begin, written_size_ - begin})) {
            written_size_ = begin;
            return;
        }
        add_words(begin, out);
    }

    // Adds what was written since `begin`, split at whitespace.
    void add_words(size_t begin, TokenSpans& out) {
        const uint8_t *bytes = written_.data(), *at = bytes + begin, *end = bytes + written_size_;
        for (const uint8_t* word = at; word != end;) {
            const uint8_t* next = word;
            for (; word != end && is_space(decode(next));) word = next;
            const uint8_t* stop = word;
            for (next = stop; stop != end && !is_space(decode(next));) stop = next;
            if (stop != word) add_span(static_cast<size_t>(word - bytes), static_cast<size_t>(stop - bytes), out);
            word = stop;
        }
    }

    void add_span(size_t begin, size_t end, TokenSpans& out) {
        out.begins()[count_] = static_cast<uint32_t>(begin);
        out.ends()[count_++] = static_cast<uint32_t>(end);
    }

    void append(std::string_view bytes) {
        if (bytes.size() > UINT32_MAX - written_size_) throw TooLarge();
        uint8_t* written = written_.reserve(written_size_ + bytes.size(), written_size_);
        std::copy(bytes.begin(), bytes.end(), written + written_size_);
        written_size_ += bytes.size();
    }

    // Writes each character as replace(code), or as it is if that is empty.
    template <class Replace>
    void write_replaced(const uint8_t* from, const uint8_t* to, Replace replace) {
        while (from != to) {
            const uint8_t* next = from;
            uint32_t code = decode(next);
            std::string_view replacement = replace(code);
            if (replacement.empty())
                replacement = {reinterpret_cast<const char*>(from), static_cast<size_t>(next - from)};
            append(replacement);
            from = next;
        }
    }

    void write(const uint8_t* from, const uint8_t* to, size_t units, Form form) {
        std::string_view text(reinterpret_cast<const char*>(from), static_cast<size_t>(to - from));
        auto no_break = [](uint32_t code) { return code == ' ' || code == '\n' ? kNoBreakSpace : std::string_view{}; };
        switch (form) {
            case Form::NoSoftHyphen: return write_without_soft_hyphens(from, to);
            case Form::NoBreak: return write_replaced(from, to, no_break);
            case Form::Phone:
                return write_replaced(from, to, [&](uint32_t code) {
                    return code == '(' || code == ')' ? parenthesis(code) : no_break(code);
                });
            case Form::Parentheses: return write_replaced(from, to, parenthesis);
            case Form::Ampersand: return write_ampersands(text);
            case Form::OpenQuote:
            case Form::Quote: return write_quotes(text, form == Form::OpenQuote);
            case Form::Dash: return append("--");
            case Form::Dashes: return append(units == 3 || units == 4 ? "--" : text);
            case Form::Ellipsis: return append("...");
            case Form::Fraction: return write_replaced(from, to, fraction);
            case Form::Currency: return write_replaced(from, to, currency);
            case Form::Less: return append("<");
            case Form::Greater: return append(">");
            case Form::LeftParenthesis: return append("-LRB-");
            case Form::RightParenthesis: return append("-RRB-");
            case Form::LeftBracket: return append("-LSB-");
            case Form::RightBracket: return append("-RSB-");
            case Form::LeftBrace: return append("-LCB-");
            case Form::RightBrace: return append("-RCB-");
            default: return append(text);
        }
    }

    void write_without_soft_hyphens(const uint8_t* from, const uint8_t* to) {
        size_t begin = written_size_;
        bool has_any = false;
        while (from != to) {
            const uint8_t* next = from;
            if (decode(next) == kPtbSoftHyphen) {
                has_any = true;
            } else {
                append({reinterpret_cast<const char*>(from), static_cast<size_t>(next - from)});
            }
            from = next;
        }
        if (has_any && written_size_ == begin) append("-");
    }

    void write_ampersands(std::string_view text) {
        constexpr std::string_view kEntity = "&amp;";
        auto is_entity = [&](std::string_view rest) {
            return rest.size() >= kEntity.size() &&
                   std::equal(kEntity.begin(), kEntity.end(), rest.begin(),
                              [](char a, char b) { return a == b || (a >= 'a' && a <= 'z' && a == (b | 0x20)); });
        };
        while (!text.empty()) {
            append(text.substr(0, 1));
            text.remove_prefix(is_entity(text) ? kEntity.size() : 1);
        }
    }

    void write_quotes(std::string_view text, bool opens) {
        // Entities in capitals are tokens too, but are not replaced.
        constexpr std::string_view kApostrophe = "&apos;", kQuote = "&quot;";
        while (!text.empty()) {
            const uint8_t* at = reinterpret_cast<const uint8_t*>(text.data());
            const uint8_t* next = at;
            uint32_t code = decode(next);
            size_t size = static_cast<size_t>(next - at);
            if (text.starts_with(kApostrophe)) code = '\'', size = kApostrophe.size();
            if (text.starts_with(kQuote)) code = '"', size = kQuote.size();
            std::string_view replacement = quote(code, opens);
            append(replacement.empty() ? text.substr(0, size) : replacement);
            text.remove_prefix(size);
        }
    }

    struct Passed {
        size_t checkpoint;
        uint16_t state;
    };

    bool coco_ = false;
    const uint8_t* bytes_ = nullptr;
    size_t size_ = 0;                          // units
    Buffer<uint8_t> classes_;                  // of the units and the final line break
    Buffer<uint32_t> offsets_;                 // of the units in the text
    std::array<size_t, ptb::kGroups> last_{};  // matches of each automaton must begin before
    std::array<std::vector<std::vector<uint16_t>>, ptb::kGroups> hopeless_;
    std::vector<Passed> passed_;
    Buffer<uint8_t> written_, lowered_;
    size_t written_size_ = 0, count_ = 0;
};

}  // namespace

void tokenize_ptb(const PtbRules& rules, Arena& arena, Span text, TokenSpans& out) {
    with_cached<PtbScanner>([&](PtbScanner& scanner) { scanner.tokenize(rules, arena, text, out); });
}

}  // namespace refscore
