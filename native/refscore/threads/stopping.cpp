#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Work between two checks, in the nanoseconds of checkpoint(): about 0.1 ms. A check is rare enough to cost nothing,
// and an interrupt still feels immediate.
constexpr size_t kBetween = size_t{1} << 17;

constinit thread_local Checkpoints* current = nullptr;

// Signal handlers may run inside a check. Work that they start must not use the checkpoints of this thread.
struct Away {
    Checkpoints* kept = current;
    Away() { current = nullptr; }
    ~Away() { current = kept; }
};

}  // namespace

Checkpoints::Checkpoints(StopCheck& check) : check_(check), outer_(current), left_(kBetween) { current = this; }

Checkpoints::~Checkpoints() { current = outer_; }

void Checkpoints::look() {
    left_ = kBetween;
    if (outer_ != nullptr) outer_->look();
    check_.look();
}

void checkpoint(size_t work) {
    Checkpoints* here = current;
    if (here == nullptr) return;
    if (work < here->left_) {
        here->left_ -= work;
        return;
    }
    Away away;
    here->look();
}

void look_for_stop() {
    Checkpoints* here = current;
    if (here == nullptr) return;
    Away away;
    here->look();
}

}  // namespace refscore
