#include "sim/contact/contact.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>

#include "engine/exec/parallel.h"
#include "sim/space/cell_range.h"
#include "sim/space/image_formula.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

/// Grains of one task: fixed, so that sums over tasks do not depend on the threads.
constexpr std::int32_t grains_of_task = 256;
template <class Real>
GrainState<Real> grain_at(const GrainView<Real>& g, std::int32_t i) {
  return {{g.vx[i], g.vy[i], g.vz[i]}, {g.wx[i], g.wy[i], g.wz[i]}, g.mass[i], g.radius[i]};
}

/// The image of a grain that is nearest to an obstacle's origin.
template <class Real>
Vec3<Real> image_at(const CellLayout& grid, Vec3<Real> x, Vec3<Real> origin) {
  const auto along = [&](int axis, Real at, Real from) {
    return grid.periodic[axis] ? image_near(at, from, grid.length[axis]) : at;
  };
  return {along(0, x.x, origin.x), along(1, x.y, origin.y), along(2, x.z, origin.z)};
}

}  // namespace

const ModuleInfo& contact_info() {
  static const ModuleInfo info{"contact",
                               "grains",
                               "grains that touch each other and obstacles",
                               Repeatability::bitwise,
                               true,
                               true,
                               engine::sheet_of(contact_table())};
  return info;
}

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
  for (Level& level : levels_) level.column.clear(), level.largest = 0;
  for (Index i = 0; i < g.count; ++i) {
    if (!g.is_grain(i)) continue;
    const double radius = double(g.radius[i]);
    Level& level = levels_[static_cast<std::size_t>(contact_level(radius, largest))];
    level.column.push_back(static_cast<std::int32_t>(i));
    level.largest = std::max(level.largest, radius);
  }
  std::erase_if(levels_, [](const Level& level) { return level.column.empty(); });
  for (Level& level : levels_) {
    const std::size_t n = level.column.size();
    for (auto* column : {&level.x, &level.y, &level.z, &level.radius}) column->resize(n);
    level.sorted_column.resize(n);
    engine::parallel_chunks(exec.threads, static_cast<Index>(n), [&](Index begin, Index end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
        const std::int32_t i = level.column[k];
        level.x[k] = g.x[i], level.y[k] = g.y[i], level.z[k] = g.z[i];
      }
    });
    StateView<const Real> view{};
    view.count = static_cast<Index>(n);
    view.x = level.x.data(), view.y = level.y.data(), view.z = level.z.data();
    level.grid.build(exec, view, domain, 2 * level.largest);
    engine::parallel_chunks(exec.threads, static_cast<Index>(n), [&](Index begin, Index end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
        const std::int32_t i = level.column[static_cast<std::size_t>(level.grid.column()[k])];
        level.sorted_column[k] = i;
        level.radius[k] = g.radius[i];
      }
    });
  }
}

template <class Real>
void ContactForce<Real>::cut_into_tasks() {
  task_count_ = 0;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const auto n = static_cast<std::int32_t>(levels_[level].column.size());
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

/// Brings the springs of the last call to where their grains are now.
template <class Real>
void ContactForce<Real>::find_again(const GrainView<Real>& g) {
  const auto n = static_cast<std::size_t>(g.count);
  if (last_.id.size() == n && std::equal(last_.id.begin(), last_.id.end(), g.id)) return;
  std::vector<std::uint32_t> known(last_.id.size());
  std::iota(known.begin(), known.end(), 0u);
  std::sort(known.begin(), known.end(),
            [&](std::uint32_t a, std::uint32_t b) { return last_.id[a] < last_.id[b]; });
  std::vector<Place> place(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at =
        std::lower_bound(known.begin(), known.end(), g.id[i],
                         [&](std::uint32_t k, std::uint32_t id) { return last_.id[k] < id; });
    if (at != known.end() && last_.id[*at] == g.id[i]) place[i] = last_.place[*at];
  }
  last_.place = std::move(place);
  last_.id.assign(g.id, g.id + n);
}

/// Everything that the grain at a place of its level touches, in the order of the partners.
template <class Real>
void ContactForce<Real>::find_partners(Task& task, std::int32_t at, const GrainView<Real>& g) {
  const Level& own = levels_[static_cast<std::size_t>(task.level)];
  const Vec3<Real> x{own.grid.x()[at], own.grid.y()[at], own.grid.z()[at]};
  const Real radius = own.radius[static_cast<std::size_t>(at)];
  const CellLayout& cells = own.grid.layout();
  task.near.clear();
  for (const Level& other : levels_) {
    const CellLayout& grid = other.grid.layout();
    // Shifts are rounded to Real where distances are found, and not where cells are.
    double rounding = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (grid.periodic[axis])
        rounding = std::max(rounding, std::fabs(grid.low[axis]) + grid.length[axis]);
    rounding *= 2 * double(std::numeric_limits<Real>::epsilon());
    const double reach = (double(radius) + other.largest) * (1 + 1e-6) + rounding;
    for_each_run_within(
        grid, other.grid.start(), {double(x.x), double(x.y), double(x.z)}, reach,
        [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
          const Vec3<Real> s = rounded_to<Real>(shift);
          task.report.tested += static_cast<std::uint64_t>(end - begin);
          for (std::int32_t k = begin; k < end; ++k) {
            // The difference first: seen from the other one, every rounding is the same.
            const Vec3<Real> d = Vec3<Real>{other.grid.x()[k] - x.x, other.grid.y()[k] - x.y,
                                            other.grid.z()[k] - x.z} +
                                 s;
            const Real touching = radius + other.radius[static_cast<std::size_t>(k)];
            const Real square = dot(d, d);
            if (!(square < touching * touching) || (&other == &own && k == at)) continue;
            const Real distance = std::sqrt(square);
            if (!(distance < touching)) continue;
            const std::int32_t j = other.sorted_column[static_cast<std::size_t>(k)];
            if (g.exempt.has(own.sorted_column[static_cast<std::size_t>(at)], g.id[j])) continue;
            task.near.push_back({g.id[j], d, distance, j});
          }
        });
  }
  for (std::size_t k = 0; k < obstacles_.size(); ++k) {
    const SurfacePoint<Real> s =
        surface_at(obstacles_[k], image_at(cells, x, obstacles_[k].frame.origin));
    if (s.distance < radius) task.near.push_back({first_obstacle + k, s.normal, s.distance, -1});
  }
  std::sort(task.near.begin(), task.near.end(),
            [](const Near& a, const Near& b) { return a.partner < b.partner; });
}

template <class Real>
void ContactForce<Real>::load_grain(Task& task, std::int32_t at, const GrainView<Real>& g, Real h,
                                    std::vector<Spring>& kept) {
  const Level& own = levels_[static_cast<std::size_t>(task.level)];
  const std::int32_t i = own.sorted_column[static_cast<std::size_t>(at)];
  const Vec3<Real> x{own.grid.x()[at], own.grid.y()[at], own.grid.z()[at]};
  const GrainState<Real> grain = grain_at(g, i);
  const Place known = last_.place[static_cast<std::size_t>(i)];
  const Spring* old = known.count > 0 ? &last_.of_task[static_cast<std::size_t>(known.task)]
                                                      [static_cast<std::size_t>(known.first)]
                                      : nullptr;
  const Spring* const old_end = old + known.count;
  Vec3<Real> force{0, 0, 0}, torque{0, 0, 0};
  for (const Near& near : task.near) {
    while (old != old_end && old->partner < near.partner) ++old;
    Spring spring{near.partner, {}};
    if (old != old_end && old->partner == near.partner) spring.spring = old->spring;
    const bool obstacle = near.column < 0;
    GrainContact<Real> c;
    const ContactLaw<Real>* law = &law_;
    Real smaller = grain.radius;
    if (obstacle) {
      const auto number = static_cast<std::size_t>(near.partner - first_obstacle);
      const Obstacle<Real>& o = obstacles_[number];
      law = &laws_[number];
      // The surface of the image that is nearest to the obstacle, whose motion this is.
      const Vec3<Real> image = image_at(own.grid.layout(), x, o.frame.origin);
      const Vec3<Real> moves = surface_velocity(o.frame, image + (-near.distance) * near.d);
      c = contact_of_surface(near.d, near.distance, moves, o.frame.angular_velocity, grain);
    } else {
      const bool lower = g.id[i] < near.partner;
      const GrainState<Real> other = grain_at(g, near.column);
      smaller = std::min(smaller, other.radius);
      c = contact_of_touching(near.d, near.distance, lower, grain, other);
    }
    const ContactLoad<Real> load = contact_load(*law, c.geometry, h, spring.spring);
    force += load.force;
    torque += torque_of(c, load);
    const bool counts = obstacle || g.id[i] < near.partner;
    if (counts) {
      ++task.report.contacts;
      task.report.energy += double(load.energy);
      task.report.largest_overlap =
          std::max(task.report.largest_overlap, double(c.geometry.overlap) / double(smaller));
    }
    if (counts && record_)
      task.contacts.push_back({g.id[i], near.partner, x, x + c.lever * c.geometry.normal,
                               c.geometry.normal, near.distance, c.geometry.overlap,
                               -dot(load.force, c.geometry.normal), load.tangential});
    if (h > 0) kept.push_back(spring);
  }
  const Real per_mass = Real(1) / grain.mass;
  const Real per_inertia = Real(1) / moment_of_inertia(grain.mass, grain.radius);
  g.ax[i] += per_mass * force.x, g.ay[i] += per_mass * force.y, g.az[i] += per_mass * force.z;
  g.bx[i] += per_inertia * torque.x, g.by[i] += per_inertia * torque.y,
      g.bz[i] += per_inertia * torque.z;
}

template <class Real>
ContactReport ContactForce<Real>::run(const engine::Cpu& exec, const GrainView<Real>& g,
                                      const Domain& domain, const Obstacles& obstacles, double time,
                                      double h) {
  law_ = contact_law<Real>(params_, params_.friction, params_.restitution);
  obstacles.at(time, obstacles_);
  laws_.clear();
  for (const Obstacle<Real>& o : obstacles_)
    laws_.push_back(contact_law<Real>(params_, double(o.friction), double(o.restitution)));
  sort(exec, g, domain);
  cut_into_tasks();
  find_again(g);
  if (h > 0) {
    next_.of_task.resize(std::max(next_.of_task.size(), task_count_));
    next_.place.resize(static_cast<std::size_t>(g.count));
    for (Index i = 0; g.member && i < g.count; ++i)
      if (!g.is_grain(i)) next_.place[static_cast<std::size_t>(i)] = {};
  }
  std::vector<Spring> none;
  std::atomic<bool> out_of_memory = false;
  engine::parallel_tasks(exec.threads, static_cast<Index>(task_count_), [&](Index number) {
    try {
      Task& task = tasks_[static_cast<std::size_t>(number)];
      // With h = 0 nothing is added to it.
      std::vector<Spring>& kept = h > 0 ? next_.of_task[static_cast<std::size_t>(number)] : none;
      if (h > 0) kept.clear();
      for (std::int32_t at = task.begin; at < task.end; ++at) {
        const auto first = static_cast<std::int32_t>(kept.size());
        find_partners(task, at, g);
        load_grain(task, at, g, static_cast<Real>(h), kept);
        if (h > 0) {
          const std::int32_t i = levels_[static_cast<std::size_t>(task.level)]
                                     .sorted_column[static_cast<std::size_t>(at)];
          next_.place[static_cast<std::size_t>(i)] = {
              static_cast<std::int32_t>(number), first,
              static_cast<std::int32_t>(kept.size()) - first};
        }
      }
    } catch (const std::bad_alloc&) {
      out_of_memory = true;
    }
  });
  if (out_of_memory) throw std::bad_alloc();
  if (h > 0) {
    next_.id = last_.id;
    std::swap(last_, next_);
  }
  ContactReport all;
  for (std::size_t k = 0; k < task_count_; ++k) {
    const ContactReport& r = tasks_[k].report;
    all.contacts += r.contacts, all.tested += r.tested, all.energy += r.energy;
    all.largest_overlap = std::max(all.largest_overlap, r.largest_overlap);
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
std::vector<ContactMemory<Real>> ContactForce<Real>::memory() const {
  std::vector<ContactMemory<Real>> all;
  for (std::size_t i = 0; i < last_.id.size(); ++i)
    for (std::int32_t k = 0; k < last_.place[i].count; ++k) {
      const Spring& s = last_.of_task[static_cast<std::size_t>(last_.place[i].task)]
                                     [static_cast<std::size_t>(last_.place[i].first + k)];
      all.push_back({last_.id[i], s.partner, s.spring});
    }
  std::sort(all.begin(), all.end(), [](const ContactMemory<Real>& a, const ContactMemory<Real>& b) {
    return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
  });
  return all;
}

template <class Real>
void ContactForce<Real>::set_memory(std::span<const ContactMemory<Real>> memory) {
  std::vector<ContactMemory<Real>> sorted(memory.begin(), memory.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const ContactMemory<Real>& a, const ContactMemory<Real>& b) {
              return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
            });
  last_ = {};
  last_.of_task.resize(1);
  for (const ContactMemory<Real>& m : sorted) {
    if (last_.id.empty() || last_.id.back() != m.grain) {
      last_.id.push_back(m.grain);
      last_.place.push_back({0, static_cast<std::int32_t>(last_.of_task[0].size()), 0});
    }
    last_.of_task[0].push_back({m.partner, m.spring});
    ++last_.place.back().count;
  }
}

template class ContactForce<float>;
template class ContactForce<double>;

}  // namespace mote::sim
