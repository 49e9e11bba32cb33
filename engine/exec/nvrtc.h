#pragma once

#include <string>
#include <vector>

namespace mote::engine {

/// NVRTC, NVIDIA's runtime compiler, loaded with dlopen: builds and machines without it work.
/// Compiling needs no GPU.
struct Nvrtc {
  std::string version;  ///< "13.0", or "" if the library was not found
  std::string problem;  ///< why it cannot be used, or empty
  std::string remedy;
};
const Nvrtc& nvrtc();
/// NVRTC for GPUs of a compute capability ("9.0"): an older library cannot compile for them.
Nvrtc nvrtc_for(const std::string& compute_capability);

/// Compiles CUDA C++ to machine code for one architecture ("sm_90"), with IEEE 754 rounding: no
/// contraction, correctly rounded division and square root, subnormals kept. Results are cached for
/// the life of the process. Throws SystemError with the compiler's messages and the source.
std::vector<char> compile_cuda(const std::string& source, const std::string& architecture);

}  // namespace mote::engine
