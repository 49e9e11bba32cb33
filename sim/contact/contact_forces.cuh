#pragma once

#include "engine/exec/async_copy.cuh"
#include "sim/contact/contact_build.cuh"
#include "sim/contact/contact_formula.h"

/// Force kernel of DeviceContactForce, one thread a grain.
namespace mote::sim::contact_kernels {

constexpr unsigned contact_threads = 128;

/// Obstacles take the largest key values, above all ids.
inline MOTE_HOST_DEVICE std::uint32_t key_of_obstacle(int obstacle, int obstacles) {
  return 0xffffffffu - static_cast<std::uint32_t>(obstacles - obstacle);
}

/// Material of the grains of a kernel. With one for all it is an argument, without a load.
enum class GrainMaterial {
  linear,      ///< linear springs, without rolling resistance: springs without tails
  general,     ///< any one material: springs with tails
  by_species,  ///< one material per species: springs with tails
};

/// Asynchronous copy of the next spring of each thread (engine/exec/async_copy.cuh).
template <class Real, bool with_tail>
struct PrefetchBuffer {
  SpringHead<Real> head[contact_threads];
  SpringTail<Real> tail[with_tail ? contact_threads : 1];
};

/// The stored springs of a grain, read in the order of their keys.
template <class Real, bool with_tail>
struct PreviousSprings {
  const Springs<Real>& all;
  std::uint32_t at;
  std::int32_t remaining;
  SpringHead<Real>* head;  ///< the next one; shared
  SpringTail<Real>* tail;

  /// Call fetch() before the first of().
  __device__ PreviousSprings(const Springs<Real>& springs, std::int32_t index,
                             PrefetchBuffer<Real, with_tail>& buffer)
      : all(springs),
        at(springs.first[index]),
        remaining(springs.count[index]),
        head(&buffer.head[threadIdx.x]),
        tail(&buffer.tail[with_tail ? threadIdx.x : 0]) {}
  /// The spring of this partner; keys must be requested in increasing order.
  __device__ ContactSpring<Real> of(std::uint32_t key, const ContactLaw<Real>& law) {
    engine::await_copies();
    while (remaining > 0 && head->key < key) {
      at += slice, --remaining;
      fetch();
      engine::await_copies();
    }
    ContactSpring<Real> spring{};
    if (remaining > 0 && head->key == key) {
      spring = {{head->x, head->y, head->z}, {0, 0, 0}, law.tangential};
      if constexpr (with_tail) {
        spring.rolling = {tail->x, tail->y, tail->z};
        spring.stiffness = tail->stiffness;
      }
      at += slice, --remaining;
      fetch();
    }
    return spring;
  }
  __device__ void fetch() {
    if (remaining > 0) {
      engine::async_copy(head, &all.head[at]);
      if constexpr (with_tail) engine::async_copy(tail, &all.tail[at]);
    }
  }
};

/// Specialises a law at compile time: without tails, springs are linear and there is no rolling
/// resistance.
template <bool with_tail, class Real>
__device__ __forceinline__ ContactLaw<Real> specialised(ContactLaw<Real> law) {
  if constexpr (!with_tail) law.hertz = false, law.rolling_friction = 0;
  return law;
}

/// The output of a kernel. Loads of obstacles in every kernel would cost registers, and up to a
/// seventh of the speed, where no obstacle is a solid.
enum class ContactOutput { forces, forces_and_loads, energies };

/// Sums contact forces on a grain, in the order of keys.
template <class Real, GrainMaterial material, ContactOutput output>
struct GrainForces {
  static constexpr bool with_tail = material != GrainMaterial::linear;
  static constexpr bool by_species = material == GrainMaterial::by_species;
  static constexpr bool with_loads = output == ContactOutput::forces_and_loads;
  PreviousSprings<Real, with_tail> old;
  SpringHead<Real>* head;  ///< first slot to write
  SpringTail<Real>* tail;
  Real h;
  std::int32_t capacity, count = 0;
  Vec3<Real> force{0, 0, 0}, torque{0, 0, 0};
  double energy = 0;

  __device__ ContactResult<Real> add(std::uint32_t key, const ContactLaw<Real>& law,
                                     const GrainContact<Real>& c, bool counts) {
    ContactSpring<Real> spring = old.of(key, law);
    const ContactResult<Real> result =
        evaluate_contact(specialised<with_tail>(law), c.geometry, h, spring);
    force += result.force;
    torque += torque_of(c, result);
    if constexpr (output == ContactOutput::energies) {
      if (counts) energy += static_cast<double>(result.energy);
    } else if (h > 0) {
      if (count < capacity) {
        const Index to = static_cast<Index>(count) * slice;
        head[to] = {spring.tangential.x, spring.tangential.y, spring.tangential.z, key};
        if constexpr (with_tail)
          tail[to] = {spring.rolling.x, spring.rolling.y, spring.rolling.z, spring.stiffness};
      }
      ++count;
    }
    return result;
  }
};

template <class Real>
__device__ __forceinline__ Vec3<Real> separation(const Work<Real>& w,
                                                 const GrainPosition<Real>& from,
                                                 const GrainPosition<Real>& to) {
  return {nearest_image(to.x - from.x, w.length[0], w.inverse[0]),
          nearest_image(to.y - from.y, w.length[1], w.inverse[1]),
          nearest_image(to.z - from.z, w.length[2], w.inverse[2])};
}

template <class Real>
__device__ __forceinline__ GrainState<Real> grain_at(const GrainPosition<Real>& at,
                                                     const GrainMotion<Real>& motion,
                                                     const GrainSpin<Real>& spin) {
  return {{motion.vx, motion.vy, motion.vz}, {spin.wx, spin.wy, spin.wz}, motion.mass, at.radius};
}

/// Tests `some` neighbours, 1 to 32, for contact; returns a bit each. `list`: their slots.
template <class Real>
__device__ __forceinline__ unsigned touching_among(const Work<Real>& w, const std::int32_t* list,
                                                   int some, const GrainPosition<Real>& own) {
  constexpr int together = 4;
  std::int32_t q[together];
  // Repeats the last one beyond the end.
  const auto fetch = [&](int k) {
#pragma unroll
    for (int j = 0; j < together; ++j)
      q[j] = list[static_cast<Index>(k + j < some ? k + j : some - 1) * slice];
  };
  unsigned touching = 0;
  fetch(0);
  for (int k = 0; k < some; k += together) {
    GrainPosition<Real> other[together];
#pragma unroll
    for (int j = 0; j < together; ++j) other[j] = w.position[q[j]];
    fetch(k + together);
#pragma unroll
    for (int j = 0; j < together; ++j) {
      const Vec3<Real> d = separation(w, own, other[j]);
      const Real contact_distance = own.radius + other[j].radius;
      touching |=
          contact::fused_dot(d, d) < contact_distance * contact_distance ? 1u << (k + j) : 0u;
    }
  }
  return touching & ~0u >> (32 - some);
}

/// Contacts with other grains. Lists are tested 32 entries at a time without branches; then the
/// threads of a warp loop over their contacts together. `law`: of all, unless materials are by
/// species.
template <class Real, class Sum>
__device__ __forceinline__ void add_grains(const Work<Real>& w, const ContactLaw<Real>& law,
                                           Index p, const GrainPosition<Real>& own,
                                           const GrainState<Real>& grain, std::int32_t index,
                                           std::uint32_t id, Sum& sum) {
  const std::int32_t* list = w.neighbour + static_cast<Index>(w.row[p / slice]) * slice + p % slice;
  const int count = w.neighbours[p];
  const ContactLaw<Real>* laws = nullptr;
  if constexpr (Sum::by_species) laws = w.laws + w.s.species[index] * w.kinds;
  if (count == 0) sum.old.fetch();
  for (int first = 0; first < count; first += 32, list += 32 * slice) {
    unsigned touching = touching_among(w, list, count - first < 32 ? count - first : 32, own);
    if (first == 0) sum.old.fetch();
    // Prefetches the slot of the next contact; after the last one, an arbitrary slot.
    const auto number = [&] {
      const int k = touching == 0 ? 0 : __ffs(static_cast<int>(touching)) - 1;
      touching &= touching - 1;
      return list[static_cast<Index>(k) * slice];
    };
    int remaining = __popc(touching);
    if (remaining == 0) continue;
    for (std::int32_t next = number(); remaining > 0; --remaining) {
      const GrainPosition<Real> other = w.position[next];
      const GrainMotion<Real> motion = w.motion[next];
      const GrainSpin<Real> spin = w.spin[next];
      int kind = 0;
      if constexpr (Sum::by_species) kind = w.s.species[w.index[next]];
      next = number();
      const Vec3<Real> d = separation(w, own, other);
      const Real distance = std::sqrt(contact::fused_dot(d, d));
      if (!(distance < own.radius + other.radius) || w.exempt.has(index, spin.id)) continue;
      sum.add(spin.id, Sum::by_species ? laws[kind] : law,
              contact_of_touching(d, distance, id < spin.id, grain, grain_at(other, motion, spin)),
              id < spin.id);
    }
  }
}

/// Contacts with obstacles. Returns their number.
template <class Real, class Sum>
__device__ __forceinline__ int add_obstacles(const Work<Real>& w, Index p,
                                             const GrainPosition<Real>& own,
                                             const GrainState<Real>& grain, std::int32_t index,
                                             Sum& sum) {
  int touched = 0;
  const ContactLaw<Real>* laws = w.obstacle_laws;
  if constexpr (Sum::by_species) laws += w.s.species[index] * w.obstacles.count;
  for (int k = 0; k < w.obstacles.count; ++k) {
    const Obstacle<Real>& o = w.obstacles.all[k];
    const auto along = [&](int axis, Real x, Real origin) {
      return w.domain.periodic[axis]
                 ? image_nearest_to(x, origin, neighbour_build::along(w.domain.length, axis))
                 : x;
    };
    const Vec3<Real> image{along(0, own.x, o.frame.origin.x), along(1, own.y, o.frame.origin.y),
                           along(2, own.z, o.frame.origin.z)};
    const SurfacePoint<Real> s = surface_at(o, image);
    if (!(s.distance < own.radius)) continue;
    const Vec3<Real> point = image + (-s.distance) * s.normal;
    const ContactResult<Real> result =
        sum.add(key_of_obstacle(k, w.obstacles.count), laws[k],
                contact_of_surface(s.normal, s.distance, surface_velocity(o.frame, point),
                                   o.frame.angular_velocity, grain),
                true);
    if constexpr (Sum::with_loads)
      if (touched < w.obstacle_slots)
        w.loads[touched * w.s.count + p] = {result.force, result.torque, point - o.frame.pivot, k};
    ++touched;
  }
  return touched;
}

template <class Real, GrainMaterial material, ContactOutput output>
__global__ void __launch_bounds__(contact_threads, sizeof(Real) == 8                   ? 3
                                                   : material != GrainMaterial::linear ? 6
                                                                                       : 8)
    compute_grain_forces(Work<Real> w, ContactLaw<Real> law, double* energies) {
  const Index p = static_cast<Index>(blockIdx.x) * contact_threads + threadIdx.x;
  if (w.record->stalled != 0 || w.record->halted != 0 || p >= w.s.count) return;
  constexpr bool with_tail = material != GrainMaterial::linear;
  constexpr bool energy_only = output == ContactOutput::energies;
  const unsigned parity = w.control->parity;
  const Real h = energy_only ? Real(0) : static_cast<Real>(w.control->h);
  const std::int32_t i = w.index[p];
  const GrainPosition<Real> own = w.position[p];
  const GrainSpin<Real> spin = w.spin[p];
  const GrainState<Real> grain = grain_at(own, w.motion[p], spin);
  const Springs<Real>& to = w.springs[parity ^ 1u];
  const Index first =
      (static_cast<Index>(w.row[p / slice]) + p / slice * w.obstacle_slots) * slice + p % slice;
  auto& buffer = *engine::shared_memory<PrefetchBuffer<Real, with_tail>>();
  GrainForces<Real, material, output> forces{
      PreviousSprings<Real, with_tail>(w.springs[parity], i, buffer), to.head + first,
      to.tail + first, h, w.width[p / slice] + w.obstacle_slots};
  const bool is_grain = !(own.radius < 0);
  int touched = 0;
  if (is_grain) {
    add_grains(w, law, p, own, grain, i, spin.id, forces);
    touched = add_obstacles(w, p, own, grain, i, forces);
    engine::await_copies();  // outstanding copies of springs whose contacts have ended
  }
  if constexpr (energy_only) {
    energies[p] = forces.energy;
    return;
  }
  if constexpr (output == ContactOutput::forces_and_loads)
    w.load_count[p] = touched < w.obstacle_slots ? touched : w.obstacle_slots;
  const StateView<Real>& s = w.s;
  if (is_grain) {
    const Real per_mass = Real(1) / grain.mass;
    const Real per_inertia = Real(1) / moment_of_inertia(grain.mass, grain.radius);
    Real* const rate[6] = {
        s.ax, s.ay, s.az, w.grains.spin_rate[0], w.grains.spin_rate[1], w.grains.spin_rate[2]};
    const Real more[6] = {per_mass * forces.force.x,     per_mass * forces.force.y,
                          per_mass * forces.force.z,     per_inertia * forces.torque.x,
                          per_inertia * forces.torque.y, per_inertia * forces.torque.z};
    // All loads before the first store: a possibly aliasing store would delay the next load.
    Real sum[6];
#pragma unroll
    for (int k = 0; k < 6; ++k) sum[k] = rate[k][i] + more[k];
#pragma unroll
    for (int k = 0; k < 6; ++k) rate[k][i] = sum[k];
  }
  if (!(h > 0)) return;
  to.first[i] = static_cast<std::uint32_t>(first);
  to.count[i] = forces.count;
  if (forces.count <= forces.capacity) return;
  atomicMax(&w.control->most_obstacles, static_cast<unsigned>(touched));
  w.record->stalled = 1;
}

/// Sums what grains exert on each solid. A block per solid; every thread takes the same grains at
/// every launch, and the sums of threads are added in the same order.
template <class Real>
__global__ void __launch_bounds__(contact_threads)
    sum_loads_on_solids(Work<Real> w, SolidState* solids) {
  if (w.record->stalled != 0 || w.record->halted != 0) return;
  auto* const sums = engine::shared_memory<SolidLoad>();
  SolidLoad own;
  for (Index p = threadIdx.x; p < w.s.count; p += contact_threads)
    for (int k = 0; k < w.load_count[p]; ++k) {
      const ObstacleLoad<Real>& load = w.loads[k * w.s.count + p];
      if (w.obstacles.motion[load.obstacle].solid == static_cast<int>(blockIdx.x))
        own.add_reaction(load.from, load.force, load.torque);
    }
  sums[threadIdx.x] = own;
  for (unsigned half = contact_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[0].add_to(solids[blockIdx.x]);
}

}  // namespace mote::sim::contact_kernels
