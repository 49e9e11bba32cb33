#pragma once

#include "engine/exec/early_copy.cuh"
#include "sim/contact/contact_formula.h"
#include "sim/contact/contact_listing.cuh"

/// Private to DeviceContactForce: what grains do to each other, a thread a grain.
namespace mote::sim::contact_listing {

constexpr unsigned contact_threads = 128;

/// Obstacles are the last numbers that ids do not reach.
inline MOTE_HOST_DEVICE std::uint32_t key_of_obstacle(int obstacle, int obstacles) {
  return 0xffffffffu - static_cast<std::uint32_t>(obstacles - obstacle);
}

/// The next spring of each thread of a block, on its way (engine/exec/early_copy.cuh).
template <class Real, bool whole>
struct OnTheWay {
  SpringHead<Real> head[contact_threads];
  SpringTail<Real> tail[whole ? contact_threads : 1];
};

/// The springs that a grain brings along, in the order of their keys.
template <class Real, bool whole>
struct OldSprings {
  const Springs<Real>& all;
  std::uint32_t at;
  std::int32_t left;
  SpringHead<Real>* head;  ///< the next one; shared
  SpringTail<Real>* tail;

  /// fetch() comes before the first is asked for.
  __device__ OldSprings(const Springs<Real>& springs, std::int32_t column,
                        OnTheWay<Real, whole>& way)
      : all(springs),
        at(springs.home[column]),
        left(springs.held[column]),
        head(&way.head[threadIdx.x]),
        tail(&way.tail[whole ? threadIdx.x : 0]) {}
  /// Of this partner; keys are asked for in their order.
  __device__ ContactSpring<Real> of(std::uint32_t key, const ContactLaw<Real>& law) {
    engine::await_copies();
    while (left > 0 && head->key < key) {
      at += slice, --left;
      fetch();
      engine::await_copies();
    }
    ContactSpring<Real> spring{};
    if (left > 0 && head->key == key) {
      spring = {{head->x, head->y, head->z}, {0, 0, 0}, law.tangential};
      if constexpr (whole) {
        spring.rolling = {tail->x, tail->y, tail->z};
        spring.stiffness = tail->stiffness;
      }
      at += slice, --left;
      fetch();
    }
    return spring;
  }
  __device__ void fetch() {
    if (left > 0) {
      engine::copy_early(head, &all.head[at]);
      if constexpr (whole) engine::copy_early(tail, &all.tail[at]);
    }
  }
};

/// A law, with what is known of it when a kernel is compiled: springs without second halves are
/// linear, and nothing rolls.
template <bool whole, class Real>
__device__ __forceinline__ ContactLaw<Real> known(ContactLaw<Real> law) {
  if constexpr (!whole) law.hertz = false, law.rolling_friction = 0;
  return law;
}

/// What acts on a grain, contact after contact in the order of their keys.
template <class Real, bool whole, bool look>
struct Load {
  OldSprings<Real, whole> old;
  SpringHead<Real>* head;  ///< where the next spring is written
  SpringTail<Real>* tail;
  Real h;
  std::int32_t room, made = 0;
  Vec3<Real> force{0, 0, 0}, torque{0, 0, 0};
  double energy = 0;

  __device__ void add(std::uint32_t key, const ContactLaw<Real>& law, const GrainContact<Real>& c,
                      bool counts) {
    ContactSpring<Real> spring = old.of(key, law);
    const ContactLoad<Real> load = contact_load(known<whole>(law), c.geometry, h, spring);
    force += load.force;
    torque += torque_of(c, load);
    if constexpr (look) {
      if (counts) energy += static_cast<double>(load.energy);
    } else if (h > 0) {
      if (made < room) {
        const Index to = static_cast<Index>(made) * slice;
        head[to] = {spring.tangential.x, spring.tangential.y, spring.tangential.z, key};
        if constexpr (whole)
          tail[to] = {spring.rolling.x, spring.rolling.y, spring.rolling.z, spring.stiffness};
      }
      ++made;
    }
  }
};

template <class Real>
__device__ __forceinline__ Vec3<Real> way_to(const Work<Real>& w, const GrainPlace<Real>& from,
                                             const GrainPlace<Real>& to) {
  return {nearest_image(to.x - from.x, w.length[0], w.inverse[0]),
          nearest_image(to.y - from.y, w.length[1], w.inverse[1]),
          nearest_image(to.z - from.z, w.length[2], w.inverse[2])};
}

template <class Real>
__device__ __forceinline__ GrainState<Real> grain_at(const GrainPlace<Real>& at,
                                                     const GrainMotion<Real>& motion,
                                                     const GrainSpin<Real>& spin) {
  return {{motion.vx, motion.vy, motion.vz}, {spin.wx, spin.wy, spin.wz}, motion.mass, at.radius};
}

/// Which of `some` neighbours, 1 to 32, touch the grain, a bit each. `list`: of their places.
template <class Real>
__device__ __forceinline__ unsigned touching_among(const Work<Real>& w, const std::int32_t* list,
                                                   int some, const GrainPlace<Real>& own) {
  constexpr int together = 4;
  std::int32_t q[together];
  // The last one again where there are no more.
  const auto fetch = [&](int k) {
#pragma unroll
    for (int j = 0; j < together; ++j)
      q[j] = list[static_cast<Index>(k + j < some ? k + j : some - 1) * slice];
  };
  unsigned touching = 0;
  fetch(0);
  for (int k = 0; k < some; k += together) {
    GrainPlace<Real> other[together];
#pragma unroll
    for (int j = 0; j < together; ++j) other[j] = w.at[q[j]];
    fetch(k + together);
#pragma unroll
    for (int j = 0; j < together; ++j) {
      const Vec3<Real> d = way_to(w, own, other[j]);
      const Real reach = own.radius + other[j].radius;
      touching |= contact::fused_dot(d, d) < reach * reach ? 1u << (k + j) : 0u;
    }
  }
  return touching & ~0u >> (32 - some);
}

/// Contacts with other grains. Lists are looked at 32 at a time without a branch; then the threads
/// of a warp go through their contacts together.
template <class Real, class L>
__device__ __forceinline__ void add_grains(const Work<Real>& w, const ContactLaw<Real>& law,
                                           Index p, const GrainPlace<Real>& own,
                                           const GrainState<Real>& grain, std::int32_t column,
                                           std::uint32_t id, L& load) {
  const std::int32_t* list = w.neighbour + static_cast<Index>(w.row[p / slice]) * slice + p % slice;
  const int count = w.neighbours[p];
  if (count == 0) load.old.fetch();
  for (int first = 0; first < count; first += 32, list += 32 * slice) {
    unsigned touching = touching_among(w, list, count - first < 32 ? count - first : 32, own);
    if (first == 0) load.old.fetch();
    // The number of the next one is on its way while one is worked on; behind the last, that of
    // any.
    const auto number = [&] {
      const int k = touching == 0 ? 0 : __ffs(static_cast<int>(touching)) - 1;
      touching &= touching - 1;
      return list[static_cast<Index>(k) * slice];
    };
    int left = __popc(touching);
    if (left == 0) continue;
    for (std::int32_t next = number(); left > 0; --left) {
      const GrainPlace<Real> other = w.at[next];
      const GrainMotion<Real> motion = w.motion[next];
      const GrainSpin<Real> spin = w.spin[next];
      next = number();
      const Vec3<Real> d = way_to(w, own, other);
      const Real distance = std::sqrt(contact::fused_dot(d, d));
      if (!(distance < own.radius + other.radius) || w.exempt.has(column, spin.id)) continue;
      load.add(spin.id, law,
               contact_of_touching(d, distance, id < spin.id, grain, grain_at(other, motion, spin)),
               id < spin.id);
    }
  }
}

/// Contacts with obstacles; how many.
template <class Real, class L>
__device__ __forceinline__ int add_obstacles(const Work<Real>& w, const GrainPlace<Real>& own,
                                             const GrainState<Real>& grain, L& load) {
  int touched = 0;
  for (int k = 0; k < w.obstacles.count; ++k) {
    const Obstacle<Real>& o = w.obstacles.all[k];
    const auto along = [&](int axis, Real x, Real origin) {
      return w.domain.periodic[axis] ? image_near(x, origin, listing::along(w.domain.length, axis))
                                     : x;
    };
    const Vec3<Real> image{along(0, own.x, o.frame.origin.x), along(1, own.y, o.frame.origin.y),
                           along(2, own.z, o.frame.origin.z)};
    const SurfacePoint<Real> s = surface_at(o, image);
    if (!(s.distance < own.radius)) continue;
    const Vec3<Real> moves = surface_velocity(o.frame, image + (-s.distance) * s.normal);
    load.add(key_of_obstacle(k, w.obstacles.count), w.laws[k],
             contact_of_surface(s.normal, s.distance, moves, o.frame.angular_velocity, grain),
             true);
    ++touched;
  }
  return touched;
}

/// `whole`: springs have both halves; `look`: energies and nothing else.
template <class Real, bool whole, bool look>
__global__ void __launch_bounds__(contact_threads, sizeof(Real) == 8 ? 3
                                                   : whole           ? 6
                                                                     : 8)
    load_grains(Work<Real> w, ContactLaw<Real> law, double* energies) {
  const Index p = static_cast<Index>(blockIdx.x) * contact_threads + threadIdx.x;
  if (w.record->stalled != 0 || w.record->halted != 0 || p >= w.s.count) return;
  const unsigned parity = w.control->parity;
  const Real h = look ? Real(0) : static_cast<Real>(w.control->h);
  const std::int32_t i = w.column[p];
  const GrainPlace<Real> own = w.at[p];
  const GrainSpin<Real> spin = w.spin[p];
  const GrainState<Real> grain = grain_at(own, w.motion[p], spin);
  const Springs<Real>& to = w.springs[parity ^ 1u];
  const Index home =
      (static_cast<Index>(w.row[p / slice]) + p / slice * w.obstacle_places) * slice + p % slice;
  auto& way = *engine::shared_memory<OnTheWay<Real, whole>>();
  Load<Real, whole, look> load{OldSprings<Real, whole>(w.springs[parity], i, way), to.head + home,
                               to.tail + home, h, w.width[p / slice] + w.obstacle_places};
  const bool is_grain = !(own.radius < 0);
  int touched = 0;
  if (is_grain) {
    add_grains(w, law, p, own, grain, i, spin.id, load);
    touched = add_obstacles(w, own, grain, load);
    engine::await_copies();  // of springs whose partners have gone
  }
  if constexpr (look) {
    energies[p] = load.energy;
    return;
  }
  const StateView<Real>& s = w.s;
  if (is_grain) {
    const Real per_mass = Real(1) / grain.mass;
    const Real per_inertia = Real(1) / moment_of_inertia(grain.mass, grain.radius);
    Real* const rate[6] = {s.ax,
                           s.ay,
                           s.az,
                           s.column(Extra::spin_rate_x),
                           s.column(Extra::spin_rate_y),
                           s.column(Extra::spin_rate_z)};
    const Real more[6] = {per_mass * load.force.x,     per_mass * load.force.y,
                          per_mass * load.force.z,     per_inertia * load.torque.x,
                          per_inertia * load.torque.y, per_inertia * load.torque.z};
    // All loads before the first store, which would keep the next one waiting.
    Real sum[6];
#pragma unroll
    for (int k = 0; k < 6; ++k) sum[k] = rate[k][i] + more[k];
#pragma unroll
    for (int k = 0; k < 6; ++k) rate[k][i] = sum[k];
  }
  if (!(h > 0)) return;
  to.home[i] = static_cast<std::uint32_t>(home);
  to.held[i] = load.made;
  if (load.made <= load.room) return;
  atomicMax(&w.control->most_obstacles, static_cast<unsigned>(touched));
  w.record->stalled = 1;
}

}  // namespace mote::sim::contact_listing
