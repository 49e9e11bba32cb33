#pragma once

#include <optional>
#include <string>

#include "engine/math/vec.h"
#include "engine/params.h"

namespace mote::sim {

/// Where bodies are. Each axis is open, or periodic: then places that differ by a whole length are
/// the same one; or it has a wall at either end, which throws back what has no size of its own.
struct Domain {
  engine::Vec3d low{0, 0, 0};     ///< [length], of axes that are not open
  engine::Vec3d length{0, 0, 0};  ///< [length], > 0, of axes that are not open
  bool periodic[3] = {false, false, false};
  bool walled[3] = {false, false, false};

  /// No axis is open, so that it has a volume.
  bool closed() const {
    for (int axis = 0; axis < 3; ++axis)
      if (!periodic[axis] && !walled[axis]) return false;
    return true;
  }
};

/// A domain as scenes describe it.
struct DomainTable {
  engine::Vec3d size{0, 0, 0};
  engine::Vec3d center{0, 0, 0};
  std::string boundary = "periodic";
  std::optional<std::string> x, y, z;  ///< along one axis, instead
  std::optional<std::string> file;     ///< that size and center come from; none once they did
};

const engine::ParamTable<DomainTable>& domain_table();

/// `size` is > 0 along axes that are not open.
Domain domain_of(const DomainTable& table);

}  // namespace mote::sim
