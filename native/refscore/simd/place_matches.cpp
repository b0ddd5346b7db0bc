#include "refscore/simd/place_matches.hpp"

#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {

std::vector<PlaceMatches> usable_place_matches() {
    std::vector<PlaceMatches> usable;
#ifdef REFSCORE_X86
    InstructionSet best = best_instruction_set();
    if (best >= InstructionSet::Avx512) usable.push_back(place_matches_avx512());
    if (best >= InstructionSet::Avx2) usable.push_back(place_matches_avx2());
#endif
    return usable;
}

const PlaceMatches kPlaceMatches = [] {
    std::vector<PlaceMatches> usable = usable_place_matches();
    return usable.empty() ? PlaceMatches{} : usable.front();
}();

}  // namespace refscore
