#include <cuda_runtime_api.h>

#include "engine/exec/cuda_check.h"
#include "engine/exec/nvrtc.h"
#include "sim/field/cuda_source.h"
#include "sim/field/expression_device.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::cuda_check;
using engine::Device;
using engine::Index;

constexpr unsigned threads = 256;

std::string architecture_of(const Cuda& exec) {
  int major = 0, minor = 0;
  cuda_check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, exec.device),
             "cudaDeviceGetAttribute");
  cuda_check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, exec.device),
             "cudaDeviceGetAttribute");
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

}  // namespace

/// Owns the library.
struct ExpressionKernels::Loaded {
  explicit Loaded(const std::vector<char>& code) {
    cuda_check(cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
               "cudaLibraryLoadData");
    const auto get = [&](cudaKernel_t& kernel, const char* name) {
      cuda_check(cudaLibraryGetKernel(&kernel, library, name), "cudaLibraryGetKernel");
      // Loads the code onto the device now: that is not possible while a graph is being captured.
      cudaFuncAttributes attributes{};
      cuda_check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)),
                 "cudaFuncGetAttributes");
    };
    try {
      get(add, "add_fields");
      get(kick, "kick_fields");
      get(potentials, "add_potentials");
    } catch (...) {
      engine::log_failure(cudaLibraryUnload(library), "cudaLibraryUnload");
      throw;
    }
  }
  ~Loaded() { engine::log_failure(cudaLibraryUnload(library), "cudaLibraryUnload"); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  /// Launches one thread a body; `more` are the arguments after the columns and the time.
  template <class State, class... More>
  void start(cudaKernel_t kernel, const Cuda& exec, State s, const double* t, More... more) const {
    if (s.count == 0) return;
    auto count = static_cast<long long>(s.count);
    void* arguments[] = {&count, &s.mass, &s.x, &s.y, &s.z, &s.vx, &s.vy, &s.vz, &t, &more...};
    const auto blocks = static_cast<unsigned>((s.count + threads - 1) / threads);
    cuda_check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads),
                                arguments, 0, exec.stream),
               "launch a kernel of expressions");
  }

  cudaLibrary_t library = nullptr;
  cudaKernel_t add = nullptr, kick = nullptr, potentials = nullptr;
};

ExpressionSupport ExpressionKernels::support(const std::string& compute_capability) {
  const engine::Nvrtc nvrtc = engine::nvrtc_for(compute_capability);
  return {nvrtc.problem, nvrtc.remedy, "field expressions are compiled by NVRTC " + nvrtc.version};
}

ExpressionKernels::ExpressionKernels(const Cuda& exec, const std::vector<Field>& fields,
                                     engine::Precision precision, int evaluations)
    : loaded_(std::make_unique<Loaded>(engine::compile_cuda(
          cuda_source(fields, precision, evaluations), architecture_of(exec)))) {}

ExpressionKernels::~ExpressionKernels() = default;
ExpressionKernels::ExpressionKernels(ExpressionKernels&&) noexcept = default;

void ExpressionKernels::add(const Cuda& exec, State<Device>& state, const double* t) {
  state.visit([&](auto s) { loaded_->start(loaded_->add, exec, s, t, s.ax, s.ay, s.az); });
}

void ExpressionKernels::kick(const Cuda& exec, State<Device>& state, double h, const double* t,
                             const unsigned* halted) {
  state.visit([&]<class Real>(StateView<Real> s) {
    loaded_->start(loaded_->kick, exec, s, t, s.ax, s.ay, s.az, static_cast<Real>(h), halted);
  });
}

void ExpressionKernels::add_potentials(const Cuda& exec, const State<Device>& state,
                                       const double* t, double* phi) {
  state.visit([&](auto s) { loaded_->start(loaded_->potentials, exec, s, t, phi); });
}

}  // namespace mote::sim
