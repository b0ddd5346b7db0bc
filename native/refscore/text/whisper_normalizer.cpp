#include "refscore/text/whisper_normalizer.hpp"

#include <array>
#include <cstring>
#include <span>

#include "refscore/text/graphemes.hpp"
#include "refscore/text/whisper_numbers.hpp"
#include "refscore/text/word_table.hpp"

namespace refscore {
namespace {

struct Spelling {
    std::string_view british, american;
};

// Two words that are written as one.
struct WordPair {
    std::string_view first, second, joined;
};

#include "refscore/generated/open_asr_words.inc"
#include "refscore/generated/whisper_spellings.inc"

// Sets of EnglishRules, a bit each.
using RuleSet = uint8_t;
constexpr RuleSet only(EnglishRules rules) { return static_cast<RuleSet>(1 << static_cast<int>(rules)); }
constexpr RuleSet kAllRules = 0xff, kColloquial = only(EnglishRules::WhisperNormalizer),
                  kNewest = only(EnglishRules::OpenAsr2026), kOlder = kAllRules & ~kNewest;

// A literal that is replaced. It must end at a word boundary, and begin at one unless it starts with an ending.
struct RewriteRule {
    std::string_view literal, replacement;
    bool is_whole_word = true;
    RuleSet sets = kAllRules;
};

constexpr bool kEnding = false;

constexpr RewriteRule kFillers[] = {
    {"hmm", ""},
    {"mm", ""},
    {"mhm", ""},
    {"mmm", ""},
    {"uh", ""},
    {"um", ""},
    {"ah", "", true, kNewest},
    {"aha", "", true, kNewest},
    {"ahh", "", true, kNewest},
    {"ahm", "", true, kNewest},
    {"eh", "", true, kNewest},
    {"ehehe", "", true, kNewest},
    {"em", "", true, kNewest},
    {"hm", "", true, kNewest},
    {"huh", "", true, kNewest},
    {"hum", "", true, kNewest},
    {"mhum", "", true, kNewest},
    {"uhm", "", true, kNewest},
    {"umm", "", true, kNewest},
    {"uhuh", "", true, kNewest},
};

// In the order of the original: a rule sees the text that earlier rules produced.
constexpr RewriteRule kContractions[] = {
    {"won't", "will not"},
    {"can't", "can not"},
    {"let's", "let us"},
    {"ain't", "aint"},
    {"y'all", "you all"},
    {"wanna", "want to"},
    {"kinda", "kind of", true, kColloquial},
    {"sorta", "sort of", true, kColloquial},
    {"dunno", "do not know", true, kColloquial},
    {"gotta", "got to"},
    {"gonna", "going to"},
    {"i'ma", "i am going to"},
    {"imma", "i am going to"},
    {"woulda", "would have"},
    {"coulda", "could have"},
    {"shoulda", "should have"},
    {"cause", "because", true, kColloquial},
    {"ma'am", "madam"},
    {"mr", "mister "},
    {"mrs", "missus "},
    {"st", "saint "},
    {"dr", "doctor "},
    {"prof", "professor "},
    {"capt", "captain "},
    {"gov", "governor "},
    {"ald", "alderman "},
    {"gen", "general "},
    {"sen", "senator "},
    {"rep", "representative "},
    {"pres", "president "},
    {"rev", "reverend "},
    {"hon", "honorable "},
    {"asst", "assistant "},
    {"assoc", "associate "},
    {"lt", "lieutenant "},
    {"col", "colonel "},
    {"jr", "junior "},
    {"sr", "senior "},
    {"esq", "esquire "},
    {"'d been", " had been", kEnding},
    {"'s been", " has been", kEnding},
    {"'d gone", " had gone", kEnding},
    {"'s gone", " has gone", kEnding},
    {"'d done", " had done", kEnding},
    {"'s got", " has got", kEnding},
    {"n't", " not", kEnding},
    {"'re", " are", kEnding},
    {"'s", " is", kEnding, kOlder},
    {"it's", "it is", true, kNewest},
    {"he's", "he is", true, kNewest},
    {"she's", "she is", true, kNewest},
    {"what's", "what is", true, kNewest},
    {"that's", "that is", true, kNewest},
    {"who's", "who is", true, kNewest},
    {"here's", "here is", true, kNewest},
    {"there's", "there is", true, kNewest},
    {"how's", "how is", true, kNewest},
    {"when's", "when is", true, kNewest},
    {"where's", "where is", true, kNewest},
    {"why's", "why is", true, kNewest},
    {"this's", "this is", true, kNewest},
    {"'d", " would", kEnding},
    {"'ll", " will", kEnding},
    {"'t", " not", kEnding},
    {"'ve", " have", kEnding},
    {"'m", " am", kEnding},
};

// The pairs of letters and apostrophes that a text has, and those that may begin a word. Most rules cannot match, and
// this set shows it without a search.
class LetterPairs {
  public:
    explicit LetterPairs(std::string_view text) { add(text); }
    // Adds the pairs of a text between characters that are not letters.
    void add(std::string_view text) {
        uint8_t before = 0, first = 0;
        for (char c : text) {
            uint8_t second = kClasses[static_cast<uint8_t>(c)];
            pairs_[pair(first, second)] |= is_word(before) ? 1 : 3;
            before = first;
            first = second;
        }
    }
    // A replacement ends before a character that is not a letter, and begins after one or with a space. The only
    // neighbor that is part of a pair is thus an apostrophe.
    void add_replacement(std::string_view text) {
        if (text.empty()) return;
        add(text);
        uint8_t first = kClasses[static_cast<uint8_t>(text.front())],
                last = kClasses[static_cast<uint8_t>(text.back())];
        pairs_[pair(kApostrophe, first)] = pairs_[pair(last, kApostrophe)] = 3;
    }
    bool may_have(const RewriteRule& rule) const {
        uint8_t first = kClasses[static_cast<uint8_t>(rule.literal[0])],
                second = kClasses[static_cast<uint8_t>(rule.literal[1])];
        return (pairs_[pair(first, second)] & (rule.is_whole_word ? 2 : 1)) != 0;
    }

  private:
    static constexpr uint8_t kApostrophe = 27, kOtherWord = 28;
    // Letters count from 1. Non-ASCII characters have class 0, so a word may begin after them.
    static constexpr std::array<uint8_t, 256> kClasses = [] {
        std::array<uint8_t, 256> classes{};
        for (uint8_t c = 'a'; c <= 'z'; ++c) classes[c] = static_cast<uint8_t>(c - 'a' + 1);
        for (uint8_t c = '0'; c <= '9'; ++c) classes[c] = kOtherWord;
        classes['_'] = kOtherWord;
        classes['\''] = kApostrophe;
        return classes;
    }();
    static constexpr bool is_word(uint8_t kind) { return kind != 0 && kind != kApostrophe; }
    static constexpr size_t pair(uint8_t first, uint8_t second) { return static_cast<size_t>(first) << 5 | second; }

    std::array<uint8_t, 1024> pairs_{};
};

void apply_rules(RewrittenText& text, std::span<const RewriteRule> all, LetterPairs& pairs, EnglishRules rules) {
    for (const RewriteRule& rule : all) {
        if ((rule.sets & only(rules)) == 0 || !pairs.may_have(rule)) continue;
        if (replace_literal(text, rule.literal, rule.replacement, rule.is_whole_word, true))
            pairs.add_replacement(rule.replacement);
    }
}

// Returns whether the text has changed.
bool remove_spaces_before_apostrophes(RewrittenText& text) {
    const std::string& in = text.text();
    std::string& out = text.output();
    size_t copied = 0;
    for (size_t at = in.find('\''); at != std::string::npos; at = in.find('\'', at + 1)) {
        size_t begin = at;
        while (begin > copied) {
            size_t start = previous_start(in, begin), next = start;
            if (!is_space(next_code(in, next))) break;
            begin = start;
        }
        if (begin == at) continue;
        out.append(in, copied, begin - copied);
        copied = at;
    }
    if (copied == 0) return false;
    out.append(in, copied);
    text.replace_text();
    return true;
}

// "1,234" -> "1234". As with re.sub, the digit after a comma belongs to the match, so the second comma of "1,2,3"
// stays.
void remove_commas_in_numbers(RewrittenText& text) {
    const std::string& in = text.text();
    std::string& out = text.output();
    auto is_digit = [&](uint32_t code) {
        return code < 0x80 ? is_ascii_digit(static_cast<char>(code)) : text.database().decimal(code) >= 0;
    };
    size_t copied = 0, matched = 0;
    for (size_t at = in.find(','); at != std::string::npos; at = in.find(',', at + 1)) {
        if (at == matched || at + 1 == in.size()) continue;
        size_t before = previous_start(in, at), after = at + 1;
        if (!is_digit(next_code(in, before)) || !is_digit(next_code(in, after))) continue;
        out.append(in, copied, at - copied);
        copied = at + 1;
        matched = after;
    }
    if (copied == 0) return;
    out.append(in, copied);
    text.replace_text();
}

// Replaces periods that no ASCII digit follows. The character after a period belongs to the match, so the second of two
// periods stays.
void remove_periods(RewrittenText& text) {
    std::string& all = text.mutable_text();
    for (size_t at = all.find('.'); at < all.size(); at = all.find('.', at)) {
        if (at + 1 < all.size() && is_ascii_digit(all[at + 1])) {
            ++at;
        } else {
            all[at] = ' ';
            at += 2;
        }
    }
}

// Letters that NFKD does not split into a base letter and a mark.
std::string_view base_letters(uint32_t code) {
    switch (code) {
        case 0x153: return "oe";
        case 0x152: return "OE";
        case 0xf8: return "o";
        case 0xd8: return "O";
        case 0xe6: return "ae";
        case 0xc6: return "AE";
        case 0xdf: return "ss";
        case 0x1e9e: return "SS";
        case 0x111: return "d";
        case 0x110: return "D";
        case 0xf0: return "d";
        case 0xd0: return "D";
        case 0xfe: return "th";
        case 0xde: return "th";
        case 0x142: return "l";
        case 0x141: return "L";
        default: return {};
    }
}

enum class Marks : uint8_t { Drop, Space, Keep };

constexpr bool is_ascii_mark(char c) {
    auto byte = static_cast<uint8_t>(c);
    bool is_visible = is_between(byte, '!', '~'), is_digit = is_between(byte, '0', '9'),
         is_letter = is_between(byte | 0x20, 'a', 'z');
    return is_visible & !is_digit & !is_letter;
}

// Replaces ASCII symbols and punctuation. Without branches, so the loop is vectorized.
template <bool keeps_numeric>
void replace_ascii_symbols(char* text, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        char c = text[i];
        bool is_mark = is_ascii_mark(c), is_kept = keeps_numeric & ((c == '.') | (c == '%') | (c == '$'));
        text[i] = (is_mark & !is_kept) ? ' ' : c;
    }
}

// Replaces symbols and punctuation by spaces, but keeps . % $ ¢ € £ on request. Marks::Drop also replaces letters by
// base letters.
void replace_symbols(RewrittenText& text, Marks marks, bool keeps_numeric) {
    auto replace = keeps_numeric ? replace_ascii_symbols<true> : replace_ascii_symbols<false>;
    if (text.is_ascii()) return replace(text.mutable_text().data(), text.text().size());
    const std::string& in = text.text();
    std::string& out = text.output();
    for (size_t at = 0; at < in.size();) {
        size_t wide = at;
        while (wide < in.size() && static_cast<uint8_t>(in[wide]) < 0x80) ++wide;
        if (wide > at) {
            size_t size = out.size();
            out.append(in, at, wide - at);
            replace(out.data() + size, out.size() - size);
            at = wide;
            continue;
        }
        size_t next = at;
        uint32_t code = next_code(in, next);
        Category category = text.database().category(code);
        std::string_view base = marks == Marks::Drop ? base_letters(code) : std::string_view();
        bool is_mark = category == Category::NonspacingMark || category == Category::OtherMark;
        if (!base.empty()) {
            out += base;
        } else if ((keeps_numeric && (code == 0xa2 || code == 0xa3 || code == 0x20ac)) || category == Category::Other ||
                   (is_mark && marks == Marks::Keep)) {
            out.append(in, at, next - at);
        } else if (category != Category::NonspacingMark || marks != Marks::Drop) {
            out += ' ';
        }
        at = next;
    }
    text.replace_text();
}

// A table of spellings, and one of Whisper's that it precedes.
class SpellingTable {
  public:
    explicit SpellingTable(std::span<const Spelling> spellings, const SpellingTable* next = nullptr)
        : words_(spellings.size()), next_(next) {
        for (const Spelling& spelling : spellings) words_.add(spelling.british, spelling.american);
    }
    // The other spelling of a word, or the word.
    std::string_view operator()(std::string_view word) const {
        const std::string_view* found = words_.find(word);
        return found != nullptr ? *found : next_ == nullptr ? word : (*next_)(word);
    }

  private:
    WordTable<std::string_view> words_;
    const SpellingTable* next_;
};

const SpellingTable& spellings_of(EnglishRules rules) {
    static const SpellingTable whisper(kSpellings), of_2025(kSpellings_2025_09, &whisper),
        of_2026(kSpellings_2026_06, &whisper);
    switch (rules) {
        case EnglishRules::OpenAsr2025: return of_2025;
        case EnglishRules::OpenAsr2026: return of_2026;
        default: return whisper;
    }
}

// Replaces each word, and joins the words by spaces.
void respell(RewrittenText& text, const SpellingTable& spellings) {
    const std::string& in = text.text();
    std::string& out = text.output();
    for (size_t at = end_of_spaces(in, 0); at < in.size();) {
        size_t end = end_of_word(in, at);
        if (!out.empty()) out += ' ';
        out += spellings(std::string_view(in.data() + at, end - at));
        at = end_of_spaces(in, end);
    }
    text.replace_text();
}

// Writes two words as one, whatever whitespace is between them.
void join_word_pair(RewrittenText& text, const WordPair& pair) {
    const std::string& in = text.text();
    size_t found = in.find(pair.first);
    if (found == std::string::npos) return;
    std::string& out = text.output();
    size_t copied = 0;
    for (; found != std::string::npos; found = in.find(pair.first, found + 1)) {
        if (found < copied || word_before(in, found)) continue;
        size_t space = found + pair.first.size(), second = end_of_spaces(in, space), end = second + pair.second.size();
        if (second == space || in.compare(second, pair.second.size(), pair.second) != 0 || word_at(in, end)) continue;
        out.append(in, copied, found - copied) += pair.joined;
        copied = end;
    }
    if (copied == 0) return;
    out.append(in, copied);
    text.replace_text();
}

// Joins single letters and digits: at least two, or three if one of them is "a" or "i", which are words too. The words
// must be separated by single spaces.
void join_acronyms(RewrittenText& text) {
    const std::string& in = text.text();
    std::string& out = text.output();
    // The end of a word of one letter or digit at a position, or 0.
    auto end_of_letter = [&](size_t at) {
        if (at >= in.size()) return size_t{0};
        size_t end = at;
        uint32_t code = next_code(in, end);
        return is_word_character(code) && (end == in.size() || in[end] == ' ') ? end : 0;
    };
    for (size_t at = 0; at < in.size();) {
        size_t letters = 0, last = at, begin = at;
        bool has_word = false;
        for (size_t end = end_of_letter(begin); end != 0; end = end_of_letter(begin)) {
            std::string_view letter(in.data() + begin, end - begin);
            has_word |= letter == "a" || letter == "i";
            ++letters;
            last = end;
            begin = end + 1;
        }
        if (letters == 0) {
            last = std::min(in.find(' ', at), in.size());
            out.append(in, at, last - at);
        } else if (letters >= (has_word ? 3U : 2U)) {
            for (; at < last; ++at)
                if (in[at] != ' ') out += in[at];
        } else {
            out.append(in, at, last - at);
        }
        if (last < in.size()) out += ' ';
        at = last + 1;
    }
    text.replace_text();
}

// The length of one of . $ ¢ € £ at a position, or 0.
size_t numeric_symbol(std::string_view text, size_t at) {
    if (text[at] == '.' || text[at] == '$') return 1;
    for (std::string_view symbol : {"¢", "£", "€"})
        if (text.substr(at, symbol.size()) == symbol) return symbol.size();
    return 0;
}

// Replaces symbols that belong to no number: . $ ¢ € £ before anything except an ASCII digit, and % after it.
void remove_loose_symbols(RewrittenText& text) {
    const std::string& in = text.text();
    if (!text.is_ascii() || find_either(in, '.', '$') != std::string::npos) {
        std::string& out = text.output();
        size_t copied = 0;
        for (size_t at = 0; at < in.size();) {
            size_t symbol = numeric_symbol(in, at), next = at + symbol;
            if (symbol == 0 || next == in.size() || is_ascii_digit(in[next])) {
                at += symbol > 0 ? symbol : 1;
                continue;
            }
            out.append(in, copied, at - copied) += ' ';
            copied = at = next;
            next_code(in, at);  // belongs to the match
        }
        out.append(in, copied);
        text.replace_text();
    }
    std::string& all = text.mutable_text();
    for (size_t at = all.find('%', 1); at < all.size(); at = all.find('%', at)) {
        if (is_ascii_digit(all[at - 1])) {
            ++at;
        } else {
            all[at] = ' ';
            at += 2;  // the next match needs a character before its %
        }
    }
}

void separate_clusters(RewrittenText& text) {
    const std::string& in = text.text();
    std::string& out = text.output();
    const auto* begin = reinterpret_cast<const uint8_t*>(in.data());
    Conjoining conjoining;
    for (size_t at = 0; at < in.size();) {
        auto end = static_cast<size_t>(end_of_cluster(begin + at, begin + in.size(), conjoining) - begin);
        if (at > 0) out += ' ';
        out.append(in, at, end - at);
        at = end;
    }
    text.replace_text();
}

}  // namespace

void normalize_whisper_basic(RewrittenText& text, WhisperBasic options) {
    lower_text(text);
    remove_brackets(text);
    remove_parentheses(text);
    bool is_converted = convert_form(text, options.drop_diacritics ? UnicodeForm::Nfkd : UnicodeForm::Nfkc);
    replace_symbols(text,
                    options.drop_diacritics ? Marks::Drop
                    : options.keep_marks    ? Marks::Keep
                                            : Marks::Space,
                    false);
    if (is_converted || options.drop_diacritics) lower_text(text);  // these can add capital letters
    if (options.split_letters) separate_clusters(text);
    join_spaces(text, 1);
}

void normalize_open_asr_multilingual(RewrittenText& text) {
    normalize_whisper_basic(text, {});
    std::string& out = text.output();
    const std::string& in = text.text();
    for (size_t at = 0; at < in.size();) {
        size_t next = at;
        uint32_t code = next_code(in, next);
        if (is_regex_word(code) || is_space(code)) out.append(in, at, next - at);
        at = next;
    }
    text.replace_text();
    join_spaces(text, 1);
    strip_text(text);
}

void normalize_whisper_english(RewrittenText& text, EnglishRules rules) {
    static const SpellingTable names(kNames_2026_06);
    bool is_newest = rules == EnglishRules::OpenAsr2026;
    lower_text(text);
    remove_brackets(text);
    remove_parentheses(text);
    LetterPairs pairs(text.text());
    apply_rules(text, kFillers, pairs, rules);
    // Without a filler, the characters around it become neighbors. Neither is a letter, so no rule begins there.
    if (remove_spaces_before_apostrophes(text)) pairs = LetterPairs(text.text());
    apply_rules(text, kContractions, pairs, rules);
    remove_commas_in_numbers(text);
    remove_periods(text);
    convert_form(text, UnicodeForm::Nfkd);
    replace_symbols(text, Marks::Drop, true);
    if (is_newest)
        for (const WordPair& pair : kWordPairs_2026_06) join_word_pair(text, pair);
    standardize_whisper_numbers(text);
    respell(text, spellings_of(rules));
    if (is_newest) {
        respell(text, names);
        join_acronyms(text);
    }
    remove_loose_symbols(text);
    join_spaces(text, 1);
}

}  // namespace refscore
