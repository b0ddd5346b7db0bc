// Lets whoever waits for long work end it: kernels call checkpoint() in their loops, and it throws once the work is to stop.
#pragma once

#include <atomic>
#include <cstddef>

namespace refscore {

// Thrown in each thread of work that is to stop. What was being filled is left half-way, and must not be used again.
struct Stopped {};

// Asked now and then by the threads that work; throws Stopped, or what else is to end the work.
class StopCheck {
  public:
    virtual void look() = 0;

  protected:
    ~StopCheck() = default;
};

// Ends the work of several threads once one of them has failed.
class StopFlag final : public StopCheck {
  public:
    void raise() { is_raised_.store(true, std::memory_order_relaxed); }
    void look() override {
        if (is_raised_.load(std::memory_order_relaxed)) throw Stopped();
    }

  private:
    std::atomic<bool> is_raised_{false};
};

// While it lives, this thread asks `check`, after those it asked before.
class Checkpoints {
  public:
    explicit Checkpoints(StopCheck& check);
    Checkpoints(const Checkpoints&) = delete;
    ~Checkpoints();

  private:
    friend void checkpoint(size_t);
    friend void look_for_stop();
    void look();

    StopCheck& check_;
    Checkpoints* outer_;
    size_t left_;
};

// Says that about so many nanoseconds' work has been done since the last call, or will be before the next. Asks only once enough
// has come together, so that a loop may call it for every few dozen tokens.
void checkpoint(size_t work);

// Asks at once.
void look_for_stop();

}  // namespace refscore
