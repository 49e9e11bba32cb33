#pragma once

#include <functional>
#include <span>

#include "render/indexed_mesh.h"

namespace mote::render {

/// The surface of a fluid of particles, each of which stands for the volume spacing^3: where the
/// sum of that volume times the kernel of Wendland (1995, Adv. Comput. Math. 4, 389; C2) over the
/// particles is 1/2. That is the face of a half-space filled with particles, half a spacing beyond
/// the outermost; a ball of radius r is smaller by about 0.43 spacing^2 / r. Found on a grid of
/// half spacings by marching tetrahedra (Doi & Koide 1991, IEICE Trans. E74, 214), so that the
/// surface is closed: each edge belongs to two triangles. Normals are those of the sum. The same
/// for any order of the particles up to rounding. Particles that are not finite are skipped.
///
/// `positions`: 3 floats each; `spacing` > 0, in the same lengths. `on_progress`: called with
/// fractions from 0 to 1. Throws engine::InputError if the particles spread over more than 2^18
/// spacings along an axis.
IndexedMesh particle_surface(std::span<const float> positions, double spacing,
                             const std::function<void(double)>& on_progress = {});

}  // namespace mote::render
