#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/contact/contact.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// ContactForce on a GPU, for the steps of a scene: the same contract, but not the same bits.
///
/// Verlet lists are rebuilt once a grain has moved half the skin. They select the pairs that are
/// tested, not the order in which contacts are summed, so that no bit of the results depends on
/// them and they are not part of the state. Grains and lists are in cell order; springs are
/// double-buffered.
///
/// If lists or springs overflow their buffers, the record stalls before anything is lost: call
/// grow_buffers() and evaluate again.
template <class Real>
class DeviceContactForce {
 public:
  /// `members`: by body index, 0 for bodies that are not grains; empty if all are. `exempt`: by
  /// body index too. Synchronises the stream.
  DeviceContactForce(const engine::Cuda& exec, const ContactMaterials& materials,
                     const Obstacles& obstacles, const Domain& domain,
                     const State<engine::Host>& initial, std::vector<std::uint8_t> members = {},
                     const ExemptLists& exempt = {});
  DeviceContactForce(DeviceContactForce&&) noexcept;
  ~DeviceContactForce();

  /// `exempt`: excluded partners a grain. `solids`: whether forces on obstacles are kept.
  static std::uint64_t device_bytes(engine::Index count, engine::Index exempt = 0,
                                    bool solids = false);

  /// Wraps grains along periodic axes and adds accelerations at `time`. Advances springs by the
  /// clock's step if the positions are those after a drift. Asynchronous.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time);
  /// Energy of springs and adhesion. Synchronises the stream.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);

  /// Call after the state was replaced by one of the same layout: invalidates the lists.
  /// Synchronises the stream.
  void on_state_replaced(const engine::Cuda& exec, const State<engine::Device>& state);
  /// Grows buffers that overflowed. Returns true if recorded graphs must be recorded again.
  /// Synchronises the stream.
  bool grow_buffers(const engine::Cuda& exec);

  /// These are as in ContactForce. Synchronise the stream.
  std::vector<StoredContact<Real>> stored_contacts(const engine::Cuda& exec) const;
  void set_stored_contacts(const engine::Cuda& exec, std::span<const StoredContact<Real>> stored);

  /// Number of list builds, and of directed pairs in the current lists. Synchronises the stream.
  struct ListStatistics {
    std::uint32_t builds = 0;
    std::uint64_t pairs = 0;
  };
  ListStatistics list_statistics(const engine::Cuda& exec) const;

 private:
  struct Buffers;
  template <bool energy_only>
  void evaluate(const engine::Cuda& exec, const StateView<Real>& state, SolidState* solids,
                const StageTime& time);
  void set_radii(const engine::Cuda& exec, std::span<const Real> radii);
  void reserve(const engine::Cuda& exec, engine::Index entries, int obstacle_slots);

  ContactMaterials materials_;
  ContactLaw<Real> law_{};  // law of all grains, if they have one material
  Domain domain_;
  engine::Index count_;
  std::vector<std::uint32_t> id_;
  std::vector<std::uint8_t> member_;
  unsigned blocks_ = 1;  // resident at once
  double skin_ = 0;      // [length]
  bool grown_ = false;   // since the last grow_buffers()
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mote::sim
