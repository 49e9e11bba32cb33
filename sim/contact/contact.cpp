#include "sim/contact/contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/exec/parallel.h"
#include "sim/space/cell_range.h"
#include "sim/space/image_formula.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

/// Grains a task: fixed, so that sums over tasks do not depend on the number of threads.
constexpr std::int32_t grains_of_task = 256;
template <class Real>
GrainState<Real> grain_at(const GrainView<Real>& g, std::int32_t i) {
  return {{g.vx[i], g.vy[i], g.vz[i]}, {g.wx[i], g.wy[i], g.wz[i]}, g.mass[i], g.radius[i]};
}

}  // namespace

template <class Real>
void ContactForce<Real>::sort(const engine::Cpu& exec, const GrainView<Real>& g,
                              const Domain& domain) {
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < g.count; ++i) {
    if (!g.is_grain(i)) continue;
    largest = std::max(largest, double(g.radius[i]));
    smallest = std::min(smallest, double(g.radius[i]));
  }
  const int levels = largest > 0 ? contact_level(smallest, largest) + 1 : 0;
  levels_.resize(static_cast<std::size_t>(levels));
  for (Level& level : levels_) level.index.clear(), level.largest = 0;
  for (Index i = 0; i < g.count; ++i) {
    if (!g.is_grain(i)) continue;
    const double radius = double(g.radius[i]);
    Level& level = levels_[static_cast<std::size_t>(contact_level(radius, largest))];
    level.index.push_back(static_cast<std::int32_t>(i));
    level.largest = std::max(level.largest, radius);
  }
  std::erase_if(levels_, [](const Level& level) { return level.index.empty(); });
  for (Level& level : levels_) {
    const std::size_t n = level.index.size();
    for (auto* column : {&level.x, &level.y, &level.z, &level.radius}) column->resize(n);
    level.sorted_index.resize(n);
    engine::parallel_chunks(exec.threads, static_cast<Index>(n), [&](Index begin, Index end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
        const std::int32_t i = level.index[k];
        level.x[k] = g.x[i], level.y[k] = g.y[i], level.z[k] = g.z[i];
      }
    });
    StateView<const Real> view{};
    view.count = static_cast<Index>(n);
    view.x = level.x.data(), view.y = level.y.data(), view.z = level.z.data();
    level.grid.build(exec, view, domain, 2 * level.largest);
    engine::parallel_chunks(exec.threads, static_cast<Index>(n), [&](Index begin, Index end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
        const std::int32_t i = level.index[static_cast<std::size_t>(level.grid.index()[k])];
        level.sorted_index[k] = i;
        level.radius[k] = g.radius[i];
      }
    });
  }
}

template <class Real>
void ContactForce<Real>::split_into_tasks() {
  task_count_ = 0;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const auto n = static_cast<std::int32_t>(levels_[level].index.size());
    for (std::int32_t begin = 0; begin < n; begin += grains_of_task) {
      if (tasks_.size() == task_count_) tasks_.emplace_back();
      Task& task = tasks_[task_count_++];
      task.level = static_cast<int>(level);
      task.begin = begin, task.end = std::min(n, begin + grains_of_task);
      task.report = {};
      task.contacts.clear();
    }
  }
}

/// Reorders the springs of the last call to the current order of grains, by id.
template <class Real>
void ContactForce<Real>::carry_over_springs(const GrainView<Real>& g) {
  const auto n = static_cast<std::size_t>(g.count);
  if (last_.id.size() == n && std::equal(last_.id.begin(), last_.id.end(), g.id)) return;
  std::vector<std::uint32_t> known(last_.id.size());
  std::iota(known.begin(), known.end(), 0u);
  std::sort(known.begin(), known.end(),
            [&](std::uint32_t a, std::uint32_t b) { return last_.id[a] < last_.id[b]; });
  std::vector<SpringRange> range(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at =
        std::lower_bound(known.begin(), known.end(), g.id[i],
                         [&](std::uint32_t k, std::uint32_t id) { return last_.id[k] < id; });
    if (at != known.end() && last_.id[*at] == g.id[i]) range[i] = last_.range[*at];
  }
  last_.range = std::move(range);
  last_.id.assign(g.id, g.id + n);
}

/// Finds everything that the grain in a slot of its level touches, in the order of partners.
template <class Real>
void ContactForce<Real>::find_partners(Task& task, std::int32_t slot, const GrainView<Real>& g) {
  const Level& own = levels_[static_cast<std::size_t>(task.level)];
  const Vec3<Real> x{own.grid.x()[slot], own.grid.y()[slot], own.grid.z()[slot]};
  const Real radius = own.radius[static_cast<std::size_t>(slot)];
  const CellLayout& cells = own.grid.layout();
  task.touching.clear();
  for (const Level& other : levels_) {
    const CellLayout& grid = other.grid.layout();
    // Shifts are rounded to Real in distances, but not in cell indices.
    double rounding = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (grid.periodic[axis])
        rounding = std::max(rounding, std::fabs(grid.low[axis]) + grid.length[axis]);
    rounding *= 2 * double(std::numeric_limits<Real>::epsilon());
    const double range = (double(radius) + other.largest) * (1 + 1e-6) + rounding;
    for_each_run_within(
        grid, other.grid.start(), {double(x.x), double(x.y), double(x.z)}, range,
        [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
          const Vec3<Real> s = rounded_to<Real>(shift);
          task.report.tested += static_cast<std::uint64_t>(end - begin);
          for (std::int32_t k = begin; k < end; ++k) {
            // The difference first, so that round-off is the same for both partners.
            const Vec3<Real> d = Vec3<Real>{other.grid.x()[k] - x.x, other.grid.y()[k] - x.y,
                                            other.grid.z()[k] - x.z} +
                                 s;
            const Real contact_distance = radius + other.radius[static_cast<std::size_t>(k)];
            const Real square = dot(d, d);
            if (!(square < contact_distance * contact_distance) || (&other == &own && k == slot))
              continue;
            const Real distance = std::sqrt(square);
            if (!(distance < contact_distance)) continue;
            const std::int32_t j = other.sorted_index[static_cast<std::size_t>(k)];
            if (g.exempt.has(own.sorted_index[static_cast<std::size_t>(slot)], g.id[j])) continue;
            task.touching.push_back({g.id[j], d, distance, j});
          }
        });
  }
  for (std::size_t k = 0; k < obstacles_.size(); ++k) {
    const SurfacePoint<Real> s =
        surface_at(obstacles_[k], image_at(cells, x, obstacles_[k].frame.origin));
    if (s.distance < radius)
      task.touching.push_back({first_obstacle + k, s.normal, s.distance, -1});
  }
  std::sort(task.touching.begin(), task.touching.end(),
            [](const Touching& a, const Touching& b) { return a.partner < b.partner; });
}

template <class Real>
void ContactForce<Real>::add_grain_forces(Task& task, std::int32_t slot, const GrainView<Real>& g,
                                          Real h, std::vector<Spring>& springs) {
  const Level& own = levels_[static_cast<std::size_t>(task.level)];
  const std::int32_t i = own.sorted_index[static_cast<std::size_t>(slot)];
  const Vec3<Real> x{own.grid.x()[slot], own.grid.y()[slot], own.grid.z()[slot]};
  const GrainState<Real> grain = grain_at(g, i);
  const SpringRange known = last_.range[static_cast<std::size_t>(i)];
  const Spring* old = known.count > 0 ? &last_.of_task[static_cast<std::size_t>(known.task)]
                                                      [static_cast<std::size_t>(known.first)]
                                      : nullptr;
  const Spring* const old_end = old + known.count;
  const auto kinds = static_cast<std::size_t>(materials_.kinds());
  const auto kind_of = [&](std::int32_t body) -> std::size_t {
    return kinds > 1 && g.species ? g.species[body] : 0;
  };
  Vec3<Real> force{0, 0, 0}, torque{0, 0, 0};
  for (const Touching& touch : task.touching) {
    while (old != old_end && old->partner < touch.partner) ++old;
    Spring spring{touch.partner, {}};
    if (old != old_end && old->partner == touch.partner) spring.spring = old->spring;
    const bool obstacle = touch.index < 0;
    GrainContact<Real> c;
    const ContactLaw<Real>* law;
    Real smaller = grain.radius;
    int solid = -1;
    Vec3<Real> from_pivot{};
    if (obstacle) {
      const auto number = static_cast<std::size_t>(touch.partner - first_obstacle);
      const Obstacle<Real>& o = obstacles_[number];
      law = &obstacle_laws_[kind_of(i) * obstacles_.size() + number];
      // Surface velocity at the image nearest to the obstacle.
      const Vec3<Real> image = image_at(own.grid.layout(), x, o.frame.origin);
      const Vec3<Real> point = image + (-touch.distance) * touch.d;
      const Vec3<Real> surface_v = surface_velocity(o.frame, point);
      solid = solid_[number];
      from_pivot = point - o.frame.pivot;
      c = contact_of_surface(touch.d, touch.distance, surface_v, o.frame.angular_velocity, grain);
    } else {
      const bool lower = g.id[i] < touch.partner;
      const GrainState<Real> other = grain_at(g, touch.index);
      law = &laws_[kind_of(i) * kinds + kind_of(touch.index)];
      smaller = std::min(smaller, other.radius);
      c = contact_of_touching(touch.d, touch.distance, lower, grain, other);
    }
    const ContactResult<Real> result = evaluate_contact(*law, c.geometry, h, spring.spring);
    force += result.force;
    torque += torque_of(c, result);
    if (solid >= 0)
      task.loads[static_cast<std::size_t>(solid)].add_reaction(from_pivot, result.force,
                                                               result.torque);
    const bool counts = obstacle || g.id[i] < touch.partner;
    if (counts) {
      ++task.report.contacts;
      task.report.energy += double(result.energy);
      task.report.largest_overlap =
          std::max(task.report.largest_overlap, double(c.geometry.overlap) / double(smaller));
    }
    if (counts && record_)
      task.contacts.push_back({g.id[i], touch.partner, x, x + c.lever * c.geometry.normal,
                               c.geometry.normal, touch.distance, c.geometry.overlap,
                               -dot(result.force, c.geometry.normal), result.tangential});
    if (h > 0) springs.push_back(spring);
  }
  const Real per_mass = Real(1) / grain.mass;
  const Real per_inertia = Real(1) / moment_of_inertia(grain.mass, grain.radius);
  g.ax[i] += per_mass * force.x, g.ay[i] += per_mass * force.y, g.az[i] += per_mass * force.z;
  g.bx[i] += per_inertia * torque.x, g.by[i] += per_inertia * torque.y,
      g.bz[i] += per_inertia * torque.z;
}

template <class Real>
ContactReport ContactForce<Real>::run(const engine::Cpu& exec, const GrainView<Real>& g,
                                      const Domain& domain, const PushedObstacles& obstacles,
                                      double time, double h) {
  obstacles.all.at(time, obstacles.solids, obstacles_);
  obstacle_laws_ = laws_at_obstacles<Real>(materials_, obstacles.all);
  solid_.clear();
  for (int k = 0; k < obstacles.all.count(); ++k)
    solid_.push_back(obstacles.solids ? obstacles.all.motion(k).solid : -1);
  sort(exec, g, domain);
  split_into_tasks();
  carry_over_springs(g);
  if (h > 0) {
    next_.of_task.resize(std::max(next_.of_task.size(), task_count_));
    next_.range.resize(static_cast<std::size_t>(g.count));
    for (Index i = 0; g.member && i < g.count; ++i)
      if (!g.is_grain(i)) next_.range[static_cast<std::size_t>(i)] = {};
  }
  std::vector<Spring> discarded;
  engine::throwing_tasks(exec.threads, static_cast<Index>(task_count_), [&](Index number) {
    Task& task = tasks_[static_cast<std::size_t>(number)];
    task.loads.assign(static_cast<std::size_t>(obstacles.all.solids()), {});
    // Stays empty for h = 0.
    std::vector<Spring>& springs =
        h > 0 ? next_.of_task[static_cast<std::size_t>(number)] : discarded;
    if (h > 0) springs.clear();
    for (std::int32_t slot = task.begin; slot < task.end; ++slot) {
      const auto first = static_cast<std::int32_t>(springs.size());
      find_partners(task, slot, g);
      add_grain_forces(task, slot, g, static_cast<Real>(h), springs);
      if (h > 0) {
        const std::int32_t i = levels_[static_cast<std::size_t>(task.level)]
                                   .sorted_index[static_cast<std::size_t>(slot)];
        next_.range[static_cast<std::size_t>(i)] = {
            static_cast<std::int32_t>(number), first,
            static_cast<std::int32_t>(springs.size()) - first};
      }
    }
  });
  if (h > 0) {
    next_.id = last_.id;
    std::swap(last_, next_);
  }
  ContactReport all;
  for (std::size_t k = 0; k < task_count_; ++k) {
    const ContactReport& r = tasks_[k].report;
    all.contacts += r.contacts, all.tested += r.tested, all.energy += r.energy;
    all.largest_overlap = std::max(all.largest_overlap, r.largest_overlap);
    for (std::size_t solid = 0; obstacles.solids && solid < tasks_[k].loads.size(); ++solid)
      tasks_[k].loads[solid].add_to(obstacles.solids[solid]);
  }
  return all;
}

template <class Real>
std::vector<Contact<Real>> ContactForce<Real>::contacts() const {
  std::vector<Contact<Real>> all;
  for (std::size_t k = 0; k < task_count_; ++k)
    all.insert(all.end(), tasks_[k].contacts.begin(), tasks_[k].contacts.end());
  std::sort(all.begin(), all.end(), [](const Contact<Real>& a, const Contact<Real>& b) {
    return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
  });
  return all;
}

template <class Real>
std::vector<StoredContact<Real>> ContactForce<Real>::stored_contacts() const {
  std::vector<StoredContact<Real>> all;
  for (std::size_t i = 0; i < last_.id.size(); ++i)
    for (std::int32_t k = 0; k < last_.range[i].count; ++k) {
      const Spring& s = last_.of_task[static_cast<std::size_t>(last_.range[i].task)]
                                     [static_cast<std::size_t>(last_.range[i].first + k)];
      all.push_back({last_.id[i], s.partner, s.spring});
    }
  std::sort(all.begin(), all.end(), [](const StoredContact<Real>& a, const StoredContact<Real>& b) {
    return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
  });
  return all;
}

template <class Real>
void ContactForce<Real>::set_stored_contacts(std::span<const StoredContact<Real>> stored) {
  std::vector<StoredContact<Real>> sorted(stored.begin(), stored.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const StoredContact<Real>& a, const StoredContact<Real>& b) {
              return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
            });
  last_ = {};
  last_.of_task.resize(1);
  for (const StoredContact<Real>& m : sorted) {
    if (last_.id.empty() || last_.id.back() != m.grain) {
      last_.id.push_back(m.grain);
      last_.range.push_back({0, static_cast<std::int32_t>(last_.of_task[0].size()), 0});
    }
    last_.of_task[0].push_back({m.partner, m.spring});
    ++last_.range.back().count;
  }
}

template class ContactForce<float>;
template class ContactForce<double>;

}  // namespace mote::sim
