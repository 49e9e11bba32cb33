#include "tests/emulator/fiber.h"

#include <emulated/execution.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__x86_64__)
// Saves the callee-saved registers and the stack pointer, and loads those of the other fiber.
// Rounding modes are not saved: kernels do not change them.
extern "C" void mote_emulator_switch(void** save_top, void* load_top);
asm(R"(
.pushsection .text
.globl mote_emulator_switch
.hidden mote_emulator_switch
.type mote_emulator_switch, @function
.p2align 4
mote_emulator_switch:
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size mote_emulator_switch, .-mote_emulator_switch
.popsection
)");
#endif

namespace emulator {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stack_bytes = 256 << 10;  // the sanitizer's redzones need more space
#else
constexpr std::size_t stack_bytes = 64 << 10;
#endif

Fiber* running = nullptr;
Fiber* previous = nullptr;

/// A stack with a guard page below it, so that an overflow faults immediately.
char* new_stack() {
  const auto guard = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, guard + stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for the stack of one more thread");
  mprotect(memory, guard, PROT_NONE);
  return static_cast<char*>(memory) + guard;
}

}  // namespace

Fiber::Fiber(void (*entry)()) : entry_(entry) {
  char* bottom = new_stack();
  bottom_ = bottom;
  size_ = stack_bytes;
#if defined(__SANITIZE_THREAD__)
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
#if defined(__x86_64__)
  // From the top: no return address, the first function, six saved registers. At function entry the
  // stack pointer is 8 bytes off 16-byte alignment.
  auto** top = reinterpret_cast<void**>(bottom + stack_bytes);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(&Fiber::begin);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  top_ = top;
#else
  getcontext(&context_);
  context_.uc_stack.ss_sp = bottom;
  context_.uc_stack.ss_size = stack_bytes;
  context_.uc_link = nullptr;
  makecontext(&context_, &Fiber::begin, 0);
#endif
}

void Fiber::begin() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &previous->bottom_, &previous->size_);
#endif
  running->entry_();
  fail("the entry function of a fiber has returned");
}

void Fiber::switch_to(Fiber& from, Fiber& to) {
  previous = &from;
  running = &to;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack_, to.bottom_, to.size_);
#endif
#if defined(__SANITIZE_THREAD__)
  if (from.tsan_fiber_ == nullptr) from.tsan_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan_fiber_, 0);
#endif
#if defined(__x86_64__)
  mote_emulator_switch(&from.top_, to.top_);
#else
  swapcontext(&from.context_, &to.context_);
#endif
#if defined(__SANITIZE_ADDRESS__)
  // The bounds of the host thread's stack are set here, when it is first resumed.
  __sanitizer_finish_switch_fiber(from.fake_stack_, &previous->bottom_, &previous->size_);
#endif
}

}  // namespace emulator
