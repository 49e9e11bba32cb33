#pragma once

#include <cstddef>
#include <cstdint>

/// What a test can ask of the emulated device. Everything a kernel may see is in the headers below
/// include/.
namespace emulator {

/// Which of the threads, warps and blocks that could go on goes on. A kernel whose result depends
/// on it lacks a barrier or relies on a schedule that CUDA does not promise.
enum class Order { forward, backward, shuffled };

/// For all launches from now on. Without a call, the variable MOTE_EMULATOR_ORDER (forward,
/// backward, shuffled or shuffled:SEED) counts, and without that forward.
void set_order(Order order, std::uint64_t seed = 1);

void set_memory(std::size_t bytes);  ///< of each device
void set_device_count(int count);
void set_multiprocessor_count(int count);
void set_driver_version(int version);
/// What every call says that asks for devices, as where the driver does not begin; 0: nothing.
void refuse_to_begin(int error);

/// The `call`-th thing that calls ask of a device's context from now on, counted from 1, ends in an
/// error. A sticky one stays on the device, as after a fault of a kernel: all that needs its
/// context fails. A program that is started with MOTE_EMULATOR_FAULT=PATH loses its devices
/// (cudaErrorLaunchFailure) as soon as there is a file of that name.
void fail_from(std::size_t call, int error, bool sticky);

/// What launches refuse though attributes promise it, as where a process has a share of the device
/// (MPS) or a part of it (MIG): blocks of a cooperative launch have so many multiprocessors at
/// most, and there may be no clusters.
void limit_launches(int cooperative_multiprocessors, bool clusters);

/// Whether a context was made on a device: the process takes memory there.
bool has_context(int device);
void forget_contexts();

/// Calls since the program started that made the host wait for a stream, an event or the device.
std::size_t host_waits();
/// Those among them that waited for all of one device, which spoils every capture on it, of
/// whatever thread.
std::size_t device_waits(int device);

/// Everything above as at the start of the program; what is allocated stays.
void reset();

}  // namespace emulator
