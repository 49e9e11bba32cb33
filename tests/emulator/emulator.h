#pragma once

#include <cstddef>
#include <cstdint>

/// What a test can ask of the emulated device. Everything a kernel may see is in the headers below include/.
namespace emulator {

/// Which of the threads, warps and blocks that could go on goes on. A kernel whose result depends on it lacks a barrier
/// or relies on a schedule that CUDA does not promise.
enum class Order { forward, backward, shuffled };

/// For all launches from now on. Without a call, the variable MOTE_EMULATOR_ORDER (forward, backward, shuffled or
/// shuffled:SEED) counts, and without that forward.
void set_order(Order order, std::uint64_t seed = 1);

void set_memory(std::size_t bytes);
void set_device_count(int count);
void set_multiprocessor_count(int count);
void set_driver_version(int version);

/// Calls since the program started that made the host wait for a stream, an event or the device.
std::size_t host_waits();

/// Everything above as at the start of the program; what is allocated stays.
void reset();

}  // namespace emulator
