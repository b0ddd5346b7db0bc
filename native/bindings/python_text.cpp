#include "python_text.hpp"

#include <array>
#include <atomic>
#include <memory>

namespace refscore::bindings {
namespace {

class PythonDatabase : public CharacterDatabase {
  public:
    Category category(uint32_t code) const override { return properties(code).category; }
    bool is_inert(UnicodeForm form, uint32_t code) const override {
        return form == UnicodeForm::Nfkd ? properties(code).is_nfkd : properties(code).is_nfkc;
    }
    int decimal(uint32_t code) const override { return properties(code).decimal; }
    bool is_lower(uint32_t code) const override { return properties(code).is_lower; }
    bool is_alphanumeric(uint32_t code) const { return properties(code).is_alphanumeric; }
    void lower(std::string& text) const override { call_method("lower", text); }
    void upper(std::string& text) const override { call_method("upper", text); }
    void convert(UnicodeForm form, std::string& text) const override {
        // Never destroyed, because the interpreter may end first.
        static const nb::object& normalize = *new nb::object(nb::module_::import_("unicodedata").attr("normalize"));
        static const nb::object& names = *new nb::object(nb::make_tuple("NFC", "NFKC", "NFKD"));
        PyObject* name = PyTuple_GetItem(names.ptr(), static_cast<Py_ssize_t>(form));
        read_text(
            steal_checked(PyObject_CallFunctionObjArgs(normalize.ptr(), name, new_text(text).ptr(), nullptr)).ptr(),
            text);
    }

  private:
    struct Properties {
        Category category;
        bool is_nfkc, is_nfkd;  // see is_inert; text in NFKC is in NFC, too
        bool is_lower, is_alphanumeric;
        int8_t decimal;  // -1 if it is not a digit
    };
    using Page = std::array<Properties, 256>;

    // Two threads may load the same page. The first one stays. A lock instead could be held by a thread that waits for
    // the GIL.
    const Properties& properties(uint32_t code) const {
        std::atomic<const Page*>& page = pages_[code >> 8];
        const Page* current = page.load(std::memory_order_acquire);
        if (current == nullptr) {
            nb::gil_scoped_acquire gil;
            std::unique_ptr<const Page> loaded = load(code & ~0xffu);
            if (page.compare_exchange_strong(current, loaded.get(), std::memory_order_acq_rel))
                current = loaded.release();
        }
        return (*current)[code & 0xff];
    }

    static void call_method(const char* name, std::string& text) {
        read_text(steal_checked(PyObject_CallMethod(new_text(text).ptr(), name, nullptr)).ptr(), text);
    }

    // Blocks in which only marks join with the character before them: Latin to Arabic, and symbols.
    static bool joins_only_marks(uint32_t code) { return code < 0x900 || (code >= 0x2000 && code < 0x2e80); }

    static std::unique_ptr<Page> load(uint32_t first) {
        auto page = std::make_unique<Page>();
        nb::module_ unicode = nb::module_::import_("unicodedata");
        nb::object category = unicode.attr("category"), normalize = unicode.attr("normalize"),
                   decimal = unicode.attr("decimal");
        for (uint32_t i = 0; i < page->size(); ++i) {
            nb::object letter = steal_checked(PyUnicode_FromOrdinal(static_cast<int>(first + i)));
            std::string name;
            read_text(nb::object(category(letter)).ptr(), name);
            Category kind = name == "Mn"     ? Category::NonspacingMark
                            : name[0] == 'M' ? Category::OtherMark
                            : name[0] == 'S' ? Category::Symbol
                            : name[0] == 'P' ? Category::Punctuation
                                             : Category::Other;
            bool is_separate = name[0] != 'M' && joins_only_marks(first + i);
            auto is_same = [&](const char* form) {
                return is_separate && nb::object(normalize(form, letter)).equal(letter);
            };
            bool is_lower = nb::object(letter.attr("lower")()).equal(letter);
            bool is_alphanumeric = nb::cast<bool>(letter.attr("isalnum")());
            (*page)[i] = {kind,     is_same("NFKC"), is_same("NFKD"),
                          is_lower, is_alphanumeric, nb::cast<int8_t>(decimal(letter, -1))};
        }
        return page;
    }

    mutable std::array<std::atomic<const Page*>, 0x1100>
        pages_{};  // 0x1100 pages of 256 code points cover Unicode; never freed
};

const PythonDatabase& database() {
    static const PythonDatabase database;
    return database;
}

}  // namespace

void read_text(PyObject* text, std::string& into) {
    CopiedBytes copies;
    TextView view = view_of(text, copies);
    if (view.encoding == Encoding::Ascii || view.encoding == Encoding::Utf8) {
        into.assign(static_cast<const char*>(view.data), view.size);
        return;
    }
    into.resize(4 * view.size);
    auto* begin = reinterpret_cast<uint8_t*>(into.data());
    uint8_t* end = begin;
    for_each_code(view, [&](uint32_t code) { end = encode(code, end); });
    into.resize(static_cast<size_t>(end - begin));
}

nb::object new_text(const std::string& text) {
    return steal_checked(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
}

const CharacterDatabase& python_database() { return database(); }

bool is_alphanumeric(uint32_t code) { return database().is_alphanumeric(code); }

}  // namespace refscore::bindings
