#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/contact/contact.h"
#include "sim/contact/grains.h"
#include "sim/contact_network.h"
#include "sim/model/model.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// The grains of a scene and its obstacles as a force on the CPU.
class GrainForces {
 public:
  /// Throws InputError for an invalid obstacle.
  GrainForces(const engine::Cpu& exec, const Grains& grains, const Model& model,
              const State<engine::Host>& initial);

  /// At the positions of a step's end, the springs of contacts are advanced by the step.
  void run(const engine::Cpu& exec, State<engine::Host>& state, const StageTime& time,
           StepReport& report);
  /// Energy of springs and adhesion.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time);

  /// The contacts at `time`, with forces for the positions and velocities of the state.
  ContactNetwork contacts(const engine::Cpu& exec, const State<engine::Host>& state, double time);

  std::string serialize() const;
  void deserialize(std::string_view bytes);

  /// Refuses grains without mass, grains that overlap each other or obstacles too deeply or are too
  /// large for a periodic axis, and steps that cannot resolve contacts.
  void check_start(const engine::Cpu& exec, const State<engine::Host>& state, double dt,
                   const std::string& location);

 private:
  template <class Real>
  ContactForce<Real>& force() {
    return std::get<ContactForce<Real>>(force_);
  }
  template <class Real>
  std::vector<Contact<Real>> contacts_of(const engine::Cpu& exec, const StateView<const Real>& s,
                                         const SolidState* solids, double time);
  template <class Real>
  void check_overlaps(const engine::Cpu& exec, const StateView<const Real>& s,
                      const SolidState* solids, const std::string& location);
  /// Evaluates contacts into scratch; accelerations and forces on solids are discarded.
  template <class Real>
  ContactReport evaluate(const engine::Cpu& exec, const StateView<const Real>& s,
                         const SolidState* solids, double time);

  Domain domain_;
  std::vector<std::uint8_t> member_;  ///< flags by body index; empty if all bodies are grains
  ExemptLists exempt_;
  std::shared_ptr<const Obstacles> obstacles_;
  std::variant<ContactForce<float>, ContactForce<double>> force_;
  std::variant<std::vector<float>, std::vector<double>> scratch_;
};

/// By index: 1 for bodies with contacts, of all modules that touch; empty if all have.
std::vector<std::uint8_t> contact_members(const Model& model, const State<engine::Host>& state);

/// Pairs of bodies that are joined by constraints, which have no contact.
ExemptLists exempt_bodies(const Model& model, const State<engine::Host>& state);

/// The obstacles of a scene with these grains. Throws InputError for an invalid one.
Obstacles obstacles_of(const Grains& grains, const Model& model, const State<engine::Host>& initial,
                       int threads);

/// Serialized contacts, in the same format on every backend.
template <class Real>
std::string bytes_of_contacts(const std::vector<StoredContact<Real>>& contacts);
template <class Real>
std::vector<StoredContact<Real>> contacts_of_bytes(std::string_view bytes);

/// Bytes of the serialized contacts of `count` grains in a dense heap.
std::uint64_t contact_bytes(engine::Index count, engine::Precision precision);

}  // namespace mote::sim
