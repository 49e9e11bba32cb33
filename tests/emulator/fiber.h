#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace emulator {

/// A stack and the point in the code where it is suspended. Fibers are switched cooperatively; one
/// may be resumed by another host thread.
class Fiber {
 public:
  /// The host thread's own stack.
  Fiber() = default;
  /// Allocates a stack, which is never freed. `entry` starts at the first switch to it and must not
  /// return.
  explicit Fiber(void (*entry)());

  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Suspends `from`, which must be running, and resumes `to`. Returns when `from` is resumed.
  static void switch_to(Fiber& from, Fiber& to);

 private:
  static void begin();

  void (*entry_)() = nullptr;
#if defined(__x86_64__)
  void* top_ = nullptr;
#else
  ucontext_t context_{};
#endif
  // For the address sanitizer.
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* fake_stack_ = nullptr;
  void* tsan_fiber_ = nullptr;  // for the thread sanitizer
};

}  // namespace emulator
