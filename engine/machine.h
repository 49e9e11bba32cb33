#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mote::engine {

/// What mote was built from and how.
struct BuildInfo {
  std::string version;  ///< "0.1.0"
  std::string commit;  ///< abbreviated hash of the source, with "+" when it was changed; "" outside
                       ///< a checkout
  std::string compiler;    ///< "GNU 12.2.0"
  std::string build_type;  ///< "Release"
  bool cuda;               ///< built with the CUDA backend's language
  bool render;             ///< built with pictures
};

const BuildInfo& build_info();

/// The processor and memory of this machine.
struct MachineInfo {
  std::string processor;      ///< model name, or "unknown"
  int threads;                ///< hardware threads that this process may use
  std::uint64_t memory;       ///< bytes of physical memory
  std::uint64_t memory_free;  ///< bytes that can be taken now, within a container's limit; 0:
                              ///< unknown
  std::string system;         ///< name and release of the kernel
};

MachineInfo machine_info();

/// Its memory_free alone, which is soon said.
std::uint64_t memory_free();

/// CUDA devices, as the runtime library sees them.
struct CudaDevice {
  std::string name;
  std::string compute_capability;  ///< "9.0"
  std::uint64_t memory;            ///< bytes
  std::uint64_t memory_free;       ///< bytes; 0 when it was not asked for
  int multiprocessors;
  int clock_mhz;            ///< highest clock of the multiprocessors
  bool cooperative_launch;  ///< can run grid-synchronised kernels
  bool draws_a_display;     ///< whose driver ends kernels that run for seconds
};

struct CudaInfo {
  std::vector<CudaDevice> devices;
  std::string runtime;  ///< version of the runtime mote was built with, "13.0"; "" in a build
                        ///< without CUDA
  std::string driver;   ///< newest CUDA version that the driver supports, or ""
  std::string problem;  ///< why no device can be used, or not the one asked about; empty when it
                        ///< can
  std::string remedy;   ///< what to do about it
};

/// Never throws: what is wrong stands in `problem`. Starts a trivial kernel on one device and asks
/// for its free memory, so that a device without a problem is one that works.
CudaInfo cuda_info(int device = 0);

}  // namespace mote::engine
