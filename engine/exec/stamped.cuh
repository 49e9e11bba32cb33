#pragma once

#include <cuda_runtime.h>

namespace mote::engine {

/// Twelve bytes and a stamp, which threads of one kernel hand to each other through device memory
/// without a barrier: the sixteen are written and read as one access (PTX ISA 9.0, ld and st of
/// type .b128 with a scope), so that who sees the stamp that it waits for has the bytes too.
/// Nothing else is ordered by it.
struct __align__(16) Stamped {
  unsigned value[3];
  unsigned stamp;
};

__device__ __forceinline__ void put(Stamped* to, const Stamped& packet) {
#if defined(MOTE_CUDA_EMULATED)
  *to = packet;
#else
  asm volatile(
      "{\n\t.reg .b128 all;\n\t.reg .b64 low, high;\n\t"
      "mov.b64 low, {%1, %2};\n\tmov.b64 high, {%3, %4};\n\tmov.b128 all, {low, high};\n\t"
      "st.relaxed.gpu.global.b128 [%0], all;\n\t}" ::"l"(to),
      "r"(packet.value[0]), "r"(packet.value[1]), "r"(packet.value[2]), "r"(packet.stamp)
      : "memory");
#endif
}

/// What stands there now: perhaps still the packet of an earlier stamp.
__device__ __forceinline__ Stamped look(const Stamped* from) {
#if defined(MOTE_CUDA_EMULATED)
  emulator::yield();
  return *from;
#else
  Stamped packet;
  asm volatile(
      "{\n\t.reg .b128 all;\n\t.reg .b64 low, high;\n\t"
      "ld.relaxed.gpu.global.b128 all, [%4];\n\t"
      "mov.b128 {low, high}, all;\n\tmov.b64 {%0, %1}, low;\n\tmov.b64 {%2, %3}, high;\n\t}"
      : "=r"(packet.value[0]), "=r"(packet.value[1]), "=r"(packet.value[2]), "=r"(packet.stamp)
      : "l"(from)
      : "memory");
  return packet;
#endif
}

/// A clock of the multiprocessor.
__device__ __forceinline__ unsigned cycles() {
#if defined(MOTE_CUDA_EMULATED)
  return 0;
#else
  return static_cast<unsigned>(clock());
#endif
}

/// A clock of the device that runs while other work has its multiprocessors.
__device__ __forceinline__ unsigned long long nanoseconds() {
#if defined(MOTE_CUDA_EMULATED)
  return 0;
#else
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
#endif
}

/// Lets time pass until `wait` cycles behind `since`, in which a packet cannot have arrived anyway:
/// looking early costs a second way to memory and back. Changes no result.
__device__ __forceinline__ void let_pass([[maybe_unused]] unsigned since,
                                         [[maybe_unused]] int wait) {
#if !defined(MOTE_CUDA_EMULATED)
  while (cycles() - since < static_cast<unsigned>(wait)) {
  }
#endif
}

}  // namespace mote::engine
