// The text around numbers: halves, suffixes, cents, and "one".
#include <algorithm>

#include "refscore/text/whisper_numbers.hpp"

namespace refscore {
namespace {

// The end of `and\s+a\s+half\b` at a position, or 0.
size_t end_of_half(std::string_view text, size_t at) {
    if (text.substr(at, 3) != "and" || word_before(text, at)) return 0;
    size_t article = end_of_spaces(text, at + 3);
    if (article == at + 3 || text.substr(article, 1) != "a") return 0;
    size_t half = end_of_spaces(text, article + 1);
    if (half == article + 1 || text.substr(half, 4) != "half" || word_at(text, half + 4)) return 0;
    return half + 4;
}

std::string_view last_word(std::string_view text) {
    size_t end = text.size();
    while (end > 0) {
        size_t start = previous_start(text, end), next = start;
        if (!is_space(next_code(text, next))) break;
        end = start;
    }
    size_t begin = end;
    while (begin > 0) {
        size_t start = previous_start(text, begin), next = start;
        if (is_space(next_code(text, next))) break;
        begin = start;
    }
    return text.substr(begin, end - begin);
}

// "two and a half" -> "two point five"
void write_halves(RewrittenText& text) {
    std::string_view in = text.text();
    if (in.find("half") == std::string_view::npos) return;
    std::string& out = text.output();
    auto put = [&, is_first = true](std::string_view part) mutable {
        if (!is_first) out += ' ';
        is_first = false;
        out += part;
    };
    size_t begin = 0;
    for (size_t at = in.find("and"); at != std::string_view::npos; at = in.find("and", at)) {
        size_t end = end_of_half(in, at);
        if (end == 0) {
            ++at;
            continue;
        }
        std::string_view part = in.substr(begin, at - begin), word = last_word(part);
        if (!word.empty()) {
            put(part);
            put(can_precede_half(word) ? "point five" : "and a half");
        }
        begin = at = end;
    }
    std::string_view rest = in.substr(begin);
    if (!last_word(rest).empty()) put(rest);
    text.replace_text();
}

bool has_digits(std::string_view text) { return std::ranges::any_of(text, is_ascii_digit); }

// "a1b" -> "a 1 b"
void separate_letters_and_digits(RewrittenText& text) {
    const std::string& in = text.text();
    std::string& out = text.output();
    size_t copied = 0;
    for (size_t at = 1; at < in.size(); ++at) {
        char before = in[at - 1], c = in[at];
        if (!(is_ascii_lower(before) && is_ascii_digit(c)) && !(is_ascii_digit(before) && is_ascii_lower(c))) continue;
        out.append(in, copied, at - copied) += ' ';
        copied = at;
    }
    if (copied == 0) return;
    out.append(in, copied);
    text.replace_text();
}

// "1 st" -> "1st"
void join_suffixes(RewrittenText& text) {
    const std::string& in = text.text();
    std::string& out = text.output();
    size_t copied = 0;
    for (size_t at = 0; at < in.size();) {
        if (!is_ascii_digit(in[at++])) continue;
        size_t end = end_of_spaces(in, at);
        if (end == at) continue;
        bool is_suffix = false;
        for (std::string_view suffix : {"st", "nd", "rd", "th", "s"})
            is_suffix |= in.compare(end, suffix.size(), suffix) == 0 && !word_at(in, end + suffix.size());
        if (is_suffix) {
            out.append(in, copied, at - copied);
            copied = end;
        }
        at = end;
    }
    if (copied == 0) return;
    out.append(in, copied);
    text.replace_text();
}

// The size of one of € £ $ at a position, or 0.
size_t currency_at(std::string_view text, size_t at) {
    if (text[at] == '$') return 1;
    for (std::string_view symbol : {"£", "€"})
        if (text.substr(at, symbol.size()) == symbol) return symbol.size();
    return 0;
}

constexpr std::string_view kCent = "¢";

// The number of one or two ASCII digits at a position, if no other word character follows them.
size_t cents_at(std::string_view text, size_t at) {
    size_t count = 0;
    while (count < 3 && at + count < text.size() && is_ascii_digit(text[at + count])) ++count;
    return count < 3 && !word_at(text, at + count) ? count : 0;
}

// "$2 and ¢7" -> "$2.07"
void join_cents(RewrittenText& text) {
    std::string_view in = text.text();
    if (in.find(kCent) == std::string_view::npos) return;
    std::string& out = text.output();
    for (size_t at = 0; at < in.size();) {
        size_t currency = currency_at(in, at), end = at + currency;
        if (currency == 0) {
            out += in[at++];
            continue;
        }
        while (end < in.size() && is_ascii_digit(in[end])) ++end;
        out += in.substr(at, end - at);
        bool has_dollars = end > at + currency;
        at = end;
        if (!has_dollars || at == in.size() || in[at] != ' ') continue;
        size_t cent = at + 1;
        if (in.substr(cent, 4) == "and ") cent += 4;
        if (in.substr(cent, kCent.size()) != kCent) continue;
        size_t digits = cent + kCent.size(), count = cents_at(in, digits);
        if (count == 0) continue;
        out += count == 1 ? ".0" : ".";
        out += in.substr(digits, count);
        at = digits + count;
    }
    text.replace_text();
}

// "$0.50" -> "¢50". As in the original, any character may be between 0 and the cents.
void extract_cents(RewrittenText& text) {
    std::string_view in = text.text();
    std::string& out = text.output();
    size_t copied = 0;
    for (size_t zero = in.find('0'); zero < in.size(); zero = in.find('0', zero + 1)) {
        size_t begin = zero < 1 ? zero : previous_start(in, zero);
        if (begin < copied || begin == zero || currency_at(in, begin) == 0 || zero + 1 == in.size() ||
            in[zero + 1] == '\n')
            continue;
        size_t digits = zero + 1;
        next_code(in, digits);
        size_t count = cents_at(in, digits);
        if (count == 0) continue;
        out.append(in.substr(copied, begin - copied)).append(kCent);
        copied = digits + count;
        size_t first = count == 2 && in[digits] == '0' ? digits + 1 : digits;
        out += in.substr(first, copied - first);
    }
    if (copied == 0) return;
    out += in.substr(copied);
    text.replace_text(true);
}

// "1" -> "one", "1s" -> "ones"
void spell_one(RewrittenText& text) {
    const std::string& in = text.text();
    size_t at = in.find('1');
    if (at == std::string::npos) return;
    std::string& out = text.output();
    size_t copied = 0;
    for (; at != std::string::npos; at = in.find('1', at + 1)) {
        size_t end = at + 1;
        if (end < in.size() && in[end] == 's') ++end;
        if (word_before(in, at) || word_at(in, end)) continue;
        out.append(in, copied, at - copied).append("one");
        copied = at + 1;
    }
    out.append(in, copied);
    text.replace_text();
}

}  // namespace

void standardize_whisper_numbers(RewrittenText& text) {
    write_halves(text);
    if (has_digits(text.text())) {
        separate_letters_and_digits(text);
        join_suffixes(text);
    }
    write_whisper_numbers(text);
    if (!has_digits(text.text())) return;
    join_cents(text);
    extract_cents(text);
    spell_one(text);
}

}  // namespace refscore
