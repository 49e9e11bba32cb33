#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/history/edits.h"
#include "sim/run/simulation.h"
#include "sim/schedule.h"

namespace mote::sim {

/// Takes the steps of a run and makes the changes between them: a simulation with the edits that it
/// repeats (RepeatedEdits), or one with a past to return to (History).
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Steps as Simulation::advance_measured does; `every` 0: no measurements.
  virtual StepReport advance(std::uint64_t steps, std::uint64_t every,
                             const std::function<bool()>& stop,
                             const std::function<void(const Measurement&)>& use) = 0;
  /// Changes a live parameter at the present step. Throws InputError, leaving everything unchanged.
  virtual void edit(const std::string& path, const engine::ParamValue& value) = 0;
  /// Adds and removes bodies (Simulation::change_bodies).
  virtual void change_bodies(const BodyChange& change) = 0;
  /// Edits applied to the present state, as run.json and checkpoints need them.
  virtual std::span<const Edit> edits_so_far() const = 0;

  /// The step of the next edit that is to be repeated, or `never`. Advance no further at once.
  virtual std::uint64_t next_edit() const { return never; }
  /// Makes those of the present step.
  virtual void make_edits() {}
  /// Steps after this one are new: up to it, hooks have run before, and what they set is among the
  /// edits. The present step, if the next one discards edits ahead.
  virtual std::uint64_t first_new() const { return 0; }
  /// Changes when steps ahead of the present one were discarded.
  virtual std::uint64_t branch() const { return 0; }
};

/// A simulation, and edits that are repeated at their steps.
class RepeatedEdits final : public Stepper {
 public:
  /// `past`: applied to the present state. `ahead`: in order of step.
  explicit RepeatedEdits(Simulation& simulation, std::vector<Edit> past = {},
                         std::vector<Edit> ahead = {});
  StepReport advance(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                     const std::function<void(const Measurement&)>& use) override;
  /// An equal edit ahead at this step, which is the record of this one, is dropped.
  void edit(const std::string& path, const engine::ParamValue& value) override;
  void change_bodies(const BodyChange& change) override { simulation_.change_bodies(change); }
  std::span<const Edit> edits_so_far() const override { return {edits_.data(), applied_}; }
  std::span<const Edit> edits_ahead() const { return std::span(edits_).subspan(applied_); }
  std::uint64_t next_edit() const override;
  void make_edits() override;

 private:
  void apply(const Edit& edit);

  Simulation& simulation_;
  std::vector<Edit> edits_;
  std::size_t applied_;
};

}  // namespace mote::sim
