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

/// Measurements of few bodies at many times at once: steps inside one kernel leave a row of places
/// and velocities wherever a measurement falls due, and go on; afterwards all rows are measured
/// together, which fills a GPU that one row would not. Gravity between all bodies is the only
/// potential that is known here, summed in double pair by pair; Lagrangian radii come from the mass
/// inside each body's radius, summed likewise, without sorting.
///
/// The bits of a measurement depend on its row alone.
class RowMeasure {
 public:
  /// Up to so many bodies.
  static constexpr engine::Index largest_count = 8192;

  /// `gravitational` zero: no potential. Rows get at most `room` bytes.
  RowMeasure(engine::Index count, engine::Precision precision, double softening,
             double gravitational, std::uint64_t room = usual_room);
  static constexpr std::uint64_t usual_room = std::uint64_t{64} << 20;
  /// Bytes for the rows of each of so many at once, which leave most of the device's memory to
  /// others.
  static std::uint64_t room_for(std::size_t several, const engine::Cuda& exec);
  ~RowMeasure();
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// Rows that may be measured at once.
  engine::Index capacity() const { return capacity_; }
  /// Takes the memory for so many rows, where it has less. Nobody may be writing rows.
  void reserve(engine::Index rows);
  /// Where steps leave the rows that there is memory for: six columns of `count` numbers a row, x y
  /// z vx vy vz.
  template <class Real>
  Real* rows();

  /// Measures rows [0, count of rows), which take their masses from `state`. Everything but time,
  /// step and energy error is filled in. Waits.
  std::vector<Measurement> measure_rows(const engine::Cuda& exec,
                                        const State<engine::Device>& state, engine::Index rows);
  /// Measures the state as it is. Waits.
  Measurement measure(const engine::Cuda& exec, const State<engine::Device>& state);

 private:
  template <class Real>
  std::vector<Measurement> run(const engine::Cuda& exec, const RowView<Real>& view,
                               const Real* mass, engine::Index rows);

  struct Scratch;
  engine::Index count_;
  engine::Precision precision_;
  engine::Index capacity_;
  double squared_softening_, gravitational_;
  std::unique_ptr<Scratch> scratch_;
};

/// Whether measurements of a scene with so many bodies are made so: of few, whose modules all say
/// that they can be, and which have no numbers of which rows know nothing.
bool measures_rows(const SceneDescription& scene, engine::Index count);

}  // namespace mote::sim
