#pragma once

#include <utility>
#include <vector>

#include "sim/io/moment.h"

namespace mote::sim {

/// States between two moments of one simulation: cubic Hermite curves through the places and
/// velocities of each body, which its id pairs. A body that is in one of them alone is seen at that
/// moment, but not between. Where a moment has no velocities, bodies go in straight lines. Species
/// and radii are those of the earlier moment.
class Between {
 public:
  /// The moments outlive this; `a` is earlier. They may also be one and the same.
  Between(const Moment& a, const Moment& b);

  /// At a time from that of `a` to that of `b`; at these two times all bodies of the moment, as
  /// they are there. In double precision, without accelerations. Valid until the next call.
  const State<engine::Host>& at(double time);

 private:
  const Moment *a_, *b_;
  std::vector<std::pair<engine::Index, engine::Index>> pairs_;  ///< columns of a body in both
  State<engine::Host> state_;
};

}  // namespace mote::sim
