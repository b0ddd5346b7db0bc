// Replacements in a text before it is split: entities, and line breaks after or before a hyphen.
#pragma once

#include "refscore/text/text.hpp"

namespace refscore {

void rewrite_13a(Arena& arena, Span& text);
void rewrite_tercom(Arena& arena, Span& text);

}  // namespace refscore
