#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/contact/contact.h"
#include "sim/contact/contact_network.h"
#include "sim/scene/description.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// The grains of a scene and its obstacles as a force on the CPU.
class GrainStage {
 public:
  /// `mesh`: of the soft bodies of the scene, whose bodies are grains too; null where it has none.
  /// Throws InputError when an obstacle cannot be.
  GrainStage(const engine::Cpu& exec, const SceneDescription& scene,
             const State<engine::Host>& initial, const SoftMesh* mesh);

  /// Where the positions are those of a step's end, springs of contacts are advanced by the step.
  void run(const engine::Cpu& exec, State<engine::Host>& state, const StageTime& time,
           StepReport& report);
  /// Of springs and adhesion.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time);

  /// Who touches whom at `time`, with forces for the places and velocities of the state.
  ContactNetwork contacts(const engine::Cpu& exec, const State<engine::Host>& state, double time);

  std::string memory() const;
  void set_memory(std::string_view bytes);

  /// Refuses grains without mass or in each other, in obstacles or too large for a periodic axis,
  /// and steps that cannot resolve their contacts.
  void check_start(const engine::Cpu& exec, const State<engine::Host>& state, double dt,
                   const std::string& place);

 private:
  template <class Real>
  ContactForce<Real>& force() {
    return std::get<ContactForce<Real>>(force_);
  }
  template <class Real>
  std::vector<Contact<Real>> contacts_of(const engine::Cpu& exec, const StateView<const Real>& s,
                                         double time);
  template <class Real>
  void check_overlaps(const engine::Cpu& exec, const StateView<const Real>& s,
                      const std::string& place);
  /// With accelerations that nobody asks for.
  template <class Real>
  ContactReport look(const engine::Cpu& exec, const StateView<const Real>& s, double time);

  Domain domain_;
  std::vector<std::uint8_t> member_;  ///< by column, where not all bodies are grains
  ExemptLists exempt_;
  std::shared_ptr<const Obstacles> obstacles_;
  std::variant<ContactForce<float>, ContactForce<double>> force_;
  std::variant<std::vector<float>, std::vector<double>> scratch_;
};

/// By column, 1 for bodies that touch as grains do: grains, and soft bodies beside them; empty
/// where all do.
std::vector<std::uint8_t> touching_bodies(const SceneDescription& scene,
                                          const State<engine::Host>& state);

/// Those whose distance is that of a constraint: bodies of soft things that share one do not push
/// each other. `mesh` may be null.
ExemptLists exempt_bodies(const SoftMesh* mesh, const State<engine::Host>& state);

/// The obstacles of a scene with grains. Throws InputError when one cannot be.
Obstacles obstacles_of(const SceneDescription& scene, const State<engine::Host>& initial,
                       int threads);

/// What grains remember, as bytes and back: the same ones on every backend.
template <class Real>
std::string bytes_of_contacts(const std::vector<ContactMemory<Real>>& contacts);
template <class Real>
std::vector<ContactMemory<Real>> contacts_of_bytes(std::string_view bytes);

/// Columns of grains, and of a state that remembers its accelerations.
void add_grain_columns(StateShape& shape, const Domain& domain);

/// Radii of bodies from column `first` on that have none, and masses by them where the scene has a
/// density.
void fill_grains(State<engine::Host>& state, engine::Index first, const SceneDescription& scene);

/// Bytes of the springs of so many grains in a dense heap.
std::uint64_t contact_bytes(engine::Index count, engine::Precision precision);

}  // namespace mote::sim
