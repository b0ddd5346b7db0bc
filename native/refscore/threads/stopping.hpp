// Interrupts long work: kernels call checkpoint() in their loops, and it throws once the work should stop.
#pragma once

#include <atomic>
#include <cstddef>

namespace refscore {

// Thrown in each thread when the work should stop. Partly filled objects must not be used again.
struct Stopped {};

// Called regularly by working threads. Throws Stopped, or a different exception that should end the work.
class StopCheck {
  public:
    virtual void look() = 0;

  protected:
    ~StopCheck() = default;
};

// Stops all threads once one of them has failed.
class StopFlag final : public StopCheck {
  public:
    void raise() { is_raised_.store(true, std::memory_order_relaxed); }
    void look() override {
        if (is_raised_.load(std::memory_order_relaxed)) throw Stopped();
    }

  private:
    std::atomic<bool> is_raised_{false};
};

// During its lifetime, checkpoint() in this thread also calls `check`, after the outer ones.
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

// Reports that roughly `work` nanoseconds have passed since the last call, or will pass before the next. Checks only
// after enough work, so a loop can call it for every few dozen tokens.
void checkpoint(size_t work);

// Checks immediately.
void look_for_stop();

}  // namespace refscore
