#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace emulator {

/// A stack of its own and the place in the code where it stopped. Fibers take turns; one may go on
/// in another host thread than before.
class Fiber {
 public:
  /// The stack that the host thread already has.
  Fiber() = default;
  /// A new stack; `entry` starts at the first switch to it and never returns. The stack is never
  /// freed.
  explicit Fiber(void (*entry)());

  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Goes on in `to`; returns when something switches back to `from`, which must be the running
  /// one.
  static void switch_to(Fiber& from, Fiber& to);

 private:
  static void begin();

  void (*entry_)() = nullptr;
#if defined(__x86_64__)
  void* top_ = nullptr;
#else
  ucontext_t context_{};
#endif
  // What the address sanitizer needs to know about a stack.
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* fake_stack_ = nullptr;
  void* known_as_ = nullptr;  // to the thread sanitizer
};

}  // namespace emulator
