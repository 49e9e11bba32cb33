#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/exec/graph.h"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"
#include "sim/measure/measurement_device.h"
#include "sim/molecular/thermostat_device.h"
#include "sim/motion/motion.h"
#include "sim/run/cooperative.h"
#include "sim/run/kernel_clock.h"
#include "sim/run/opening.h"
#include "sim/run/pair_steps.h"
#include "sim/run/registry.h"
#include "sim/run/row_measure.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// A scene on one GPU. The state lives there; the host has a mirror, filled when it is asked for.
/// What is laid down for as many bodies as there are, and copies: device_simulation.cpp. Steps:
/// device_simulation_steps.cpp.
class DeviceSimulation final : public Simulation {
 public:
  DeviceSimulation(const SceneDescription& scene, const Plan& plan, Start start);
  /// In whatever thread it ends, what it has is given back on its device.
  ~DeviceSimulation() override { engine::make_current(exec_.device); }
  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override;
  StepReport advance_measured(std::uint64_t steps, std::uint64_t every,
                              const std::function<bool()>& stop,
                              const std::function<void(const Measurement&)>& use) override;
  double largest_step() const override { return sim::largest_step(forces_); }
  std::uint64_t hash() override;
  const State<engine::Host>& state() override;
  OnDevice on_device() override;
  Measurement measure() override;
  Histogram histogram(const HistogramRequest& request) override;
  std::unique_ptr<KeptState> keep() override;
  void restore(const KeptState& kept) override;
  std::string force_memory() override;
  void pack(const PackTarget& target) override;
  BodyNumbers body(engine::Index column) override;

 protected:
  void set_force_memory(std::string_view bytes) override;
  /// What was recorded or laid down with the old settings is made anew.
  void apply_live() override;
  void evaluate_forces() override;
  std::int64_t first_not_finite() override;
  /// Everything old goes before anything new comes: the device may not have room for both.
  void lay_out(State<engine::Host> state) override;
  void copy_numbers(const State<engine::Host>& state) override;

 private:
  /// Of bodies that have just been laid out.
  void start_stepping();
  void make_thermostat();
  /// Whether there are forces that count neighbours, and do so later than the steps.
  bool settles() const { return physics().pairs || physics().fluid || physics().grains; }
  /// Whether what was recorded is no longer right.
  bool settle();
  void prepare();
  void make_one_kernel();
  /// Steps in slices; `every` > 0 and in one kernel: with a row of measurements at each multiple of
  /// it.
  StepReport take(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                  const std::function<void(const Measurement&)>& use);
  DeviceRecord step_alone(std::uint64_t steps, const CooperativeSteps::Rows& rows);
  bool with_others() const;
  /// The others may be on other streams: what was started before ends first.
  DeviceRecord step_in_batch(std::uint64_t steps, const CooperativeSteps::Rows& rows);
  void* rows_room();
  void use_rows(std::uint64_t first, std::uint64_t rows, std::uint64_t every,
                const std::function<void(const Measurement&)>& use);
  void enqueue_step();
  /// Moves whose kicks are those of a force. What falls due at the start and at the end stays with
  /// the moves of its own: the record must not change under a kernel that asks it for the time.
  void enqueue_kicks(const Moves& all);
  /// The time of the state as it is between steps. Tells the device where the clock stands, when
  /// that has changed.
  StageTime at_rest();
  void enqueue(std::uint64_t steps, const CooperativeSteps::Rows& rows);
  void evaluate(StepReport& report);
  /// Whether the record, as it was read last, has stalled: then a force has room now, and is to be
  /// run again.
  bool make_room();
  /// The rest of a step whose forces had no room: forces, and what comes behind them.
  void finish_step();
  /// Steps that were recorded with memory that is no more.
  void record_anew();
  /// Forces that list grains do so for a state from elsewhere, until there is room.
  void look_once();
  void read_record();
  void reset_record();
  /// What the slice that was waited for took. Where that was one kernel the device says it.
  double seconds_of_slice(double on_host) const;
  /// The clock decides how long a slice is, never what is in it: bits do not depend on slices.
  void adapt_slice(std::uint64_t steps, double seconds);
  /// Takes over what the device noted, and makes stepping possible again: the halted steps have
  /// moved nobody. Where a body is not finite, or a thermostat's chain too fast, they may have left
  /// sums of forces; a force that found the step too long has put back those of before.
  void note_trouble(const DeviceRecord& record, StepReport& report);

  Step stages_;
  Stepping stepping_;  // of as many bodies as there are
  bool measures_rows_ = false;
  engine::Stream stream_;
  engine::Cuda exec_;
  State<engine::Host> mirror_;
  State<engine::Device> state_;
  std::vector<Moves> moves_;
  std::vector<std::unique_ptr<Force<engine::Cuda>>> forces_;
  Force<engine::Cuda>*kicking_, *constraining_;  // of them, or null
  std::unique_ptr<DeviceThermostat> thermostat_;
  std::unique_ptr<DeviceMeasure> measure_;
  engine::Buffer<DeviceRecord, engine::Device> record_;
  engine::Buffer<DeviceRecord, engine::Pinned> record_host_;
  engine::Buffer<StepClock, engine::Device> clock_;
  std::optional<StepClock> clock_known_;  // what the device was told
  std::optional<engine::Graph> one_step_, many_steps_;
  std::optional<CooperativeSteps> cooperative_;
  std::optional<PairSteps> pair_steps_;
  KernelClock kernel_clock_;  // of those two
  std::optional<RowMeasure> rows_;
  std::uint64_t steps_recorded_ = 0, interactions_of_step_ = 0, slice_ = 1;
  double step_seconds_ = std::numeric_limits<double>::infinity();  ///< the least of a step of late
  bool mirrored_ = false;
  bool outdated_ = false;  // what was recorded
};

}  // namespace mote::sim
