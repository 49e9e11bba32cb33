#pragma once

#include <vector>

#include "render/body_looks.h"
#include "sim/run/simulation.h"

namespace mote::api {

/// The looks of the species of a scene, by species number.
std::vector<render::Look> looks_of(const std::vector<sim::Species>& species);

/// The species of bodies, and the bodies with looks of their own, as kinds after the species.
struct Appearance {
  render::PointKinds kinds;  ///< null: all alike
  std::vector<render::OwnLook> own;
};

/// The appearance with the bodies hidden whose value is not above 0: those of view.show. One value
/// for each body; `species`: of the scene.
Appearance shown_where(Appearance appearance, const std::vector<double>& values,
                       std::size_t species);

/// False for a body of a kind that is not drawn. `looks`: of the species, by number.
bool is_visible(const Appearance& appearance, const std::vector<render::Look>& looks,
                engine::Index index);

/// The radius of the sphere of a body that has one of its own [length], or 0.
float own_radius(const Appearance& appearance, const std::vector<render::Look>& looks,
                 engine::Index index);

/// The appearance of the bodies of a simulation. Keeps the last one as long as the bodies are the
/// same; otherwise it copies 16 bytes for each from a GPU. Only needed where looks differ.
class BodyKinds {
 public:
  Appearance of(sim::Simulation& simulation);
  /// `labels`: by id; `species`: of the scene.
  Appearance of(const sim::State<engine::Host>& state, const sim::BodyLabels& labels,
                std::size_t species);

 private:
  void keep(std::vector<std::uint8_t> kinds, bool needed);

  Appearance last_;
  sim::BodyIds ids_;
  engine::Index count_ = -1;
};

}  // namespace mote::api
