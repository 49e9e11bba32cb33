#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sim/domain.h"
#include "sim/expansions/multipole.h"
#include "sim/expansions/multipole_settings.h"
#include "sim/force.h"

namespace mote::sim {

/// Forces between all charges of a scene, by expansions; in a domain that is
/// periodic along all axes with all images, else as in open space.
class ChargeExpansions {
 public:
  /// `accuracy`: relative error of 99 % of the forces.
  ChargeExpansions(double accuracy, Charges charges, const Domain& domain)
      : accuracy_(accuracy), charges_(std::move(charges)), domain_(domain) {}

  /// Throws InputError, at the path `key`, for an accuracy that this precision cannot keep.
  MultipoleSettings settings(engine::Precision precision,
                             const std::string& key = "accuracy") const;

  /// Throws InputError if the charges in a periodic domain do not sum to zero: the energy of all
  /// images would be infinite.
  void check(const State<engine::Host>& state, const std::string& location) const;

  /// Checks them too: bodies may have come or gone.
  void add_forces(const engine::Cpu&, const State<engine::Host>& initial,
                  Forces<engine::Cpu>& forces) const;
  void add_forces(const engine::Cuda&, const State<engine::Host>& initial,
                  Forces<engine::Cuda>& forces) const;

  std::uint64_t host_bytes(engine::Index count, engine::Precision precision) const;
  std::uint64_t device_bytes(engine::Index count, engine::Precision precision) const;

 private:
  double sum(const State<engine::Host>& state) const;  ///< total charge; exactly 0 for round-off
  Domain images() const { return sums_images(domain_) ? domain_ : Domain{}; }

  double accuracy_;
  Charges charges_;
  Domain domain_;
};

}  // namespace mote::sim
