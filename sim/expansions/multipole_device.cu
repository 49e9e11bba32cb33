#include "sim/expansions/multipole_device.h"

#include <limits>
#include <type_traits>
#include <vector>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/expansions/direct_sample.cuh"
#include "sim/expansions/expansions_on_device.cuh"
#include "sim/expansions/force_errors.h"

namespace mote::sim {
namespace {

using engine::blocks_for;
using engine::Buffer;
using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// Ordering costs about a step. Fewer bodies are in the cache wherever they are; of more, the
/// copies would not fit.
constexpr std::uint64_t steps_of_order = 64;
bool is_ordered(Index count) {
  return count >= 100'000 && count <= Index{1} << 28;
}

/// The potential at each body, weighted with its mass.
template <class Real>
struct PotentialTerm {
  StateView<const Real> s;
  const std::uint32_t* order;
  const double* potential;
  __device__ engine::Values<1> operator()(Index i) const {
    return {{static_cast<double>(s.mass[order[i]]) * potential[i]}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ engine::Values<1> nothing() { return {{0}}; }
};

}  // namespace

struct DeviceMultipoleSolver::Solver : ExpansionsOnDevice {
  using ExpansionsOnDevice::ExpansionsOnDevice;
};

DeviceMultipoleSolver::DeviceMultipoleSolver(const MultipoleSettings& settings, double softening,
                                             double gravitational, const State<Host>& initial,
                                             const Domain& domain)
    : solver_(std::make_unique<Solver>(settings, softening, gravitational, Charges{}, initial,
                                       domain)) {}

DeviceMultipoleSolver::DeviceMultipoleSolver(const MultipoleSettings& settings,
                                             const Charges& charges, const State<Host>& initial,
                                             const Domain& domain)
    : solver_(std::make_unique<Solver>(settings, 0, -charges.constant, charges, initial, domain)) {}

DeviceMultipoleSolver::DeviceMultipoleSolver(DeviceMultipoleSolver&&) noexcept = default;
DeviceMultipoleSolver::~DeviceMultipoleSolver() = default;

std::uint64_t DeviceMultipoleSolver::device_bytes(Index count, const MultipoleSettings& settings,
                                                  bool periodic, bool charged,
                                                  engine::Precision precision) {
  const auto bodies = static_cast<std::uint64_t>(count);
  // Wrapped positions, charges with their factors, coefficients of far images.
  const std::uint64_t column = bodies * (precision == engine::Precision::single ? 4 : 8);
  constexpr std::uint64_t of_images =
      (Solver::cells_with_weights + 8 * PeriodicImages::block) * PeriodicImages::size * 8;
  const std::uint64_t pulls = 4 * DeviceTree::first_capacity(count, settings.leaf);
  const std::uint64_t more = (periodic ? 3 * column + of_images : 0) +
                             (charged ? column + 8 * bodies : 0) +
                             (periodic || charged ? pulls : 0);
  // Accelerations of a sample; slots by index, and what it takes to move bodies.
  const std::uint64_t errors = 3 * column;
  const std::uint64_t order = is_ordered(count) ? bodies * (4 * 4 + 8) : 0;
  return more + errors + order + DeviceTree::device_bytes(count, settings.leaf) +
         ExpansionMemory::bytes(count, settings);
}

std::uint64_t DeviceMultipoleSolver::orders_every() const {
  return is_ordered(solver_->count) ? steps_of_order : 0;
}

void DeviceMultipoleSolver::find_order(const Cuda& exec, const State<Device>& state,
                                       std::uint32_t* from) {
  state.visit([&](const auto& s) {
    solver_->tree->find_order(exec, solver_->prepared(exec, s, false), from);
  });
}

void DeviceMultipoleSolver::change_softening(double softening) {
  solver_->softening = softening;
}

const MultipoleSolver::Counts& DeviceMultipoleSolver::counts() const {
  return solver_->counts;
}

void DeviceMultipoleSolver::run(const Cuda& exec, State<Device>& state, const ForceRequest& request,
                                StepReport& report) {
  Solver& solver = *solver_;
  const Copies copies = state.copies();
  MOTE_EXPECT(copies.before + state.count() + copies.after == solver.count);
  MOTE_EXPECT(!request.with_jerks() && (!exec.ranks || request.targets.all()));
  if (solver.count == 0 || request.targets.of(solver.count) == 0) return;
  solver.chosen.set(request.targets);
  const bool wraps = !state.layout().has(fields::list_origin);
  bool finite = false;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const StateView<const Real> all = solver.prepared_all(exec, s, copies, wraps);
    near_sums::Result<Real> own{
        s.count, s.ax, s.ay, s.az, solver.gravity(), solver.bodies.factors(), nullptr},
        result = own;
    if (exec.ranks) {
      const auto columns = solver.sums.begin<Real>(exec, s, copies, !is_first_);
      result.count = solver.count;
      result.ax = columns[0], result.ay = columns[1], result.az = columns[2];
    }
    finite = solver.evaluate<GravityQuantity::attraction, Real>(exec, all, result);
    if (!finite)
      engine::launch(
          exec, {blocks_for(static_cast<std::uint32_t>(s.count), walk::threads), walk::threads},
          near_sums::fill_not_a_number<Real>, own, solver.chosen.bodies());
    else if (exec.ranks)
      solver.sums.finish<Real>(exec, s, copies, solver.tree->view().order, solver.borders);
  });
  solver.chosen.set({});
  report.interactions += solver.counts.near + solver.counts.far;
  if (finite)
    solver.shares.balance(exec.ranks, expansion::work_of(solver.settings.order, solver.counts.near,
                                                         solver.counts.far));
}

std::uint32_t DeviceMultipoleSolver::repeated() const {
  return solver_->repeated;
}

double DeviceMultipoleSolver::potential_energy(const Cuda& exec, const State<Device>& state) {
  Solver& solver = *solver_;
  if (solver.count == 0) return 0;
  return state.visit([&]<class Const>(const StateView<Const>& given) {
    using Real = std::remove_const_t<Const>;
    const StateView<const Real> s = solver.prepared(exec, given.with(state.copies()), false);
    if (!solver.evaluate<GravityQuantity::potential, Real>(
            exec, s, {s.count, nullptr, nullptr, nullptr, solver.gravity(), nullptr, nullptr}))
      return std::numeric_limits<double>::quiet_NaN();
    // Every rank has all potentials now, and adds them.
    Cuda alone = exec;
    alone.ranks = nullptr;
    const PotentialTerm<Real> term{s, solver.tree->view().order, solver.tree->scratch()};
    const double sum = solver.potential_sum.run(alone, term, solver.count).v[0];
    solver.energy = -0.5 * solver.gravity() * sum / solver.tree->fetch(exec).side;
    return solver.energy;
  });
}

double DeviceMultipoleSolver::virial() const {
  return solver_->charged() ? solver_->energy : 0;
}

std::vector<double> DeviceMultipoleSolver::potentials(const Cuda& exec,
                                                      const State<Device>& state) {
  Solver& solver = *solver_;
  if (solver.charged()) return {};
  const auto n = static_cast<std::size_t>(solver.count);
  std::vector<double> result(n, std::numeric_limits<double>::quiet_NaN());
  if (std::isnan(potential_energy(exec, state)) || n == 0) return result;  // fills the column
  std::vector<std::uint32_t> order(n);
  std::vector<double> along(n);
  engine::copy_to_host(order.data(), solver.tree->view().order, solver.count, exec.stream);
  engine::copy_to_host(along.data(), solver.tree->scratch(), solver.count, exec.stream);
  const double unit = -solver.gravity() / solver.tree->fetch(exec).side;  // waits
  for (std::size_t i = 0; i < n; ++i) result[order[i]] = unit * along[i];
  return result;
}

ForceErrors DeviceMultipoleSolver::errors(const Cuda& exec, const State<Device>& state) {
  Solver& solver = *solver_;
  ForceErrors errors;
  if (solver.count > 0 && solver.gravitational != 0) {
    std::vector<std::uint32_t> slots;
    for (const Index slot : solver.sample(exec, state))
      slots.push_back(static_cast<std::uint32_t>(slot));
    const auto size = static_cast<Index>(slots.size());
    Buffer<std::uint32_t, Device> sample(size);
    Buffer<Vec3d, Device> exact(size), found(size), positions(size);
    engine::copy_to_device(sample.data(), slots.data(), size, exec.stream);
    std::vector<Vec3d> expected(slots.size()), actual(slots.size()), where(slots.size()),
        weights(slots.size());
    state.visit([&]<class Const>(const StateView<Const>& given) {
      using Real = std::remove_const_t<Const>;
      const StateView<const Real> s =
          solver.prepared(exec, solver.charged() ? given : given.with(state.copies()), false);
      Buffer<Real, Device> a[3];
      for (auto& column : a) {
        column = Buffer<Real, Device>(s.count);
        engine::fill_bytes(column.data(), 0, column.bytes(), exec.stream);
      }
      const near_sums::Result<Real> to{s.count,          a[0].data(), a[1].data(), a[2].data(),
                                       solver.gravity(), nullptr,     nullptr};
      solver.evaluate<GravityQuantity::attraction, Real>(exec, s, to);
      engine::launch(exec,
                     {blocks_for(static_cast<std::uint32_t>(size), direct_sample::threads),
                      direct_sample::threads},
                     direct_sample::gather_sample<Real>, a[0].data(), a[1].data(), a[2].data(),
                     sample.data(), static_cast<int>(size), found.data());
      engine::launch(exec,
                     {static_cast<unsigned>(size), direct_sample::threads,
                      direct_sample::threads / 32 * sizeof(Vec3d)},
                     direct_sample::sum_directly<Real>, s, sample.data(), solver.images.nearest,
                     solver.images.count, solver.softening * solver.softening, positions.data(),
                     exact.data());
      if (solver.images.periodic())
        solver.template with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
          engine::launch(
              exec, {static_cast<unsigned>(size), far_images::threads, far_images::shared_bytes},
              far_images::add_to_sample<T>, solver.tree->view(), e,
              static_cast<const Vec3d*>(positions.data()), solver.mass_unit, exact.data());
        });
      engine::copy_to_host(actual.data(), found.data(), size, exec.stream);
      engine::copy_to_host(expected.data(), exact.data(), size, exec.stream);
      engine::copy_to_host(where.data(), positions.data(), size, exec.stream);
      engine::wait(exec);
      engine::launch(exec,
                     {blocks_for(static_cast<std::uint32_t>(size), direct_sample::threads),
                      direct_sample::threads},
                     direct_sample::gather_sample<Real>, s.mass, s.mass, s.mass, sample.data(),
                     static_cast<int>(size), found.data());
      engine::copy_to_host(weights.data(), found.data(), size, exec.stream);
      engine::wait(exec);
    });
    if (solver.tree->fetch(exec).not_finite == 0) {
      for (Vec3d& a : actual) a = (1 / solver.gravitational) * a;
      std::vector<double> weight;
      for (const Vec3d& w : weights) weight.push_back(w.x);
      errors = errors_between(expected, actual,
                              force_scale(where, weight, solver.attracting, solver.softening));
    }
  }
  errors.asked = solver.settings.accuracy;
  return errors;
}

}  // namespace mote::sim
