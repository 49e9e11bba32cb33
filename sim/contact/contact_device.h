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

/// ContactForce on a GPU, with the drivers of a scene's step. What ContactForce says holds here;
/// the bits are others.
///
/// Who may touch whom is listed, and listed anew when a grain has used up half of a skin. Lists
/// decide who is looked at, never in which order contacts are added up, so that no bit depends on
/// them and they are no part of a state. Grains and their lists stand in the order of cells;
/// springs stand beside the lists, in two buffers that take turns.
///
/// Where there is no room for lists or springs, the record stalls before anything is lost: `settle`
/// makes room, and the evaluation is to be started again.
template <class Real>
class DeviceContactForce {
 public:
  /// `members`: by column, 0 for bodies that are no grains; empty where all are. `exempt`: by
  /// column too. Waits.
  DeviceContactForce(const engine::Cuda& exec, const ContactParams& params,
                     const Obstacles& obstacles, const Domain& domain,
                     const State<engine::Host>& initial, std::vector<std::uint8_t> members = {},
                     const ExemptLists& exempt = {});
  DeviceContactForce(DeviceContactForce&&) noexcept;
  ~DeviceContactForce();

  /// `exempt`: bodies that each of them does not feel.
  static std::uint64_t device_bytes(engine::Index count, engine::Index exempt = 0);

  /// Brings grains back into the domain along periodic axes, and adds accelerations at the time.
  /// Springs are advanced by the clock's step where the positions are those behind a drift,
  /// otherwise left. Does not wait.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time);
  /// Of springs and adhesion. Waits.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);

  /// The state has been replaced by another one of the same shape: what was listed counts for
  /// nothing. Waits.
  void replaced(const engine::Cuda& exec, const State<engine::Device>& state);
  /// Makes room where there was too little. Says whether steps must be recorded anew. Waits.
  bool settle(const engine::Cuda& exec);

  /// As those of ContactForce. Wait.
  std::vector<ContactMemory<Real>> memory(const engine::Cuda& exec) const;
  void set_memory(const engine::Cuda& exec, std::span<const ContactMemory<Real>> memory);

  /// How often grains were listed, and how many pairs the last time, from both sides. Waits.
  struct Account {
    std::uint32_t listings = 0;
    std::uint64_t listed = 0;
  };
  Account account(const engine::Cuda& exec) const;

 private:
  struct Memory;
  template <bool look>
  void evaluate(const engine::Cuda& exec, const StateView<Real>& state, const StageTime& time);
  void take_sizes(const engine::Cuda& exec, std::span<const Real> radii);
  void reserve(const engine::Cuda& exec, engine::Index entries, int obstacle_places);

  ContactParams params_;
  Domain domain_;
  engine::Index count_;
  std::vector<std::uint32_t> id_;
  std::vector<std::uint8_t> member_;
  unsigned blocks_ = 1;  // that are resident at once
  double skin_ = 0;      // [length]
  bool grown_ = false;   // since the last settle
  std::unique_ptr<Memory> memory_;
};

}  // namespace mote::sim
