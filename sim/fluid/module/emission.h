#pragma once

#include "sim/fluid/module/fluid_tables.h"
#include "sim/model/body_events.h"
#include "sim/model/model.h"

namespace mote::sim {

/// The emitters and drains of a scene. `fluid` and `model` outlive it.
class FluidEvents final : public BodyEvents {
 public:
  FluidEvents(const FluidTables& fluid, const Model& model) : fluid_(fluid), model_(model) {}

  std::uint64_t next(const Clock& clock) const override;
  void run(const Clock& clock, const State<engine::Host>& state, BodyChange& change) const override;
  engine::Index most_added(engine::Index count, std::optional<double> stop) const override;

 private:
  double time_between_layers(const Emitter& emitter) const;
  double time_of_layer(const Emitter& emitter, std::uint64_t layer) const;
  /// The step at which a layer leaves the emitter, or by which it has left.
  std::uint64_t step_of(const Clock& clock, const Emitter& emitter, std::uint64_t layer) const;
  /// The first layer that leaves after a step; `never` if none.
  std::uint64_t layer_after(const Clock& clock, const Emitter& emitter, std::uint64_t step) const;
  void emit(const Clock& clock, const Emitter& emitter, const State<engine::Host>& state,
            BodyChange& change) const;
  void drain(std::uint64_t step, const State<engine::Host>& state, BodyChange& change) const;

  const FluidTables& fluid_;
  const Model& model_;
};

}  // namespace mote::sim
