#include "engine/exec/launch.cuh"
#include "sim/field/expression_device.h"
#include "sim/field/expression_fields.h"

// Device memory of the emulated device is host memory, and NVRTC code cannot run there. The CPU
// code evaluates expressions inside kernels, a block of bodies a thread, so that callers are the
// same as on a GPU.
namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned expression_threads = 32;

/// Bodies [begin, end) of a thread.
struct Range {
  Index begin, end;
};
__device__ Range range_of_thread(Index count) {
  const Index begin =
      (static_cast<Index>(blockIdx.x) * expression_threads + threadIdx.x) * expression_block;
  return {begin, begin + expression_block < count ? begin + expression_block : count};
}

template <class Real>
__global__ void add_fields(const ExpressionFields* fields, StateView<Real> s, const double* t) {
  const Range own = range_of_thread(s.count);
  if (own.begin < own.end) fields->add(s, *t, own.begin, own.end);
}

template <class Real>
__global__ void kick_fields(const ExpressionFields* fields, StateView<Real> s, double h,
                            const double* t, const unsigned* halted) {
  const Range own = range_of_thread(s.count);
  if (own.begin < own.end && *halted == 0) fields->kick(s, h, *t, own.begin, own.end);
}

template <class Real>
__global__ void add_potentials(const ExpressionFields* fields, StateView<const Real> s,
                               const double* t, double* phi) {
  const Range own = range_of_thread(s.count);
  if (own.begin < own.end) fields->add_potentials<Real>(s, *t, own.begin, own.end, phi + own.begin);
}

engine::LaunchShape expression_shape(Index count) {
  const Index a_block = expression_threads * expression_block;
  return {engine::blocks_for(count, a_block), expression_threads};
}

}  // namespace

struct ExpressionKernels::Loaded {
  ExpressionFields fields;
};

ExpressionSupport ExpressionKernels::support(const std::string&) {
  return {"", "", "field expressions are evaluated on the CPU: the GPU is emulated"};
}

ExpressionKernels::ExpressionKernels(const Cuda&, const std::vector<Field>& fields,
                                     engine::Precision, int evaluations)
    : loaded_(new Loaded{ExpressionFields(fields, evaluations)}) {}

ExpressionKernels::~ExpressionKernels() = default;
ExpressionKernels::ExpressionKernels(ExpressionKernels&&) noexcept = default;

void ExpressionKernels::add(const Cuda& exec, State<Device>& state, const double* t) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::launch(exec, expression_shape(s.count), add_fields<Real>, &loaded_->fields, s, t);
  });
}

void ExpressionKernels::kick(const Cuda& exec, State<Device>& state, double h, const double* t,
                             const unsigned* halted) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::launch(exec, expression_shape(s.count), kick_fields<Real>, &loaded_->fields, s, h, t,
                   halted);
  });
}

void ExpressionKernels::add_potentials(const Cuda& exec, const State<Device>& state,
                                       const double* t, double* phi) {
  state.visit([&]<class Const>(StateView<Const> s) {
    engine::launch(exec, expression_shape(s.count),
                   mote::sim::add_potentials<std::remove_const_t<Const>>, &loaded_->fields, s, t,
                   phi);
  });
}

}  // namespace mote::sim
