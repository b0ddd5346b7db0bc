#include "refscore/text/text_rewrites.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace refscore {
namespace {

void replace_all(Arena& arena, Span& text, std::string_view from, std::string_view to) {
    char* begin = reinterpret_cast<char*>(arena.data()) + text.begin;
    std::string_view rest(begin, text.end - text.begin);
    if (rest.find(from) == std::string_view::npos) return;
    char* out = begin;
    for (size_t at = rest.find(from); at != std::string_view::npos; at = rest.find(from)) {
        std::memmove(out, rest.data(), at);
        out += at;
        std::memcpy(out, to.data(), to.size());
        out += to.size();
        rest.remove_prefix(at + from.size());
    }
    std::memmove(out, rest.data(), rest.size());
    text.end = static_cast<uint32_t>(text.begin + (out + rest.size() - begin));
    arena.cut(text.end);
}

}  // namespace

void rewrite_13a(Arena& arena, Span& text) {
    replace_all(arena, text, "<skipped>", "");
    replace_all(arena, text, "-\n", "");
    replace_all(arena, text, "&quot;", "\"");
    replace_all(arena, text, "&amp;", "&");
    replace_all(arena, text, "&lt;", "<");
    replace_all(arena, text, "&gt;", ">");
}

void rewrite_tercom(Arena& arena, Span& text) {
    replace_all(arena, text, "\n-", "");
    std::replace(arena.data() + text.begin, arena.data() + text.end, uint8_t{'\n'}, uint8_t{' '});
    replace_all(arena, text, "&quot;", "\"");
    replace_all(arena, text, "&amp;", "&");
    replace_all(arena, text, "&lt;", "<");
    replace_all(arena, text, "&gt;", ">");
}

}  // namespace refscore
