#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/contact/exempt_pairs.h"
#include "sim/contact/materials.h"
#include "sim/domain.h"
#include "sim/space/cell_grid.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// Columns of grains that contact forces read and add to. Non-owning.
template <class Real>
struct GrainView {
  engine::Index count;
  const std::uint32_t* id;  ///< unique
  const Real* mass;         ///< [mass], > 0
  const Real* radius;       ///< [length], > 0
  Real *x, *y, *z;          ///< [length]
  Real *vx, *vy, *vz;       ///< [velocity]
  Real *wx, *wy, *wz;       ///< angular velocity [1 / time]
  Real *ax, *ay, *az;       ///< [velocity / time], added to
  Real *bx, *by, *bz;       ///< angular acceleration [1 / time^2], added to
  /// 0: not a grain, its other columns are not read; null: all are grains.
  const std::uint8_t* member = nullptr;
  ExemptPairs exempt = {};
  const std::uint8_t* species = nullptr;  ///< species numbers, if materials depend on them

  bool is_grain(engine::Index i) const { return !member || member[i] != 0; }
};

/// Partner numbers: the id of a grain, or first_obstacle + the number of an obstacle.
inline constexpr std::uint64_t first_obstacle = std::uint64_t{1} << 32;

/// History of a contact, as one grain stores it. Plain data, serialised as it is.
template <class Real>
struct StoredContact {
  std::uint32_t grain;    ///< id
  std::uint64_t partner;  ///< id or obstacle
  ContactSpring<Real> spring;
};

/// A contact in the last evaluation.
template <class Real>
struct Contact {
  std::uint32_t grain;    ///< the lower id of the pair
  std::uint64_t partner;  ///< the higher id, or an obstacle
  Vec3<Real> center;      ///< the grain's centre [length]
  Vec3<Real> point;       ///< contact point [length]
  Vec3<Real> normal;      ///< from the grain to its partner
  Real distance;          ///< between both centres, or from the centre to the surface [length]
  Real overlap;           ///< [length]
  Real normal_force;      ///< on the grain along -normal, > 0: repulsive [force]
  Vec3<Real> tangential;  ///< force on the grain along the surface [force]
};

/// Largest number of grids (size levels).
inline constexpr int most_contact_levels = 8;
/// The size level of a radius: how often it can be doubled without exceeding `largest`.
inline int contact_level(double radius, double largest) {
  return std::min(most_contact_levels - 1, std::ilogb(largest / radius));
}

struct ContactReport {
  std::uint64_t contacts = 0;  ///< each pair of grains once, and contacts with obstacles
  std::uint64_t tested = 0;    ///< directed pairs whose distance was computed
  double energy = 0;           ///< energy of springs and adhesion
  double largest_overlap = 0;  ///< over the radius of the smaller grain
};

/// Contact forces and torques between grains, and between grains and obstacles. Each grain sums its
/// own contacts in the order of partner numbers; the partner computes the same terms with opposite
/// sign. Results are the same bits for any number of threads and any order of bodies. Both partners
/// store the springs of a contact, keyed by partner number.
///
/// Grains are sorted into one grid for each doubling of the radius, so that small grains among
/// large ones search few cells (after Ogarko & Luding 2012, Comput. Phys. Commun. 183, 931).
template <class Real>
class ContactForce {
 public:
  explicit ContactForce(const ContactMaterials& materials)
      : materials_(materials), laws_(laws_of_pairs<Real>(materials)) {}

  const ContactMaterials& materials() const { return materials_; }

  /// Adds accelerations at `time`, the time of the positions. Advances springs by `h`, the time
  /// since the last call; with h = 0 springs are not stored. Periodic axes are at least four times
  /// the largest radius long. An obstacle acts on the image of a grain nearest to the obstacle's
  /// origin. Throws std::bad_alloc.
  ContactReport run(const engine::Cpu& exec, const GrainView<Real>& grains, const Domain& domain,
                    const PushedObstacles& obstacles, double time, double h);

  /// Switches the recording of contacts() in later evaluations on or off.
  void record(bool on) { record_ = on; }
  /// Sorted by grain and partner.
  std::vector<Contact<Real>> contacts() const;

  /// All springs, sorted by grain and partner; the setter replaces them all. With these and the
  /// columns of the grains, accelerations included, a run resumes bit for bit.
  std::vector<StoredContact<Real>> stored_contacts() const;
  void set_stored_contacts(std::span<const StoredContact<Real>> stored);

 private:
  struct Spring {
    std::uint64_t partner;
    ContactSpring<Real> spring;
  };
  /// The springs of one grain: range [first, first + count) of a task's springs.
  struct SpringRange {
    std::int32_t task = 0, first = 0, count = 0;
  };
  struct Springs {
    std::vector<std::vector<Spring>> of_task;
    std::vector<SpringRange> range;
    std::vector<std::uint32_t> id;  ///< ids by body index
  };
  /// Grains of similar size, in the cell order of their grid.
  struct Level {
    CellGrid<Real> grid;
    double largest = 0;
    std::vector<std::int32_t> index;  ///< body indices in increasing order, input of the grid
    std::vector<Real> x, y, z;
    std::vector<std::int32_t> sorted_index;
    std::vector<Real> radius;
  };
  struct Touching {
    std::uint64_t partner;
    Vec3<Real> d;  ///< separation from the grain to its partner, or the surface normal
    Real distance;
    std::int32_t index;  ///< the partner's index; -1: an obstacle
  };
  struct Task {
    int level;
    std::int32_t begin, end;
    ContactReport report;
    std::vector<Touching> touching;
    std::vector<Contact<Real>> contacts;
    std::vector<SolidLoad> loads;  ///< loads on each solid
  };

  void sort(const engine::Cpu& exec, const GrainView<Real>& grains, const Domain& domain);
  void split_into_tasks();
  void carry_over_springs(const GrainView<Real>& grains);
  void find_partners(Task& task, std::int32_t slot, const GrainView<Real>& grains);
  void add_grain_forces(Task& task, std::int32_t slot, const GrainView<Real>& grains, Real h,
                        std::vector<Spring>& springs);

  ContactMaterials materials_;
  bool record_ = false;
  std::vector<Level> levels_;
  std::vector<Task> tasks_;
  std::size_t task_count_ = 0;
  Springs last_, next_;
  std::vector<Obstacle<Real>> obstacles_;
  std::vector<ContactLaw<Real>> laws_;           ///< kinds x kinds
  std::vector<ContactLaw<Real>> obstacle_laws_;  ///< kinds x obstacles
  std::vector<int> solid_;                       ///< the solid of each obstacle; -1: none
};

}  // namespace mote::sim
