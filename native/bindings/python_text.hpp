// Text between Python and the kernels, and Python's database of characters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "python_objects.hpp"
#include "refscore/text/character_database.hpp"
#include "refscore/text/utf8.hpp"

namespace refscore::bindings {

// Calls use(code) for each code point.
template <class Use>
void for_each_code(const TextView& text, Use use) {
    auto visit = [&]<class Unit>(const Unit* units) { std::for_each(units, units + text.size, use); };
    switch (text.encoding) {
        case Encoding::Ascii:
        case Encoding::Latin1: return visit(static_cast<const uint8_t*>(text.data));
        case Encoding::Ucs2: return visit(static_cast<const uint16_t*>(text.data));
        case Encoding::Ucs4: return visit(static_cast<const uint32_t*>(text.data));
        case Encoding::Utf8: break;
    }
    for (const uint8_t *at = static_cast<const uint8_t*>(text.data), *end = at + text.size; at != end;) use(decode(at));
}

// Encodes in generalized UTF-8. Python's own function would keep a copy in the string.
void read_text(PyObject* text, std::string& into);

// Decodes generalized UTF-8.
nb::object new_text(const std::string& text);

// The character database of this Python. Functions that convert text need the GIL; the others acquire it if they have
// to.
const CharacterDatabase& python_database();

// The same as str.isalnum, in any thread. Do not call it in a thread while a different thread holds the GIL and waits
// for it.
bool is_alphanumeric(uint32_t code);

}  // namespace refscore::bindings
