#pragma once

#include <optional>
#include <string>

#include "engine/math/vec.h"
#include "engine/params.h"

namespace mote::sim {

/// The simulation box. Each axis is open, periodic, or bounded by a wall at either end that
/// reflects point particles.
struct Domain {
  engine::Vec3d low{0, 0, 0};     ///< [length], unused along open axes
  engine::Vec3d length{0, 0, 0};  ///< [length], > 0; unused along open axes
  bool periodic[3] = {false, false, false};
  bool walled[3] = {false, false, false};

  /// No axis is open: the domain has a volume.
  bool closed() const {
    for (int axis = 0; axis < 3; ++axis)
      if (!periodic[axis] && !walled[axis]) return false;
    return true;
  }
};

/// The `domain` table of a scene.
struct DomainTable {
  engine::Vec3d size{0, 0, 0};
  engine::Vec3d center{0, 0, 0};
  std::string boundary = "periodic";
  std::optional<std::string> x, y, z;  ///< boundary of one axis, overrides `boundary`
  std::optional<std::string> file;     ///< source of size and center; empty once it is read
};

const engine::ParamTable<DomainTable>& domain_table();

/// `table.size` must be > 0 along periodic and walled axes.
Domain domain_of(const DomainTable& table);

}  // namespace mote::sim
