#pragma once

#include <string>
#include <vector>

namespace mote::engine {

/// NVRTC, the CUDA compiler that comes as a library, found when the program runs: builds and
/// machines without it work. Compiling needs no GPU.
struct Nvrtc {
  std::string version;  ///< "13.0", or "" where the library is not found
  std::string problem;  ///< why not; empty when it is there
  std::string remedy;
};
const Nvrtc& nvrtc();
/// The same for GPUs of a compute capability ("9.0"): a library that is older than they are cannot
/// compile for them.
Nvrtc nvrtc_for(const std::string& compute_capability);

/// Machine code of a source in CUDA C++ for GPUs of one architecture ("sm_90"), with the roundings
/// of IEEE 754: nothing is fused, divisions and roots are exact, small numbers are kept. What was
/// compiled once is kept for the rest of the program. Throws SystemError, with the compiler's
/// messages and the source, when it does not compile.
std::vector<char> compile_cuda(const std::string& source, const std::string& architecture);

}  // namespace mote::engine
