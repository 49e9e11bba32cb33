#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/contact/contact_params.h"
#include "sim/contact/exempt_pairs.h"
#include "sim/domain.h"
#include "sim/module.h"
#include "sim/space/cell_grid.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// Pointers to what contacts need of grains, and to what they add to.
template <class Real>
struct GrainView {
  engine::Index count;
  const std::uint32_t* id;               ///< which grain; each once
  const Real* mass;                      ///< [mass], > 0
  const Real* radius;                    ///< [length], > 0
  Real *x, *y, *z;                       ///< [length]
  Real *vx, *vy, *vz;                    ///< [velocity]
  Real *wx, *wy, *wz;                    ///< angular velocity [1 / time]
  Real *ax, *ay, *az;                    ///< [velocity / time], added to
  Real *bx, *by, *bz;                    ///< angular acceleration [1 / time^2], added to
  const std::uint8_t* member = nullptr;  ///< 0: no grain, whose columns are not looked at; null:
                                         ///< all are grains
  ExemptPairs exempt = {};

  bool is_grain(engine::Index i) const { return !member || member[i] != 0; }
};

/// The partner of a contact: the id of a grain, or this and the number of an obstacle behind it.
inline constexpr std::uint64_t first_obstacle = std::uint64_t{1} << 32;

/// What a grain remembers of one contact. Plain data, to be saved.
template <class Real>
struct ContactMemory {
  std::uint32_t grain;    ///< id
  std::uint64_t partner;  ///< id or obstacle
  ContactSpring<Real> spring;
};

/// A contact as it was in the last evaluation.
template <class Real>
struct Contact {
  std::uint32_t grain;    ///< the lower id of two
  std::uint64_t partner;  ///< the higher id, or an obstacle
  Vec3<Real> center;      ///< of the grain [length]
  Vec3<Real> point;       ///< where they touch [length]
  Vec3<Real> normal;      ///< from the grain to its partner
  Real distance;          ///< of both centres, or of the grain's and the surface [length]
  Real overlap;           ///< [length]
  Real normal_force;      ///< on the grain along -normal, > 0 apart [force]
  Vec3<Real> tangential;  ///< force on the grain along the surface [force]
};

/// Grids that grains are sorted into, at most.
inline constexpr int most_contact_levels = 8;
/// The grid of a radius: how often it can be doubled and still be no larger than the largest.
inline int contact_level(double radius, double largest) {
  return std::min(most_contact_levels - 1, std::ilogb(largest / radius));
}

/// The description of ContactForce.
const ModuleInfo& contact_info();

struct ContactReport {
  std::uint64_t contacts = 0;  ///< of two grains once, and with obstacles
  std::uint64_t tested = 0;    ///< pairs that were near enough to be looked at, from both sides
  double energy = 0;           ///< of all springs, and of adhesion
  double largest_overlap = 0;  ///< over the radius of the smaller grain
};

/// Forces and torques of grains that touch each other and obstacles. A grain gathers what acts on
/// it, contact after contact in the order of its partners' numbers, and each partner does so for
/// itself with the same numbers of opposite sign: the same bits for any number of threads and any
/// order of columns. Springs of contacts are kept by both partners, found again by their numbers.
///
/// Grains are sorted into one grid for each doubling of the radius, so that small ones among large
/// ones need not look far (after Ogarko & Luding 2012, Comput. Phys. Commun. 183, 931).
template <class Real>
class ContactForce {
 public:
  explicit ContactForce(const ContactParams& params) : params_(params) {}

  const ContactParams& params() const { return params_; }

  /// Adds accelerations at `time`, which is that of the positions. Springs are advanced by `h`, the
  /// time since the last call; with h = 0 nothing is remembered. Periodic axes are at least four of
  /// the largest radii long. An obstacle acts on the image of a grain that is nearest to its own
  /// origin. Throws std::bad_alloc.
  ContactReport run(const engine::Cpu& exec, const GrainView<Real>& grains, const Domain& domain,
                    const Obstacles& obstacles, double time, double h);

  /// Whether `contacts` shall have those of the evaluations to come.
  void record(bool on) { record_ = on; }
  /// In the order of grain and partner.
  std::vector<Contact<Real>> contacts() const;

  /// All springs, in the order of grain and partner; and back, whatever was remembered before. With
  /// them and the columns of the grains, accelerations included, a run goes on bit for bit.
  std::vector<ContactMemory<Real>> memory() const;
  void set_memory(std::span<const ContactMemory<Real>> memory);

 private:
  struct Spring {
    std::uint64_t partner;
    ContactSpring<Real> spring;
  };
  /// Where the springs of a column are: in which task's list, from where on, how many.
  struct Place {
    std::int32_t task = 0, first = 0, count = 0;
  };
  struct Springs {
    std::vector<std::vector<Spring>> of_task;
    std::vector<Place> place;
    std::vector<std::uint32_t> id;  ///< of each column
  };
  /// Grains of about one size, in the order of their grid's cells.
  struct Level {
    CellGrid<Real> grid;
    double largest = 0;
    std::vector<std::int32_t> column;  ///< in their own order, while the grid is built
    std::vector<Real> x, y, z;
    std::vector<std::int32_t> sorted_column;
    std::vector<Real> radius;
  };
  struct Near {
    std::uint64_t partner;
    Vec3<Real> d;  ///< to the other grain, or the normal of the surface
    Real distance;
    std::int32_t column;  ///< of the other, or -1 and an obstacle
  };
  struct Task {
    int level;
    std::int32_t begin, end;
    ContactReport report;
    std::vector<Near> near;
    std::vector<Contact<Real>> contacts;
  };

  void sort(const engine::Cpu& exec, const GrainView<Real>& grains, const Domain& domain);
  void cut_into_tasks();
  void find_again(const GrainView<Real>& grains);
  void find_partners(Task& task, std::int32_t at, const GrainView<Real>& grains);
  void load_grain(Task& task, std::int32_t at, const GrainView<Real>& grains, Real h,
                  std::vector<Spring>& kept);

  ContactParams params_;
  bool record_ = false;
  std::vector<Level> levels_;
  std::vector<Task> tasks_;
  std::size_t task_count_ = 0;
  Springs last_, next_;
  std::vector<Obstacle<Real>> obstacles_;
  std::vector<ContactLaw<Real>> laws_;  ///< of each obstacle
  ContactLaw<Real> law_{};
};

}  // namespace mote::sim
