#pragma once

#include <cuda_runtime.h>

namespace mote::engine {

/// Twelve bytes and a sequence number, which threads exchange through device memory without a
/// barrier: those of one kernel, or of kernels of several devices, in memory that both access. The
/// sixteen bytes are written and read as one access (PTX ISA 9.0, ld and st of type .b128 with a
/// scope), so a reader that sees the expected sequence number has the payload too. No other access
/// is ordered by it.
struct __align__(16) SequencedPacket {
  unsigned value[3];
  unsigned sequence;
};

/// Says whether the threads that exchange packets are on one device. Accesses that several devices
/// see in order take longer, even those to memory of the thread's own device.
enum class PacketScope { one_device, several };

template <PacketScope scope>
__device__ __forceinline__ void put(SequencedPacket* to, const SequencedPacket& packet) {
#if defined(MOTE_CUDA_EMULATED)
  *to = packet;
#else
#define MOTE_PUT(reach)                                                                      \
  asm volatile(                                                                              \
      "{\n\t.reg .b128 all;\n\t.reg .b64 low, high;\n\t"                                     \
      "mov.b64 low, {%1, %2};\n\tmov.b64 high, {%3, %4};\n\tmov.b128 all, {low, high};\n\t"  \
      "st.relaxed." reach ".global.b128 [%0], all;\n\t}" ::"l"(to),                          \
      "r"(packet.value[0]), "r"(packet.value[1]), "r"(packet.value[2]), "r"(packet.sequence) \
      : "memory")
  if constexpr (scope == PacketScope::several)
    MOTE_PUT("sys");
  else
    MOTE_PUT("gpu");
#undef MOTE_PUT
#endif
}

/// Reads a packet once; it may still have an earlier sequence number.
template <PacketScope scope>
__device__ __forceinline__ SequencedPacket poll(const SequencedPacket* from) {
#if defined(MOTE_CUDA_EMULATED)
  emulator::yield();
  return *from;
#else
  SequencedPacket packet;
#define MOTE_POLL(reach)                                                                           \
  asm volatile(                                                                                    \
      "{\n\t.reg .b128 all;\n\t.reg .b64 low, high;\n\t"                                           \
      "ld.relaxed." reach                                                                          \
      ".global.b128 all, [%4];\n\t"                                                                \
      "mov.b128 {low, high}, all;\n\tmov.b64 {%0, %1}, low;\n\tmov.b64 {%2, %3}, high;\n\t}"       \
      : "=r"(packet.value[0]), "=r"(packet.value[1]), "=r"(packet.value[2]), "=r"(packet.sequence) \
      : "l"(from)                                                                                  \
      : "memory")
  if constexpr (scope == PacketScope::several)
    MOTE_POLL("sys");
  else
    MOTE_POLL("gpu");
#undef MOTE_POLL
  return packet;
#endif
}

/// Clock of the multiprocessor [cycles].
__device__ __forceinline__ unsigned cycles() {
#if defined(MOTE_CUDA_EMULATED)
  return 0;
#else
  return static_cast<unsigned>(clock());
#endif
}

/// Global timer of the device [ns], which also runs while the kernel is descheduled.
__device__ __forceinline__ unsigned long long nanoseconds() {
#if defined(MOTE_CUDA_EMULATED)
  return 0;
#else
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
#endif
}

/// Waits until `wait` cycles after `since`. Polls before then cannot succeed, and each costs
/// another round trip to memory. Changes no result.
__device__ __forceinline__ void back_off([[maybe_unused]] unsigned since,
                                         [[maybe_unused]] int wait) {
#if !defined(MOTE_CUDA_EMULATED)
  while (cycles() - since < static_cast<unsigned>(wait)) {
  }
#endif
}

}  // namespace mote::engine
