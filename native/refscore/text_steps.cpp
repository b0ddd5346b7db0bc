#include "text_steps.hpp"

#include <algorithm>
#include <array>

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
    for (size_t at = 0; at < text.size();) {
        if (static_cast<uint8_t>(text[at]) < 0x80) {
            ++at;
        } else if (!test(next_code(text, at))) {
            return false;
        }
    }
    return true;
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
        for (char& c : text.mutable_text()) c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 0x20 : 0));  // no branch: vectorized
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
    if (text.is_ascii() && shortest == 1) {
        std::string& all = text.mutable_text();
        size_t size = 0;
        bool after_space = false;
        for (char c : all) {
            bool is_space = is_ascii_space(static_cast<uint8_t>(c));
            all[size] = is_space ? ' ' : c;
            size += !(is_space && after_space);
            after_space = is_space;
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
    if (in.find('<') == std::string::npos && in.find('[') == std::string::npos) return;  // vectorized, unlike find_either
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

bool replace_literal(RewrittenText& text, std::string_view literal, std::string_view replacement, bool boundary_before, bool boundary_after) {
    const std::string& in = text.text();
    size_t at = in.find(literal);
    if (at == std::string::npos) return false;
    std::string& out = text.output();
    size_t copied = 0;
    bool is_replaced = false;
    for (; at != std::string::npos; at = in.find(literal, at)) {
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
