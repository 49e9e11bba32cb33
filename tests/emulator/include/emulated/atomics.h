#pragma once

#include <emulated/execution.h>

/// Threads of the emulated device are switched cooperatively, so a plain read and write is atomic.
/// Overloads exist only for the types that CUDA supports, so other types do not compile.
namespace emulator {

template <class T, class Change>
T change_atomically(T* address, Change&& change) {
  const T old = *address;
  *address = change(old);
  poll();
  return old;
}

}  // namespace emulator

#define MOTE_EMULATED_ATOMIC(name, T, result)                                                \
  inline T name(T* address, T value) {                                                       \
    return emulator::change_atomically(address,                                              \
                                       [&]([[maybe_unused]] T old) -> T { return result; }); \
  }
#define MOTE_EMULATED_INTEGER_ATOMICS(T)                                                           \
  MOTE_EMULATED_ATOMIC(atomicMin, T, value < old ? value : old)                                    \
  MOTE_EMULATED_ATOMIC(atomicMax, T, value > old ? value : old)                                    \
  MOTE_EMULATED_ATOMIC(atomicExch, T, value)                                                       \
  MOTE_EMULATED_ATOMIC(atomicAnd, T, old& value)                                                   \
  MOTE_EMULATED_ATOMIC(atomicOr, T, old | value)                                                   \
  MOTE_EMULATED_ATOMIC(atomicXor, T, old ^ value)                                                  \
  inline T atomicCAS(T* address, T expected, T value) {                                            \
    return emulator::change_atomically(address,                                                    \
                                       [&](T old) -> T { return old == expected ? value : old; }); \
  }

MOTE_EMULATED_INTEGER_ATOMICS(int)
MOTE_EMULATED_INTEGER_ATOMICS(unsigned)
MOTE_EMULATED_INTEGER_ATOMICS(unsigned long long)
MOTE_EMULATED_ATOMIC(atomicMin, long long, value < old ? value : old)
MOTE_EMULATED_ATOMIC(atomicMax, long long, value > old ? value : old)
MOTE_EMULATED_ATOMIC(atomicExch, float, value)
MOTE_EMULATED_ATOMIC(atomicAdd, int,
                     static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
MOTE_EMULATED_ATOMIC(atomicSub, int,
                     static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
MOTE_EMULATED_ATOMIC(atomicAdd, unsigned, old + value)
MOTE_EMULATED_ATOMIC(atomicSub, unsigned, old - value)
MOTE_EMULATED_ATOMIC(atomicAdd, unsigned long long, old + value)
MOTE_EMULATED_ATOMIC(atomicAdd, float, old + value)
MOTE_EMULATED_ATOMIC(atomicAdd, double, old + value)
MOTE_EMULATED_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
#undef MOTE_EMULATED_INTEGER_ATOMICS
#undef MOTE_EMULATED_ATOMIC
