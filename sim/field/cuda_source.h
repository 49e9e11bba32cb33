#pragma once

#include <string>
#include <vector>

#include "engine/types.h"
#include "sim/field/fields.h"

namespace mote::sim {

/// CUDA C++ source for the expressions of a scene, in the number type of the state. Its kernels,
/// for `n` bodies, one a thread:
///   add_fields(n, m, x, y, z, vx, vy, vz, t, ax, ay, az)
///     accelerations += the fields that do not depend on velocities
///   kick_fields(n, m, x, y, z, vx, vy, vz, t, ax, ay, az, h, halted)
///     the kick of FieldForce; does nothing if *halted
///   add_potentials(n, m, x, y, z, vx, vy, vz, t, phi)
///     phi += the potentials, in double
/// `t` points to the time, a double.
std::string cuda_source(const std::vector<Field>& fields, engine::Precision precision,
                        int evaluations);

}  // namespace mote::sim
