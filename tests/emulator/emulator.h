#pragma once

#include <cstddef>
#include <cstdint>

/// Controls of the emulated device for tests. The headers below include/ are what kernels see.
namespace emulator {

/// Order in which ready threads, warps and blocks run. A kernel whose result depends on it lacks a
/// barrier or relies on scheduling that CUDA does not guarantee.
enum class Order { forward, backward, shuffled };

/// Sets the order of all later launches. The default is MOTE_EMULATOR_ORDER (forward, backward,
/// shuffled or shuffled:SEED), else forward.
void set_order(Order order, std::uint64_t seed = 1);

void set_memory(std::size_t bytes);  ///< of each device
void set_device_count(int count);
void set_multiprocessor_count(int count);
void set_driver_version(int version);
/// Makes every call that needs a device fail with this error, as if the driver could not be
/// initialised; 0: none.
void fail_initialization(int error);

/// The `call`-th use of a device's context from now on, counted from 1, fails. After a sticky
/// error, as after a fault of a kernel, everything that needs the context fails. A program started
/// with MOTE_EMULATOR_FAULT=PATH loses its devices (cudaErrorLaunchFailure) as soon as that file
/// exists.
void fail_call(std::size_t call, int error, bool sticky);

/// Limits launches below what the attributes promise, as when a process may use only part of a
/// device (MPS, MIG): the multiprocessors of a cooperative launch, and whether clusters work.
void limit_launches(int cooperative_multiprocessors, bool clusters);

/// True if the process has a context on a device, which takes memory there.
bool has_context(int device);
void forget_contexts();

/// Calls so far that made the host wait for a stream, an event or the device.
std::size_t host_waits();
/// Those that waited for a device, which invalidates all captures on it, of any thread.
std::size_t device_waits(int device);

/// Resets everything above to its initial state; allocations stay.
void reset();

}  // namespace emulator
