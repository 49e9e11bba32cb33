#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/exec/ranks.h"
#include "sim/division.h"
#include "sim/force.h"
#include "sim/motion/integrator.h"
#include "sim/ranks/copies.h"
#include "sim/run/initial_state.h"
#include "sim/run/plan.h"
#include "sim/run/rank_points.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// What a rank has of a simulation that is divided: how the bodies are divided, and what passes
/// between the ranks. Where the simulation is alone, each function does what one rank would.
///
/// Collective: gather(), gather_on_first(), gather_kept(), with_positions(), pack(), agree(),
/// add_others(), work(). Functions of `Exec` are overloads for its memory, as in machine.h.
template <class Exec>
class RankShare {
 public:
  using Space = typename Exec::Space;

  explicit RankShare(const Exec& exec) : exec_(exec), alone_(exec) {
    alone_.ranks = nullptr;
    if (exec.ranks) sent_ = exec.ranks->bytes_sent(), received_ = exec.ranks->bytes_received();
  }

  /// How so many bodies are divided between the ranks; null if there is one. Throws InputError if
  /// the forces cannot be divided.
  std::unique_ptr<const Division> divided(engine::Index bodies, const Forces<Exec>& forces,
                                          const Model& model) const {
    if (!exec_.ranks) return nullptr;
    return std::make_unique<const Division>(bodies, exec_.ranks->size(),
                                            need_of_copies(copies_needed(forces), model));
  }
  void divide(engine::Index bodies, const Forces<Exec>& forces, const Model& model) {
    division_ = divided(bodies, forces, model);
  }
  /// Null if the simulation is alone.
  const Division* division() const { return division_.get(); }

  /// The rank's share of all bodies, in host memory; only if they are divided.
  State<engine::Host> share(const State<engine::Host>& all) const {
    return share_of(all, *division_, exec_.ranks->rank());
  }

  /// Copies the bodies of all ranks to the host of each.
  void gather(State<engine::Host>& to, const State<Space>& own, const Division& division) const {
    with_own_on_host(own, [&](const State<engine::Host>& here) {
      gather_bodies(*exec_.ranks, to, here, division);
    });
  }
  /// Copies them to the host of rank 0 alone: `to` is null on others.
  void gather_on_first(State<engine::Host>* to, const State<Space>& own) const {
    with_own_on_host(own, [&](const State<engine::Host>& here) {
      sim::gather_on_first(*exec_.ranks, to, here, *division_);
    });
  }

  /// Calls `use(exec, state)` when the state's copies have positions, for functions that know
  /// nothing of ranks and read nothing else of other bodies.
  template <class Use>
  auto with_positions(State<Space>& own, Use&& use) {
    if (!division_) return use(alone_, std::as_const(own));
    receive_positions(exec_, own, *division_);
    auto result = use(alone_, std::as_const(own));
    forget_copies(exec_, own);
    return result;
  }

  /// Writes the points of all bodies into a frame of rank 0 (RankPoints); only if they are divided.
  void pack(const State<Space>& own, const FrameKind& kind, const engine::PointFrame& to,
            const PackRequest& request, std::span<const double> computed) {
    points_.pack(exec_, own, *division_, kind, to, request, computed);
  }

  /// Gathers what an integrator keeps (Integrator::serialize) into that of all ranks: its numbers,
  /// which are the same on all, then its columns. Collective.
  std::string gather_kept(const Kept<Space>& kept, std::string own) const {
    if (!division_) return own;
    const std::size_t numbers = kept.numbers.size() * sizeof(double);
    std::string all = own.substr(0, numbers);
    const std::vector<char> by_rank = engine::gather(
        exec_.ranks,
        std::vector<char>(own.begin() + static_cast<std::ptrdiff_t>(all.size()), own.end()));
    const std::size_t columns = by_rank.size() / bytes_of(division_->bodies());
    for (std::size_t k = 0; k < columns; ++k)
      for (int rank = 0; rank < division_->ranks(); ++rank) {
        const engine::Range bodies = division_->own(rank);
        const std::size_t size = bytes_of(bodies.count());
        all.append(by_rank.data() + columns * bytes_of(bodies.begin) + k * size, size);
      }
    return all;
  }
  /// Takes what this rank keeps out of that of all, whose columns have one number for each body or
  /// several, component after component.
  std::string own_kept(const Kept<Space>& kept, const std::string& all) const {
    if (!division_ || all.empty()) return all;
    const std::size_t numbers = kept.numbers.size() * sizeof(double);
    std::string own = all.substr(0, numbers);
    if (all.size() == numbers) return own;
    const engine::Range bodies = division_->own(exec_.ranks->rank());
    const std::size_t size = bytes_of(division_->bodies()), columns = (all.size() - numbers) / size;
    MOTE_EXPECT(all.size() == numbers + columns * size && columns % kept.columns.size() == 0);
    for (std::size_t k = 0; k < columns; ++k)
      own.append(all, numbers + k * size + bytes_of(bodies.begin), bytes_of(bodies.count()));
    return own;
  }

  /// Makes the report of a step one of all ranks: what is wrong anywhere, and the first body of
  /// those in error.
  void agree(StepReport& report) const {
    if (!division_) return;
    for (const StepReport& other : engine::gather_one(exec_.ranks, report)) {
      report.health = report.health | other.health;
      if (other.offender >= 0 && (report.offender < 0 || other.offender < report.offender))
        report.offender = other.offender;
    }
  }

  /// Adds the interactions of the other ranks to a report of steps; returns their number.
  std::uint64_t add_others(StepReport& report) {
    if (!division_) return 0;
    interactions_ += report.interactions;
    const std::uint64_t all = engine::sum_over(exec_.ranks, report.interactions),
                        others = all - report.interactions;
    report.interactions = all;
    return others;
  }

  /// The work of each rank, by rank; empty if this one is alone.
  std::vector<RankWork> work() const {
    if (!division_) return {};
    return engine::gather_one(exec_.ranks,
                              RankWork{interactions_, exec_.ranks->bytes_sent() - sent_,
                                       exec_.ranks->bytes_received() - received_});
  }

 private:
  template <class Use>
  void with_own_on_host(const State<Space>& own, Use&& use) const {
    if (const State<engine::Host>* const here = in_host_memory(own)) return use(*here);
    State<engine::Host> mine(own.count(), own.precision(), own.layout());
    copy_columns(exec_, mine, own);
    wait(exec_);
    use(std::as_const(mine));
  }
  static std::size_t bytes_of(engine::Index numbers) {
    return static_cast<std::size_t>(numbers) * sizeof(double);
  }

  Exec exec_, alone_;
  std::unique_ptr<const Division> division_;
  RankPoints<Exec> points_;
  std::uint64_t interactions_ = 0;         ///< of own bodies, in all steps
  std::uint64_t sent_ = 0, received_ = 0;  ///< bytes before this simulation
};

}  // namespace mote::sim
