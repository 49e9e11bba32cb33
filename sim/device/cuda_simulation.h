#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "engine/algo/kernel_clock.h"
#include "engine/exec/graph.h"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"
#include "sim/device/device_columns.h"
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/run/machine.h"
#include "sim/whole_steps.h"

namespace mote::sim {

/// The stream of a simulation on a GPU, made before its buffers.
struct OwnStream {
  explicit OwnStream(int device) : stream(device) {}
  engine::Stream stream;
};

/// Steps a scene on one GPU, in slices that are launched, replayed from graphs, or taken by one
/// kernel. The state is in device memory; the host has a mirror on demand.
class CudaSimulation final : private OwnStream, public Machine<engine::Cuda> {
 public:
  CudaSimulation(const SceneDescription& scene, const Plan& plan,
                 std::shared_ptr<InitialState> initial);
  /// Makes its device current in whichever thread destroys it, so that buffers are freed there.
  ~CudaSimulation() override { engine::make_current(exec_.device); }
  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override;
  StepReport advance_measured(std::uint64_t steps, std::uint64_t every,
                              const std::function<bool()>& stop,
                              const std::function<void(const Measurement&)>& use) override;
  OnDevice on_device() override;

 protected:
  System<engine::Cuda> system(StepReport& report) override;
  /// Uploads the clock if it changed.
  StageTime current_time() override;
  void evaluate(StepReport& report) override;
  /// Grows buffers until they fit, and counts the interactions of a step.
  void start_stepping() override;
  /// Makes the whole steps or records the graphs.
  void prepare() override;
  void release() override;
  /// Rebuilds contact lists for an imported state, growing buffers until they fit.
  void settle() override;
  std::optional<Measurement> measured_by_module() override;
  void evaluate_forces() override;

 private:
  /// Steps one by one, by an integrator without stages, and looks at the record after each.
  StepReport advance_without_stages(std::uint64_t steps, const std::function<bool()>& stop);
  /// True if forces have buffers that are resized between steps.
  bool grows_buffers() const;
  /// True if recorded graphs are outdated.
  bool grow_buffers();
  /// Makes those of the module that takes them, if the plan says so. A device that refuses them,
  /// although its attributes promised enough co-resident blocks, falls back to graphs.
  void make_whole_steps();
  /// Runs the steps in slices. `every` > 0, only with whole steps that store samples: measures at
  /// each multiple of it.
  StepReport run_slices(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                        const std::function<void(const Measurement&)>& use);
  /// The length of the next slice; reserves what is measured in it.
  std::uint64_t next_slice(std::uint64_t most, std::uint64_t every, StepSamples& samples);
  DeviceRecord step_alone(std::uint64_t steps, const StepSamples& samples);
  bool in_batch() const;
  /// The batch may run on another stream, so this waits for earlier work first.
  DeviceRecord step_in_batch(std::uint64_t steps, const StepSamples& samples);
  void report_samples(std::uint64_t first, std::uint64_t samples, std::uint64_t every,
                      const std::function<void(const Measurement&)>& use);
  void enqueue_step();
  void enqueue(std::uint64_t steps, const StepSamples& samples);
  /// True if the record, as last read, is stalled: clears that and grows the buffers; the forces
  /// must be evaluated again.
  bool clear_stall();
  /// Completes a stalled step: evaluates its forces, then applies the moves after them.
  void finish_step();
  /// Records the graphs again if they refer to freed buffers.
  void refresh_graphs();
  void read_record();
  void reset_record();
  /// Duration of the last slice [s]: by the device's clock for whole steps.
  double slice_duration(double on_host) const;
  /// The clock decides how long a slice is, never what is in it: bits do not depend on slices.
  void adapt_slice(std::uint64_t steps, double seconds);
  /// Reports a halt of the device and makes stepping possible again. The halted steps have moved no
  /// body. After a non-finite body or a diverging thermostat chain they may have left partial sums
  /// of forces, which are evaluated again; a force that found the step too long has restored the
  /// earlier ones.
  void handle_halt(const DeviceRecord& record, StepReport& report);

  Stepping stepping_;                           // for the current number of bodies
  std::optional<State<engine::Device>> by_id_;  ///< for on_device(), if its order is another
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
  bool graphs_outdated_ = false;
};

}  // namespace mote::sim
