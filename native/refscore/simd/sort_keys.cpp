#include "refscore/simd/sort_keys.hpp"

#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {

std::vector<KeySorter> usable_key_sorters() {
    std::vector<KeySorter> usable;
#ifdef REFSCORE_X86
    if (best_instruction_set() >= InstructionSet::Avx512) usable.push_back(key_sorter_avx512());
#endif
    return usable;
}

const KeySorter kKeySorter = [] {
    std::vector<KeySorter> usable = usable_key_sorters();
    return usable.empty() ? KeySorter{} : usable.front();
}();

}  // namespace refscore
