#pragma once

#include "sim/contact/contact_formula.h"
#include "sim/contact/contact_listing.cuh"

/// Private to DeviceContactForce: what grains do to each other, a thread a grain.
namespace mote::sim::contact_listing {

constexpr unsigned contact_threads = 128;

/// Obstacles are the last numbers that ids do not reach.
inline MOTE_HOST_DEVICE std::uint32_t key_of_obstacle(int obstacle, int obstacles) {
  return 0xffffffffu - static_cast<std::uint32_t>(obstacles - obstacle);
}

/// The springs that a grain brings along, in the order of their keys. The one behind a spring that is asked for is on its way while
/// that is used.
template <class Real, bool whole>
struct OldSprings {
  const Springs<Real>& all;
  std::uint32_t at;
  std::int32_t left;
  SpringHead<Real> head{};
  SpringTail<Real> tail{};

  __device__ OldSprings(const Springs<Real>& springs, std::int32_t column)
      : all(springs), at(springs.home[column]), left(springs.held[column]) {
    fetch();
  }
  /// Of this partner; keys are asked for in their order.
  __device__ ContactSpring<Real> of(std::uint32_t key, const ContactLaw<Real>& law) {
    while (left > 0 && head.key < key) next();
    if (left == 0 || head.key != key) return {};
    ContactSpring<Real> spring{{head.x, head.y, head.z}, {0, 0, 0}, law.tangential};
    if constexpr (whole) {
      spring.rolling = {tail.x, tail.y, tail.z};
      spring.stiffness = tail.stiffness;
    }
    next();
    return spring;
  }
  __device__ void next() {
    at += slice, --left;
    fetch();
  }
  __device__ void fetch() {
    if (left <= 0) return;
    head = all.head[at];
    if constexpr (whole) tail = all.tail[at];
  }
};

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
    const ContactLoad<Real> load = contact_load(law, c.geometry, h, spring);
    force += load.force;
    torque += c.lever * cross(c.geometry.normal, load.force) + load.torque;
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

/// Contacts with other grains. Lists are looked at 32 at a time without a branch; then the threads of a warp go through
/// their contacts together.
template <class Real, class L>
__device__ __forceinline__ void add_grains(const Work<Real>& w, const ContactLaw<Real>& law, Index p,
                                           const GrainPlace<Real>& own, const GrainState<Real>& grain,
                                           std::int32_t column, std::uint32_t id, L& load) {
  const std::int32_t* const list = w.neighbour + static_cast<Index>(w.row[p / slice]) * slice + p % slice;
  const int count = w.neighbours[p];
  for (int first = 0; first < count; first += 32) {
    const int some = count - first < 32 ? count - first : 32;
    unsigned touching = 0;
#pragma unroll 4
    for (int k = 0; k < some; ++k) {
      const GrainPlace<Real> other = w.at[list[static_cast<Index>(first + k) * slice]];
      const Vec3<Real> d = way_to(w, own, other);
      const Real reach = own.radius + other.radius;
      touching |= dot(d, d) < reach * reach ? 1u << k : 0u;
    }
    // Of the next contact all is on its way while one is worked on.
    GrainPlace<Real> next_place;
    GrainMotion<Real> next_motion;
    GrainSpin<Real> next_spin;
    const auto fetch = [&] {
      if (touching == 0) return;
      const int k = __ffs(static_cast<int>(touching)) - 1;
      const std::int32_t q = list[static_cast<Index>(first + k) * slice];
      next_place = w.at[q], next_motion = w.motion[q], next_spin = w.spin[q];
    };
    for (fetch(); touching != 0;) {
      const GrainPlace<Real> other = next_place;
      const GrainMotion<Real> motion = next_motion;
      const GrainSpin<Real> spin = next_spin;
      touching &= touching - 1;
      fetch();
      const Vec3<Real> d = way_to(w, own, other);
      const Real distance = std::sqrt(dot(d, d));
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
      return w.domain.periodic[axis] ? image_near(x, origin, listing::along(w.domain.length, axis)) : x;
    };
    const Vec3<Real> image{along(0, own.x, o.frame.origin.x), along(1, own.y, o.frame.origin.y),
                           along(2, own.z, o.frame.origin.z)};
    const SurfacePoint<Real> s = surface_at(o, image);
    if (!(s.distance < own.radius)) continue;
    const Vec3<Real> moves = surface_velocity(o.frame, image + (-s.distance) * s.normal);
    load.add(key_of_obstacle(k, w.obstacles.count), w.laws[k],
             contact_of_surface(s.normal, s.distance, moves, o.frame.angular_velocity, grain), true);
    ++touched;
  }
  return touched;
}

/// `whole`: springs have both halves; `look`: energies and nothing else.
template <class Real, bool whole, bool look>
__global__ void __launch_bounds__(contact_threads, sizeof(Real) == 4 ? 5 : 3)
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
  Load<Real, whole, look> load{OldSprings<Real, whole>(w.springs[parity], i), to.head + home, to.tail + home,
                               h, w.width[p / slice] + w.obstacle_places};
  const bool is_grain = !(own.radius < 0);
  int touched = 0;
  if (is_grain) {
    add_grains(w, law, p, own, grain, i, spin.id, load);
    touched = add_obstacles(w, own, grain, load);
  }
  if constexpr (look) {
    energies[p] = load.energy;
    return;
  }
  const StateView<Real>& s = w.s;
  if (is_grain) {
    const Real per_mass = Real(1) / grain.mass;
    const Real per_inertia = Real(1) / moment_of_inertia(grain.mass, grain.radius);
    s.ax[i] += per_mass * load.force.x;
    s.ay[i] += per_mass * load.force.y;
    s.az[i] += per_mass * load.force.z;
    s.column(Extra::spin_rate_x)[i] += per_inertia * load.torque.x;
    s.column(Extra::spin_rate_y)[i] += per_inertia * load.torque.y;
    s.column(Extra::spin_rate_z)[i] += per_inertia * load.torque.z;
  }
  if (!(h > 0)) return;
  to.home[i] = static_cast<std::uint32_t>(home);
  to.held[i] = load.made;
  if (load.made <= load.room) return;
  atomicMax(&w.control->most_obstacles, static_cast<unsigned>(touched));
  w.record->stalled = 1;
}

}  // namespace mote::sim::contact_listing
