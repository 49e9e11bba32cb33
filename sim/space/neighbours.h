#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/space/cell_grid.h"
#include "sim/state.h"

namespace mote::sim {

/// Who is near whom, as forces of a short range on the CPU see it. By place in the order of cells;
/// neighbours of a place follow each other in the order of cells, too. Neighbours are all bodies
/// that were nearer than the reach and the skin when they were listed, and so all that are within
/// reach now.
template <class Real>
struct NeighbourView {
  engine::Index count;         ///< of places: bodies that have neighbours
  const std::int32_t* column;  ///< of the state, by place
  const Real *x, *y,
      *z;  ///< [length] now, by place; images of each other's nearest may be whole lengths away
  const std::int64_t* begin;      ///< of the neighbours of each place, and their number at the end
  const std::int32_t* neighbour;  ///< places
  Real length[3], inverse[3];     ///< of periodic axes and one over it, zeros along others
};

/// The reach of forces, or where that is half of a periodic length so little less that rounding
/// never takes two images of a body for near.
double listed_reach(const Domain& domain, double reach);

/// The neighbours of a simulation's bodies, listed anew when one of them has used up half of the
/// skin (Verlet 1967, Phys. Rev. 159, 98). Which bodies are listed, and in which order, follows
/// from the places where they were last listed, which are columns of the state (Extra::listed_x): a
/// state that goes on from elsewhere has the same bits.
///
/// Along periodic axes bodies come back into the domain when they are listed, and Extra::image_x
/// counts the lengths that they have gone. Along walled axes bodies are thrown back at every force.
class Neighbours {
 public:
  /// `reach`: of the farthest force, > 0; `skin` >= 0 [length]. Along periodic axes a domain is at
  /// least twice as long as both together. `chosen`: by column, 0 for bodies that have no
  /// neighbours, and stay wherever they are; empty: all have.
  Neighbours(const Domain& domain, double reach, double skin,
             const std::vector<std::uint8_t>& chosen = {});
  ~Neighbours();

  /// What a state has for this.
  static StateShape shape(const Domain& domain);

  /// Bytes for so many bodies, each with as many neighbours as in a dense liquid.
  static std::uint64_t bytes(engine::Index count, engine::Precision precision);

  /// Bodies are others, or elsewhere, than they were at the last update. What their columns say of
  /// their last listing counts.
  void forget() { stale_ = true; }

  /// Lists bodies anew where they must be.
  void update(const engine::Cpu& exec, State<engine::Host>& state);

  /// Valid until the next update. `Real` is the number type of the state.
  template <class Real>
  NeighbourView<Real> view() const;

  const Domain& domain() const { return domain_; }
  /// How many neighbours were listed the last time.
  std::int64_t listed() const;

 private:
  template <class Real>
  struct Lists;

  template <class Real>
  Lists<Real>& lists();
  template <class Real>
  void update_columns(const engine::Cpu& exec, const StateView<Real>& state);

  Domain domain_;
  double reach_, skin_;
  bool some_;                         // of the bodies only
  std::vector<std::int32_t> chosen_;  // their columns
  bool stale_ = true;
  std::unique_ptr<Lists<float>> single_;
  std::unique_ptr<Lists<double>> full_;
};

/// A state whose bodies have never been listed, or not as they are now.
void forget_listing(State<engine::Host>& state);

}  // namespace mote::sim
