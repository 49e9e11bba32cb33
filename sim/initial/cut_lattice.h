#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/types.h"

namespace mote::sim {

/// Points of a cubic lattice inside a shape about the origin, row by row along x.
struct CutLattice {
  struct Row {
    engine::Index first;  ///< number of its first point
    double y;
    int begin, count;  ///< columns: its points are at x[begin], ..., x[begin + count - 1]
  };
  struct Layer {
    double z;
    std::vector<Row> rows;
  };
  std::vector<double> x;  ///< coordinates of the columns
  std::vector<Layer> layers;
};

/// All of a cube that is periodic with this side; `n` is a cube (precondition).
CutLattice lattice_in_box(std::int64_t n, double side);

/// The `n` points that are closest to the origin. The spacing is such that the sphere has n cells,
/// so that the density is that of the sphere; the outermost points are within a spacing of its
/// surface. The origin is no point of symmetry of the lattice: all distances differ.
CutLattice lattice_in_sphere(std::int64_t n, double radius);

/// The number whose cube is n; 0 if there is none.
std::int64_t cube_root(std::int64_t n);

}  // namespace mote::sim
