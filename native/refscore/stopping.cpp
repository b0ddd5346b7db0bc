#include "stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kBetween = size_t{1} << 17;

constinit thread_local Checkpoints* current = nullptr;

// Signal handlers may run inside: what they call is work of its own.
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
