#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/algo/kernel_clock.h"
#include "engine/exec/graph.h"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"
#include "sim/measure/measurement_device.h"
#include "sim/motion/integrator.h"
#include "sim/run/initial_state.h"
#include "sim/run/simulation.h"
#include "sim/space/body_order.h"
#include "sim/whole_steps.h"

namespace mote::sim {

/// A simulation on one GPU. The state is in device memory; the host mirror is updated on demand.
/// Buffers and copies: device_simulation.cpp. Stepping: device_simulation_steps.cpp.
class DeviceSimulation final : public Simulation {
 public:
  DeviceSimulation(const SceneDescription& scene, const Plan& plan, InitialState start);
  /// Makes its device current in whichever thread destroys it, so that buffers are freed there.
  ~DeviceSimulation() override { engine::make_current(exec_.device); }
  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override;
  StepReport advance_measured(std::uint64_t steps, std::uint64_t every,
                              const std::function<bool()>& stop,
                              const std::function<void(const Measurement&)>& use) override;
  double largest_step() const override { return sim::largest_step(forces_.all); }
  std::uint64_t hash() override;
  const State<engine::Host>& state() override;
  OnDevice on_device() override;
  std::vector<SolidState> solids() override;
  Measurement measure() override;
  std::optional<ForceErrors> force_errors() override;
  std::vector<double> potentials() override;
  Histogram histogram(const HistogramRequest& request) override;
  std::unique_ptr<SavedState> save() override;
  void restore(const SavedState& saved) override;
  std::string force_state() override;
  HiddenState hidden_state() override;
  bool moves_bodies() const override { return orders_every(forces_) > 0; }
  void pack(const engine::PointFrame& to, const PackRequest& request) override;
  BodyState body(engine::Index index) override;

 protected:
  void set_hidden_state(const HiddenState& hidden) override;
  std::optional<Impulse> impulse_of_forces() override;
  void set_impulse_of_forces(const Impulse& impulse) override;
  /// Also records the graphs again, or makes the whole steps again.
  void apply_live() override;
  void evaluate_forces() override;
  std::int64_t first_not_finite() override;
  /// Frees the old buffers first: the device may not hold both.
  void rebuild(State<engine::Host> state) override;
  void copy_fields(const State<engine::Host>& state) override;

 private:
  void set_force_state(std::string_view bytes);
  /// Prepares stepping of newly uploaded bodies.
  void start_stepping();
  /// True if forces have buffers that are resized between steps.
  bool grows_buffers() const;
  /// True if recorded graphs are outdated.
  bool grow_buffers();
  /// Makes the whole steps or records the graphs.
  void prepare();
  /// Makes those of the module that takes them, if the plan says so. A device that refuses them,
  /// although its attributes promised enough co-resident blocks, falls back to graphs.
  void make_whole_steps();
  /// The system as the integrator sees it, for steps of the present length.
  System<engine::Cuda> system(StepReport& report);
  /// Runs the steps in slices. `every` > 0, only with whole steps that store samples: measures at
  /// each multiple of it.
  StepReport run_slices(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                        const std::function<void(const Measurement&)>& use);
  DeviceRecord step_alone(std::uint64_t steps, const StepSamples& samples);
  bool in_batch() const;
  /// The batch may run on another stream, so this waits for earlier work first.
  DeviceRecord step_in_batch(std::uint64_t steps, const StepSamples& samples);
  void report_samples(std::uint64_t first, std::uint64_t samples, std::uint64_t every,
                      const std::function<void(const Measurement&)>& use);
  void enqueue_step();
  /// The time between steps. Uploads the clock if it changed.
  StageTime current_time();
  void enqueue(std::uint64_t steps, const StepSamples& samples);
  void evaluate(StepReport& report);
  /// True if the record, as last read, is stalled: clears that and grows the buffers; the forces
  /// must be evaluated again.
  bool clear_stall();
  /// Completes a stalled step: evaluates its forces, then applies the moves after them.
  void finish_step();
  /// Records the graphs again if they refer to freed buffers.
  void refresh_graphs();
  /// Rebuilds contact lists for an imported state, growing buffers until they fit.
  void rebuild_contacts();
  void read_record();
  void reset_record();
  /// Duration of the last slice [s]: by the device's clock for whole steps.
  double slice_duration(double on_host) const;
  /// The clock decides how long a slice is, never what is in it: bits do not depend on slices.
  void adapt_slice(std::uint64_t steps, double seconds);
  void order_bodies();
  /// Reports a halt of the device and makes stepping possible again. The halted steps have moved no
  /// body. After a non-finite body or a diverging thermostat chain they may have left partial sums
  /// of forces, which are evaluated again; a force that found the step too long has restored the
  /// earlier ones.
  void handle_halt(const DeviceRecord& record, StepReport& report);

  Stepping stepping_;  // for the current number of bodies
  engine::Stream stream_;
  engine::Cuda exec_;
  State<engine::Host> mirror_;  ///< in the order of ids
  State<engine::Device> state_;
  std::vector<State<engine::Device>> retained_;  ///< of earlier sets of bodies (retain_columns)
  BodyOrder<engine::Cuda> order_;
  std::optional<State<engine::Device>> by_id_;  ///< for on_device(), if its order is another
  ForceSet<engine::Cuda> forces_;
  std::unique_ptr<Integrator<engine::Cuda>> integrator_;
  std::unique_ptr<DeviceMeasure> measure_;
  engine::Buffer<DeviceRecord, engine::Device> record_;
  engine::Buffer<DeviceRecord, engine::Pinned> record_host_;
  engine::Buffer<StepClock, engine::Device> clock_;
  std::optional<StepClock> uploaded_clock_;
  std::optional<engine::Graph> one_step_, many_steps_;
  std::unique_ptr<WholeSteps> whole_steps_;      // null: stages are enqueued or replayed
  engine::KernelClock kernel_clock_;             // of them
  std::unique_ptr<SampledMeasurement> sampled_;  // null: measured by measure_ and the forces
  std::uint64_t steps_recorded_ = 0, interactions_per_step_ = 0, slice_ = 1;
  double recorded_dt_ = 0;                                         ///< [time], of the graphs
  double step_seconds_ = std::numeric_limits<double>::infinity();  ///< recent minimum of a step
  bool mirrored_ = false;
  bool graphs_outdated_ = false;
};

}  // namespace mote::sim
