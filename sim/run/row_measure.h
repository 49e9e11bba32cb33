#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/measure/measurement.h"
#include "sim/state.h"

namespace mote::sim {

struct SceneDescription;

/// Columns of a state at several times: row r begins r x `stride` numbers behind the pointers.
template <class Real>
struct RowView {
  const Real *x, *y, *z, *vx, *vy, *vz;
  engine::Index stride;
};

/// Measurements of few bodies at many times at once: steps inside one kernel leave a row of places and velocities
/// wherever a measurement falls due, and go on; afterwards all rows are measured together, which fills a GPU that one
/// row would not. Gravity between all bodies is the only potential that is known here, summed in double pair by pair;
/// Lagrangian radii come from the mass inside each body's radius, summed likewise, without sorting.
///
/// The bits of a measurement depend on its row alone.
class RowMeasure {
 public:
  /// Up to so many bodies.
  static constexpr engine::Index largest_count = 8192;

  /// `mass`: column of the state, on the device. `gravitational` zero: no potential.
  RowMeasure(engine::Index count, engine::Precision precision, double softening, double gravitational);
  ~RowMeasure();
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// Rows that there is room for.
  engine::Index capacity() const;
  /// Where steps leave their rows: six columns of `count` numbers a row, x y z vx vy vz.
  template <class Real>
  Real* rows();

  /// Measures rows [0, count of rows), which take their masses from `state`. Everything but time, step and energy
  /// error is filled in. Waits.
  std::vector<Measurement> measure_rows(const engine::Cuda& exec, const State<engine::Device>& state,
                                        engine::Index rows);
  /// Measures the state as it is. Waits.
  Measurement measure(const engine::Cuda& exec, const State<engine::Device>& state);

 private:
  template <class Real>
  std::vector<Measurement> run(const engine::Cuda& exec, const RowView<Real>& view, const Real* mass,
                               engine::Index rows);

  struct Scratch;
  engine::Index count_;
  double squared_softening_, gravitational_;
  std::unique_ptr<Scratch> scratch_;
};

/// Whether measurements of a scene with so many bodies are made so: of few, with gravity and no other force.
bool measures_rows(const SceneDescription& scene, engine::Index count);

}  // namespace mote::sim
