#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/measure/measurement.h"
#include "sim/state.h"
#include "sim/whole_steps.h"

namespace mote::sim {

/// Columns of a state at several times: sample k begins k x `stride` elements after the pointers.
template <class Real>
struct SampleView {
  const Real *x, *y, *z, *vx, *vy, *vz;
  engine::Index stride;
};

/// Measures few bodies at many times at once: a persistent kernel stores a sample (positions and
/// velocities) at every step that is to be measured, and all samples are measured together
/// afterwards, which fills a GPU that one sample would not. Gravity between all bodies is the only
/// potential supported, summed in double over all pairs; Lagrangian radii come from the mass inside
/// each body's radius, summed likewise, without sorting.
///
/// The bits of a measurement depend on its sample alone.
class SampledGravity final : public SampledMeasurement {
 public:
  /// Largest number of bodies.
  static constexpr engine::Index largest_count = 8192;

  /// `gravitational` zero: no potential. The sample buffer takes at most `bytes`.
  SampledGravity(engine::Index count, engine::Precision precision, double softening,
                 double gravitational, std::uint64_t bytes = default_bytes);
  static constexpr std::uint64_t default_bytes = std::uint64_t{64} << 20;
  /// Bytes for the samples of each of `several` simulations at once: together at most a sixteenth
  /// of the device's memory.
  static std::uint64_t bytes_for(std::size_t several, const engine::Cuda& exec);
  ~SampledGravity() override;
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  engine::Index capacity() const override { return capacity_; }
  void* reserve(engine::Index samples) override;
  std::vector<Measurement> measure_samples(const engine::Cuda& exec,
                                           const State<engine::Device>& state,
                                           engine::Index samples) override;
  Measurement measure(const engine::Cuda& exec, const State<engine::Device>& state) override;

 private:
  template <class Real>
  std::vector<Measurement> run(const engine::Cuda& exec, const SampleView<Real>& view,
                               const Real* mass, engine::Index samples);

  struct Scratch;
  engine::Index count_;
  engine::Precision precision_;
  engine::Index capacity_;
  double squared_softening_, gravitational_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace mote::sim
