#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "engine/algo/for_each.h"
#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/ranks.h"
#include "sim/motion/block_bins.h"
#include "sim/motion/block_steps.h"
#include "sim/motion/hermite_body.h"
#include "sim/motion/integration.h"

namespace mote::sim {

/// Options of the integrator, as in a scene.
struct HermiteOptions {
  double eta = 0.05;  ///< steps as a part of the timescale of a body
};
const engine::ParamTable<HermiteOptions>& hermite_table();

/// Hermite integrator of 4th order (Makino & Aarseth 1992, PASJ 44, 141) with a step of its own for
/// each body: dt_max 2^-k, where dt_max is the limit of the scene. A step of a simulation is one
/// block step: to the next time at which a body's step ends, for all bodies whose steps end there.
///
/// All bodies are predicted to that time, by Taylor series from their own last steps; forces and
/// jerks are evaluated for those whose steps end; these are corrected, and choose their next step
/// (hermite_body::Wanted). Between steps the state has the predicted positions, velocities and
/// accelerations of bodies within steps of their own, to the order of the integrator: it may be
/// shown, measured and saved at any time.
///
/// The time is an integer of ticks of dt_max 2^-50. All that a step does is a function of what is
/// kept, so that bits repeat and resumed runs continue with them. After a change of the state from
/// outside all bodies begin a new step there.
///
/// With ranks, each has the bins of its own bodies, and the last bin that any has decides the step.
///
/// One text for both backends, included by a file of each. On a GPU a block step is some ten
/// launches and waits once, for the number of bodies in each bin.
template <class Exec>
class Hermite final : public Integrator<Exec> {
 public:
  using Space = typename Exec::Space;
  using Index = engine::Index;

  explicit Hermite(const HermiteOptions& options) : eta_(options.eta) {}

  StepTaken step(const Exec& exec, System<Exec>& system) override {
    const Index count = system.state.count();
    if (count == 0) return {system.clock.dt, system.clock.dt};
    if (anew_ != 0) {
      begin(exec, system);
      choose_bins(exec, system.state.precision());
      anew_ = 0;
    }
    MOTE_EXPECT(known(count) && unit_ > 0);
    const int last = last_bin_used(exec, count);
    const hermite_body::Ticks now = ticks(), next = now + hermite_body::ticks_of(last);
    const int first =
        std::max(0, hermite_body::last_bin - std::countr_zero(static_cast<std::uint64_t>(next)));
    const double dt = std::ldexp(unit_, -last);
    write(exec, system.state, {next, now, tick(), 0});
    const ChosenBodies chosen{bins_.from(exec, bin_.data(), count, first), bodies_from(first)};
    // After a restart the clock proposes the length of the step before.
    const StageTime end = system.at(dt == system.clock.dt ? 1 : dt / system.clock.dt);
    system.forces.evaluate(exec, system.state, {end, chosen, jerks()}, system.report);
    const hermite_body::Wanted wanted = wanted_in(system.state.precision());
    system.state.visit([&]<class Real>(StateView<Real> s) {
      for_each(exec, chosen.count,
               hermite_body::Correct<Real>{columns(), s, jerks(), chosen.slots, wanted, next,
                                           tick(), unit_});
    });
    now_ = std::ldexp(static_cast<double>(next & (hermite_body::longest - 1)),
                      -hermite_body::last_bin);
    dt_ = dt;
    counts_.reset();
    int next_last = last_bin_used(exec, count);
    if ((*counts_)[hermite_body::lost_bin] > 0)
      system.report.health = system.report.health | Health::not_finite;
    else if (now_ == 0 && !(limit_ > 0 && 2 * unit_ > limit_) && (*counts_)[0] > 0 &&
             next_last < most_grown)
      next_last = lengthen(exec, count);
    return {dt, std::ldexp(unit_, -next_last)};
  }

  /// Writes the accelerations of the kept bodies; evaluates those of the bodies in the state if no
  /// bodies are kept, or forces have changed.
  void evaluate(const Exec& exec, System<Exec>& system) override {
    if (!known(system.state.count()))
      begin(exec, system);
    else if (anew_ != 0)
      system.forces.evaluate(exec, system.state, system.at(0), system.report);
    else
      write(exec, system.state, present());
  }
  bool leaves_accelerations() const override { return true; }
  bool reports_not_finite() const override { return true; }

  double first_step(const Exec& exec, const State<Space>& state, double limit) override {
    const Index count = state.count();
    limit_ = limit;
    if (count == 0) return limit > 0 ? limit : 1;
    MOTE_EXPECT(known(count));
    if (anew_ == 0) choose_bins(exec, state.precision());
    const double shortest = std::ldexp(unit_, -last_bin_used(exec, count));
    return limit > 0 ? std::min(shortest, limit) : shortest;
  }

  /// Takes effect at the next step, so that states within the last one can still be written.
  bool restart() override {
    anew_ = 1;
    return true;
  }

  std::optional<BlockSteps> block_steps(const Exec& exec) override {
    if (bin_.size() == 0) return {};
    const int last = last_bin_used(exec, bin_.size());
    BlockSteps steps{unit_, {}};
    for (int bin = 0; bin <= last; ++bin)
      steps.bodies.push_back((*counts_)[static_cast<std::size_t>(bin)]);
    return steps;
  }

  Kept<Space> kept() override {
    Kept<Space> all{{&unit_, &now_, &dt_, &limit_, &anew_}, {}};
    for (auto& derivative : of_)
      for (Column& column : derivative) all.columns.push_back(&column);
    all.columns.push_back(&bin_);
    return all;
  }
  void on_restored() override { counts_.reset(); }

  bool has_dense_output() const override { return true; }
  bool write_within(const Exec& exec, double before_end, State<Space>& to) override {
    if (!known(to.count()) || before_end < 0 || before_end > dt_ * (1 + 0x1p-40)) return false;
    hermite_body::Moment at = present();
    at.before = before_end;
    write(exec, to, at);
    return true;
  }

 private:
  using Column = engine::Buffer<double, Space>;

  /// Trials until the first steps are known: each is at least `shorter` times shorter. The snaps
  /// and crackles of a trial are good for steps up to `shorter` times as long.
  static constexpr int most_trials = 40;
  static constexpr double shorter = 4;
  /// The longest step is at first at most so many times the shortest, and doubles as long as bodies
  /// are in its bin, up to the limit and so many bins.
  static constexpr double first_range = 0x1p20;
  static constexpr int most_grown = 30;

  bool known(Index count) const { return count > 0 && bin_.size() == count; }
  double tick() const { return std::ldexp(unit_, -hermite_body::last_bin); }
  hermite_body::Ticks ticks() const {
    return static_cast<hermite_body::Ticks>(std::ldexp(now_, hermite_body::last_bin));
  }
  hermite_body::Moment present() const { return {ticks(), ticks(), tick(), 0}; }
  hermite_body::Columns columns() {
    hermite_body::Columns all{};
    for (int n = 0; n < hermite_body::derivatives; ++n)
      for (int axis = 0; axis < 3; ++axis) all.of[n][axis] = of_[n][axis].data();
    all.bin = bin_.data();
    return all;
  }
  VectorColumns<double> jerks() { return {{jerk_[0].data(), jerk_[1].data(), jerk_[2].data()}}; }
  /// Forces are rounded to 1e-7 in single and mixed precision, to 1e-14 in double.
  hermite_body::Wanted wanted_in(engine::Precision precision) const {
    if (precision == engine::Precision::double_) return {eta_, 1e-14, 0.25, 0x1p-53};
    return {eta_, 2e-7, 0.5, precision == engine::Precision::single ? 0x1p-24 : 0x1p-53};
  }

  void write(const Exec& exec, State<Space>& to, const hermite_body::Moment& moment) {
    to.visit([&]<class Real>(StateView<Real> s) {
      for_each(exec, s.count, hermite_body::Predict<Real>{columns(), s, moment});
    });
    fit(jerk_, to.count());
  }

  template <int n>
  static void fit(Column (&all)[n], Index count) {
    for (Column& column : all)
      if (column.size() != count) column = Column(count);
  }

  /// The last bin that has bodies.
  int last_bin_used(const Exec& exec, Index count) {
    if (!counts_) {
      own_counts_ = bins_.count(exec, bin_.data(), count);
      const std::vector<std::uint64_t> all = engine::sum_over(
          exec.ranks, std::vector<std::uint64_t>(own_counts_.begin(), own_counts_.end()));
      std::copy(all.begin(), all.end(), counts_.emplace().begin());
    }
    int last = hermite_body::last_bin;
    while (last > 0 && (*counts_)[static_cast<std::size_t>(last)] == 0) --last;
    return last;
  }
  /// Own bodies in this bin and later ones.
  Index bodies_from(int first) const {
    Index sum = 0;
    for (int bin = first; bin < hermite_body::bins; ++bin)
      sum += own_counts_[static_cast<std::size_t>(bin)];
    return sum;
  }

  /// Forces and jerks of all bodies at a moment.
  void evaluate_all(const Exec& exec, System<Exec>& system) {
    system.forces.evaluate(exec, system.state, {system.at(0), {}, jerks()}, system.report);
  }

  /// Begins with the bodies of the state. Their snaps and crackles come from a trial over a time
  /// about as short as the shortest step that they then want: neither |a| / |jerk| of bodies at
  /// rest nor a distance tells it before.
  void begin(const Exec& exec, System<Exec>& system) {
    const Index count = system.state.count();
    for (auto& derivative : of_) fit(derivative, count);
    if (bin_.size() != count) bin_ = Column(count);
    fit(jerk_, count);
    unit_ = now_ = dt_ = trial_step_ = 0;
    counts_.reset();
    if (count == 0) return;
    evaluate_all(exec, system);
    const auto given = impulse_of(system.forces.all, exec);  // trials give none
    system.state.visit([&]<class Real>(StateView<Real> s) {
      for_each(exec, count, hermite_body::Begin<Real>{columns(), s.read_only(), jerks()});
    });
    double h = first_trial(exec, count);
    engine::Reducer<Exec, 1> range(count);
    const hermite_body::Wanted wanted = wanted_in(system.state.precision());
    for (int k = 0; k < most_trials && h > 0; ++k) {
      trial_step_ = h;
      for_each(exec, count, hermite_body::ClearHigher{columns()});
      hermite_body::Moment end{};
      end.before = -h;
      write(exec, system.state, end);
      evaluate_all(exec, system);
      system.state.visit([&]<class Real>(StateView<Real> s) {
        for_each(exec, count, hermite_body::EndTrial<Real>{columns(), s.read_only(), jerks(), h});
      });
      const double shortest =
          range.run(exec, hermite_body::ShortestWanted{columns(), wanted, h}, count).v[0];
      if (!(shortest * shorter < h) || !std::isnormal(shortest)) break;
      h = shortest;
    }
    write(exec, system.state, hermite_body::Moment{});
    if (given)
      for (const auto& force : system.forces.all) force->set_impulse(exec, *given);
  }

  /// A time that is not too short to begin trials with, by the largest numbers of all bodies; 0 if
  /// nothing acts on any.
  double first_trial(const Exec& exec, Index count) {
    const auto [a, jerk, size] =
        engine::Reducer<Exec, 3>(count).run(exec, hermite_body::FirstScales{columns()}, count).v;
    if (!(a > 0) && !(jerk > 0)) return 0;
    const double by_jerk = eta_ * a / jerk, by_fall = eta_ * std::sqrt(size / a);
    const bool has_jerk = std::isnormal(by_jerk), has_fall = std::isnormal(by_fall);
    if (has_jerk && has_fall) return std::min(by_jerk, by_fall);
    return has_jerk ? by_jerk : has_fall ? by_fall : eta_;  // any that trials can shorten
  }

  /// The first bins. The longest step is the limit, or a power of two; at first some range above
  /// the shortest one, since bins are as many as they are. It grows.
  void choose_bins(const Exec& exec, engine::Precision precision) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double most = trial_step_ > 0 ? shorter * trial_step_ : infinity;
    unit_ = limit_ > 0 ? limit_ : std::isfinite(most) ? std::exp2(std::ilogb(most)) : 1;
    while (unit_ > first_range * most) unit_ /= 2;
    for_each(exec, bin_.size(),
             hermite_body::ChooseBins{columns(), wanted_in(precision), trial_step_, most, unit_});
    now_ = 0;
    counts_.reset();
  }

  /// Doubles the longest step, when all bodies are at the end of one; returns the last bin.
  int lengthen(const Exec& exec, Index count) {
    for_each(exec, count, hermite_body::ShiftBins{columns()});
    unit_ *= 2;
    counts_.reset();
    return last_bin_used(exec, count);
  }

  double eta_;
  double trial_step_ = 0;  ///< that the first snaps and crackles are of [time]
  // Kept from step to step.
  double unit_ = 0;   ///< the longest step [time]; 0: not chosen
  double now_ = 0;    ///< time since the last multiple of the longest step, as a part of it
  double dt_ = 0;     ///< [time] of the last block step; 0: none
  double limit_ = 0;  ///< of the step [time]; 0: none
  double anew_ = 0;   ///< 1: the next step begins with the bodies of the state
  Column of_[hermite_body::derivatives][3], bin_;
  Column jerk_[3];                   ///< as forces give them
  std::optional<BinCounts> counts_;  ///< of the bodies of all ranks
  BinCounts own_counts_{};
  BlockBins<Exec> bins_;
};

/// In the list of integrators.
struct HermiteMethod {
  static IntegratorInfo info();
  template <class Exec>
  static std::unique_ptr<Integrator<Exec>> make(const Integration& scene, const ForceTraits&) {
    return std::make_unique<Hermite<Exec>>(options_of(scene, hermite_table()));
  }
};

}  // namespace mote::sim
