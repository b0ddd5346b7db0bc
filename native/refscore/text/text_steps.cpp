#include "refscore/text/text_steps.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "refscore/base/byte_order.hpp"

namespace refscore {
namespace {

// The ASCII characters in category P. The other nine of Python's string.punctuation are symbols.
constexpr std::array<bool, 128> kAsciiPunctuation = [] {
    std::array<bool, 128> table{};
    for (char c : std::string_view("!\"#%&'()*,-./:;?@[\\]_{}")) table[static_cast<size_t>(c)] = true;
    return table;
}();

// Whether a test is true for all non-ASCII characters.
template <class Test>
bool all_wide(std::string_view text, Test test) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    for (size_t at = 0; at < text.size();) {
        if (at + 8 <= text.size() && (load64(bytes + at) & kHighBits) == 0) {
            at += 8;
        } else if (bytes[at] < 0x80) {
            ++at;
        } else if (!test(next_code(text, at))) {
            return false;
        }
    }
    return true;
}

// The first place from `at` where one byte follows another, or npos.
size_t find_pair(std::string_view text, char first, char second, size_t at) {
    constexpr uint64_t kOnes = 0x0101010101010101u;
    const uint64_t firsts = kOnes * static_cast<uint8_t>(first), seconds = kOnes * static_cast<uint8_t>(second);
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    for (; at + 9 <= text.size(); at += 8) {
        uint64_t others =
            (load64(bytes + at) ^ firsts) | (load64(bytes + at + 1) ^ seconds);  // its bytes are 0 at the pair
        uint64_t found = (others - kOnes) & ~others & kHighBits;
        if (found != 0) return at + static_cast<size_t>(std::countr_zero(found)) / 8;
    }
    for (; at + 2 <= text.size(); ++at)
        if (text[at] == first && text[at + 1] == second) return at;
    return std::string_view::npos;
}

// std::string_view::find would compare the literal at each occurrence of its first character.
size_t find_literal(std::string_view text, std::string_view literal, size_t at = 0) {
    if (literal.size() == 1) return text.find(literal, at);
    for (;; ++at) {
        at = find_pair(text, literal[0], literal[1], at);
        if (at == std::string_view::npos || text.substr(at).starts_with(literal)) return at;
    }
}

}  // namespace

size_t end_of_spaces(std::string_view text, size_t at) {
    while (at < text.size()) {
        size_t next = at;
        if (!is_space(next_code(text, next))) break;
        at = next;
    }
    return at;
}

void lower_text(RewrittenText& text) {
    if (text.is_ascii() || all_wide(text.text(), [&](uint32_t code) { return text.database().is_lower(code); })) {
        for (char& c : text.mutable_text())
            c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 0x20 : 0));  // no branch: vectorized
        return;
    }
    text.database().lower(text.mutable_text());
    text.update_encoding();
}

void upper_text(RewrittenText& text) {
    if (text.is_ascii()) {
        for (char& c : text.mutable_text())
            if (is_ascii_lower(c)) c = static_cast<char>(c & ~0x20);
        return;
    }
    text.database().upper(text.mutable_text());
    text.update_encoding();
}

bool convert_form(RewrittenText& text, UnicodeForm form) {
    if (text.is_ascii()) return false;
    if (all_wide(text.text(), [&](uint32_t code) { return text.database().is_inert(form, code); })) return false;
    text.database().convert(form, text.mutable_text());
    text.update_encoding();
    return true;
}

void strip_text(RewrittenText& text) {
    std::string& all = text.mutable_text();
    size_t end = all.size();
    while (end > 0) {
        size_t start = previous_start(all, end), next = start;
        if (!is_space(next_code(all, next))) break;
        end = start;
    }
    all.resize(end);
    all.erase(0, end_of_spaces(all, 0));
    text.update_encoding();
}

void join_spaces(RewrittenText& text, size_t shortest) {
    // Without other whitespace, all that is replaced are single bytes.
    if (shortest == 1 &&
        (text.is_ascii() || all_wide(text.text(), [](uint32_t code) { return !is_wide_space(code); }))) {
        std::string& all = text.mutable_text();
        for (char& c : all) {  // no branch: vectorized
            auto byte = static_cast<uint8_t>(c);
            bool is_line = is_between(byte, '\t', '\r'), is_other = is_between(byte, 0x1c, ' ');
            c = (is_line | is_other) ? ' ' : c;
        }
        size_t at = find_pair(all, ' ', ' ', 0), size = std::min(at, all.size());
        while (at < all.size()) {  // at a space that others follow
            size_t end = std::min(all.find_first_not_of(' ', at), all.size());
            all[size++] = ' ';
            at = std::min(find_pair(all, ' ', ' ', end), all.size());
            std::copy(all.data() + end, all.data() + at, all.data() + size);
            size += at - end;
        }
        all.resize(size);
        return;
    }
    const std::string& in = text.text();
    std::string& out = text.output();
    size_t copied = 0;
    for (size_t at = 0; at < in.size();) {
        if (static_cast<uint8_t>(in[at]) > ' ' && static_cast<uint8_t>(in[at]) < 0x80) {
            ++at;
            continue;
        }
        size_t first = at;
        if (!is_space(next_code(in, at))) continue;
        size_t end = end_of_spaces(in, at);
        if (shortest == 1 ? end - first > 1 || in[first] != ' ' : end > at) {
            out.append(in, copied, first - copied) += ' ';
            copied = end;
        }
        at = end;
    }
    if (copied == 0) return;
    out.append(in, copied);
    text.replace_text();
}

void replace_whitespace(RewrittenText& text, bool by_space) {
    std::string& all = text.mutable_text();
    auto is_listed = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    if (by_space) {
        std::replace_if(all.begin(), all.end(), is_listed, ' ');
    } else {
        std::erase_if(all, is_listed);
    }
}

void remove_punctuation(RewrittenText& text) {
    const std::string& in = text.text();
    std::string& out = text.output();
    size_t copied = 0;
    for (size_t at = 0; at < in.size();) {
        size_t next = at + 1;
        bool is_removed = false;
        if (static_cast<uint8_t>(in[at]) < 0x80) {
            is_removed = kAsciiPunctuation[static_cast<size_t>(in[at])];
        } else {
            next = at;
            is_removed = text.database().category(next_code(in, next)) == Category::Punctuation;
        }
        if (is_removed) {
            out.append(in, copied, at - copied);
            copied = next;
        }
        at = next;
    }
    if (copied == 0) return;
    out.append(in, copied);
    text.replace_text();
}

void remove_brackets(RewrittenText& text) {
    const std::string& in = text.text();
    if (in.find('<') == std::string::npos && in.find('[') == std::string::npos)
        return;  // vectorized, unlike find_either
    size_t open = find_either(in, '<', '[');
    std::string& out = text.output();
    size_t copied = 0;
    while (open != std::string::npos) {
        size_t close = find_either(in, '>', ']', open + 1);
        if (close == std::string::npos) break;
        out.append(in, copied, open - copied);
        copied = close + 1;
        open = find_either(in, '<', '[', copied);
    }
    out.append(in, copied);
    text.replace_text();
}

void remove_parentheses(RewrittenText& text) {
    const std::string& in = text.text();
    size_t open = in.find('(');
    if (open == std::string::npos) return;
    std::string& out = text.output();
    size_t copied = 0;
    while (open != std::string::npos) {
        size_t close = in.find(')', open + 1);
        if (close == std::string::npos) break;
        if (close > open + 1) {
            out.append(in, copied, open - copied);
            copied = close + 1;
        }
        open = in.find('(', std::max(copied, open + 1));
    }
    out.append(in, copied);
    text.replace_text();
}

bool replace_literal(RewrittenText& text, std::string_view literal, std::string_view replacement, bool boundary_before,
                     bool boundary_after) {
    const std::string& in = text.text();
    size_t at = find_literal(in, literal);
    if (at == std::string::npos) return false;
    std::string& out = text.output();
    size_t copied = 0;
    bool is_replaced = false;
    for (; at != std::string::npos; at = find_literal(in, literal, at)) {
        size_t end = at + literal.size();
        if ((boundary_before && !is_word_boundary(in, at)) || (boundary_after && !is_word_boundary(in, end))) {
            ++at;
            continue;
        }
        out.append(in, copied, at - copied).append(replacement);
        copied = at = end;
        is_replaced = true;
    }
    if (!is_replaced) return false;
    out.append(in, copied);
    text.replace_text(!refscore::is_ascii(reinterpret_cast<const uint8_t*>(replacement.data()), replacement.size()));
    return true;
}

}  // namespace refscore
