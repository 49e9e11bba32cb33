#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/space/cell_grid.h"
#include "sim/state.h"

namespace mote::sim {

/// Verlet neighbour lists for short-range forces on the CPU. Bodies and their neighbours are in
/// slots, in cell order. A list has all bodies within cutoff + skin at the time of its build, and
/// therefore all within the cutoff now.
template <class Real>
struct NeighbourView {
  engine::Index count;        ///< slots: bodies that have lists
  const std::int32_t* index;  ///< body index, by slot
  const Real *x, *y, *z;      ///< [length] current positions, by slot; separations need the minimum
                              ///< image
  const std::int64_t* begin;  ///< first neighbour of each slot; last element: their total
  const std::int32_t* neighbour;  ///< slots
  Real length[3], inverse[3];     ///< lengths of periodic axes and their inverses, 0 along others
};

/// The cutoff, reduced to slightly less than half the length of periodic axes, so that round-off
/// never puts two images of a body in a list.
double list_cutoff(const Domain& domain, double cutoff);

/// Verlet lists (Verlet 1967, Phys. Rev. 159, 98), rebuilt when a body has moved by more than half
/// the skin. Lists and their order depend only on the positions at the last build, which are part
/// of the state (fields::list_origin): a restart is bitwise reproducible.
///
/// Builds wrap bodies into the domain along periodic axes; fields::image counts the periods. Every
/// update reflects bodies at the walls of walled axes.
class Neighbours {
 public:
  /// `cutoff`: the largest of all forces, > 0; `skin` >= 0 [length]. Periodic axes are at least
  /// twice as long as their sum. `selected`: by body, 0 for bodies that have no lists, and are
  /// neither wrapped nor reflected; empty: all have.
  Neighbours(const Domain& domain, double cutoff, double skin,
             const std::vector<std::uint8_t>& selected = {});
  ~Neighbours();

  /// Adds the fields that a state needs.
  static void add_fields(const Domain& domain, StateLayout& layout);

  /// Estimated memory for lists as long as in a dense liquid [bytes].
  static std::uint64_t bytes(engine::Index count, engine::Precision precision);

  /// Marks lists as stale after bodies were replaced; the next update rebuilds them from the list
  /// origins of the state.
  void invalidate() { stale_ = true; }

  /// Rebuilds lists if necessary, and gathers current positions.
  void update(const engine::Cpu& exec, State<engine::Host>& state);

  /// Valid until the next update. `Real` is the number type of the state.
  template <class Real>
  NeighbourView<Real> view() const;

  const Domain& domain() const { return domain_; }
  /// Number of neighbours in all lists.
  std::int64_t neighbour_count() const;

 private:
  template <class Real>
  struct Lists;

  template <class Real>
  Lists<Real>& lists();
  template <class Real>
  void update_lists(const engine::Cpu& exec, const StateView<Real>& state);

  Domain domain_;
  double cutoff_, skin_;
  bool selected_only_;                  // a subset of the bodies
  std::vector<std::int32_t> selected_;  // their indices
  bool stale_ = true;
  std::unique_ptr<Lists<float>> single_;
  std::unique_ptr<Lists<double>> double_;
};

/// Resets list origins to `not_listed`: the next update rebuilds lists from current positions.
void reset_list_origins(State<engine::Host>& state);

}  // namespace mote::sim
