#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
#include "sim/run/simulation.h"

namespace mote::sim {

/// What a rank has of a simulation that is divided: how the bodies are divided, and what passes
/// between the ranks. Where the simulation is alone, each function does what one rank would.
///
/// Collective: gather(), gather_kept(), with_all(), agree(), add_others(), work(). Functions of
/// `Exec` are overloads for its memory, as in machine.h.
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

  /// Copies the bodies of all ranks to the host.
  void gather(State<engine::Host>& to, const State<Space>& own, const Division& division) const {
    if (const State<engine::Host>* const here = in_host_memory(own))
      return gather_bodies(*exec_.ranks, to, *here, division);
    State<engine::Host> mine(own.count(), own.precision(), own.layout());
    copy_columns(exec_, mine, own);
    wait(exec_);
    gather_bodies(*exec_.ranks, to, mine, division);
  }

  /// Calls `use(exec, state)` with the bodies of all ranks in the memory of the steps, for
  /// functions that know nothing of ranks. `on_host()`: those in host memory.
  template <class OnHost, class Use>
  void with_all(State<Space>& own, OnHost&& on_host, Use&& use) {
    if (!division_) return use(exec_, own);
    const State<engine::Host>& all = on_host();
    if (const State<Space>* const here = in_memory_of(exec_, all)) return use(alone_, *here);
    State<Space> gathered(all.count(), all.precision(), all.layout());
    copy_columns(exec_, gathered, all);
    use(alone_, gathered);
    wait(exec_);
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
  static std::size_t bytes_of(engine::Index numbers) {
    return static_cast<std::size_t>(numbers) * sizeof(double);
  }

  Exec exec_, alone_;
  std::unique_ptr<const Division> division_;
  std::uint64_t interactions_ = 0;         ///< of own bodies, in all steps
  std::uint64_t sent_ = 0, received_ = 0;  ///< bytes before this simulation
};

}  // namespace mote::sim
