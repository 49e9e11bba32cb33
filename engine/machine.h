#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mote::engine {

/// Source version and build options.
struct BuildInfo {
  std::string version;           ///< "0.1.0"
  std::string commit;            ///< abbreviated hash, with "+" if modified; "" outside a checkout
  std::string compiler;          ///< "GNU 12.2.0"
  std::string build_type;        ///< "Release"
  bool cuda;                     ///< built with CUDA, real or emulated
  bool render;                   ///< built with rendering
  std::string source;            ///< folder of the source tree
  std::string built_reader;      ///< mote-read in the build folder
  std::string installed_reader;  ///< path of mote-read below the prefix of an installation
};

const BuildInfo& build_info();

/// Processor and memory of this machine.
struct MachineInfo {
  std::string processor;      ///< model name, or "unknown"
  int threads;                ///< hardware threads that this process may use
  std::uint64_t memory;       ///< physical memory [bytes]
  std::uint64_t memory_free;  ///< available now, within a container's limit [bytes]; 0: unknown
  std::string system;         ///< name and release of the kernel
  std::string host;           ///< name of the machine in its network
};

MachineInfo machine_info();

/// MachineInfo::memory_free alone, which is fast.
std::uint64_t memory_free();

/// CUDA devices, as the runtime library sees them.
struct CudaDevice {
  std::string name;
  std::string compute_capability;  ///< "9.0"
  std::uint64_t memory;            ///< bytes
  std::uint64_t memory_free;       ///< bytes; 0 if not queried
  int multiprocessors;
  int clock_mhz;                  ///< maximum clock of the multiprocessors
  bool cooperative_launch;        ///< can run grid-synchronised kernels
  bool drives_display;            ///< its driver ends kernels that run for seconds
  std::vector<int> reaches = {};  ///< numbers of GPUs whose memory it can read directly
};

struct CudaInfo {
  std::vector<CudaDevice> devices;
  std::string runtime;  ///< version of the runtime mote was built with, "13.0"; "" without CUDA
  std::string driver;   ///< newest CUDA version that the driver supports, or ""
  std::string problem;  ///< why no device, or not the requested one, can be used; or empty
  std::string remedy;   ///< the way to solve it
};

/// Never throws: errors are in `problem`. Runs a trial kernel on `device` and queries its free
/// memory, so a device without a problem works.
CudaInfo cuda_info(int device = 0);

/// The pairs of these GPUs of which one cannot read the other's memory, "0-2, 1-3"; empty: none.
/// The driver copies between them through host memory.
std::string pairs_without_link(const std::vector<CudaDevice>& devices,
                               const std::vector<int>& gpus);

/// The numbers of the GPUs in a list, "0,2", in its order, or of `count` for "all". Throws
/// InputError, with the option's name, for numbers that are not below `count` or not different.
std::vector<int> gpus_listed(const std::string& list, int count, const std::string& option);

}  // namespace mote::engine
