#include "sim/contact/contact_device.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/exec/together.h"
#include "engine/memory/on_device.h"
#include "sim/contact/contact_loads.cuh"

namespace mote::sim {
namespace {

using contact_listing::contact_threads;
using contact_listing::Control;
using contact_listing::GrainMotion;
using contact_listing::GrainPlace;
using contact_listing::GrainSpin;
using contact_listing::key_of_obstacle;
using contact_listing::load_grains;
using contact_listing::OnTheWay;
using contact_listing::slice;
using contact_listing::SpringHead;
using contact_listing::Springs;
using contact_listing::SpringTail;
using contact_listing::Work;
using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using engine::on_device;
using engine::Values;

/// Rows of lists, and springs beside them for obstacles, before anybody was counted; and those of a
/// dense heap.
constexpr Index first_rows = 4, usual_rows = 16;
constexpr int first_obstacle_places = 3;

struct EnergyTerm {
  const double* energies;
  __device__ Values<1> operator()(Index i) const { return {{energies[i]}}; }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<1> nothing() { return {}; }
};

Index slices_of(Index count) {
  return (count + slice - 1) / slice;
}

}  // namespace

template <class Real>
struct DeviceContactForce<Real>::Memory {
  Memory(const Cuda& exec, const Obstacles& described, Index count)
      : obstacles(exec, described),
        control(1),
        level(count),
        counts(2 * count + 64 * most_contact_levels),
        chunks(counts.size() / listing::scan_chunk + 1),
        start(counts.size() + 1),
        next(counts.size()),
        cell(count),
        place(count),
        scattered(count),
        column(count),
        neighbours(count),
        width(slices_of(count)),
        row(slices_of(count) + 1),
        at(count),
        motion(count),
        spin(count),
        laws(described.count()),
        energies(count),
        sum(count) {
    for (auto& axis : listed) axis = engine::Buffer<Real, Device>(count);
    for (int k = 0; k < 2; ++k) {
      home[k] = engine::Buffer<std::uint32_t, Device>(count);
      held[k] = engine::Buffer<std::int32_t, Device>(count);
    }
  }
  DeviceObstacles<Real> obstacles;
  engine::Buffer<Control, Device> control;
  engine::Buffer<std::uint8_t, Device> level;
  engine::Buffer<std::int32_t, Device> exempt_first;
  engine::Buffer<std::uint32_t, Device> exempt_partner;
  engine::Buffer<std::int32_t, Device> counts, chunks, start, next, cell, place, scattered, column,
      neighbours, width, row, neighbour;
  engine::Buffer<Real, Device> listed[3];
  engine::Buffer<GrainPlace<Real>, Device> at;
  engine::Buffer<GrainMotion<Real>, Device> motion;
  engine::Buffer<GrainSpin<Real>, Device> spin;
  engine::Buffer<ContactLaw<Real>, Device> laws;
  engine::Buffer<SpringHead<Real>, Device> head[2];
  engine::Buffer<SpringTail<Real>, Device> tail[2];
  engine::Buffer<std::uint32_t, Device> home[2];
  engine::Buffer<std::int32_t, Device> held[2];
  engine::Buffer<double, Device> energies;
  engine::Reduction<1> sum;
  Index rows = 0;
  int obstacle_places = 0;

  Control read(const Cuda& exec) const {
    Control now;
    engine::copy_to_host(&now, control.data(), 1, exec.stream);
    engine::wait(exec);
    return now;
  }
  void write(const Cuda& exec, const Control& now) {
    engine::copy_to_device(control.data(), &now, 1, exec.stream);
    engine::wait(exec);
  }
};

namespace {

/// Half of a spring more than this is not kept: see SpringTail.
bool has_tails(const ContactParams& params) {
  return params.model == "hertz" || params.rolling_friction > 0;
}

/// A larger buffer that begins with what the old one holds.
template <class T>
void grow(const Cuda& exec, engine::Buffer<T, Device>& buffer, Index size) {
  if (buffer.size() >= size) return;
  engine::Buffer<T, Device> larger(size);
  engine::copy_bytes_on_device(larger.data(), buffer.data(), buffer.bytes(), exec.stream);
  engine::wait(exec);
  buffer = std::move(larger);
}

}  // namespace

template <class Real>
DeviceContactForce<Real>::DeviceContactForce(const Cuda& exec, const ContactParams& params,
                                             const Obstacles& obstacles, const Domain& domain,
                                             const State<Host>& initial,
                                             std::vector<std::uint8_t> members,
                                             const ExemptLists& exempt)
    : params_(params),
      domain_(domain),
      count_(initial.count()),
      id_(initial.id(), initial.id() + initial.count()),
      member_(std::move(members)),
      memory_(std::make_unique<Memory>(exec, obstacles, count_)) {
  memory_->exempt_first = on_device(exec, exempt.first);
  memory_->exempt_partner = on_device(exec, exempt.partner);
  const int multiprocessors = engine::multiprocessors_together(exec);
  const int resident =
      engine::resident_blocks(contact_listing::prepare<Real>, contact_listing::threads,
                              contact_listing::threads / 32 * sizeof(int));
  blocks_ = static_cast<unsigned>(std::max(1, resident * multiprocessors));
  std::vector<Obstacle<Real>> all;
  obstacles.at(0, all);
  std::vector<ContactLaw<Real>> laws;
  for (const Obstacle<Real>& o : all)
    laws.push_back(contact_law<Real>(params, double(o.friction), double(o.restitution)));
  engine::copy_to_device(memory_->laws.data(), laws.data(), memory_->laws.size(), exec.stream);
  Control control{};
  control.bounds = listing::no_bounds();
  memory_->write(exec, control);
  initial.visit([&]<class Const>(const StateView<Const>& s) {
    if constexpr (std::is_same_v<Const, const Real>)
      take_sizes(exec, {s.column(Extra::radius), static_cast<std::size_t>(s.count)});
  });
  reserve(exec, first_rows * slices_of(count_), std::min(first_obstacle_places, obstacles.count()));
  set_memory(exec, {});
}

template <class Real>
DeviceContactForce<Real>::DeviceContactForce(DeviceContactForce&&) noexcept = default;
template <class Real>
DeviceContactForce<Real>::~DeviceContactForce() = default;

template <class Real>
std::uint64_t DeviceContactForce<Real>::device_bytes(Index count, Index exempt) {
  const std::uint64_t rows = usual_rows + first_obstacle_places;
  const std::uint64_t grain = 11 * sizeof(std::int32_t) + 1 + 15 * sizeof(Real) + sizeof(double) +
                              2 * (sizeof(std::uint32_t) + sizeof(std::int32_t)) +
                              4 * 2 * sizeof(std::int32_t);
  const std::uint64_t contact =
      sizeof(std::int32_t) + 2 * (sizeof(SpringHead<Real>) + sizeof(SpringTail<Real>));
  const std::uint64_t lists =
      exempt > 0 ? (1 + static_cast<std::uint64_t>(exempt)) * sizeof(std::int32_t) : 0;
  // A quarter more, for that is what lists grow by.
  return static_cast<std::uint64_t>(slices_of(count)) * slice *
         (grain + lists + rows * contact * 5 / 4);
}

/// Levels of the radii, and how far lists reach beyond contacts.
template <class Real>
void DeviceContactForce<Real>::take_sizes(const Cuda& exec, std::span<const Real> radii) {
  double largest = 0, sum = 0, all = 0;
  const auto is_grain = [&](std::size_t i) { return member_.empty() || member_[i] != 0; };
  for (std::size_t i = 0; i < radii.size(); ++i)
    if (is_grain(i)) largest = std::max(largest, double(radii[i])), sum += double(radii[i]), ++all;
  Control control = memory_->read(exec);
  std::vector<std::uint8_t> level(radii.size(), contact_listing::no_level);
  std::int64_t grains[most_contact_levels] = {};
  std::fill(std::begin(control.largest), std::end(control.largest), 0);
  control.levels = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    if (!is_grain(i)) continue;
    const int k = contact_level(double(radii[i]), largest);
    level[i] = static_cast<std::uint8_t>(k);
    ++grains[k];
    control.largest[k] = std::max(control.largest[k], double(radii[i]));
    control.levels = std::max(control.levels, k + 1);
  }
  for (int k = 0; k < control.levels; ++k) {
    control.most_cells[k] = std::max<std::int64_t>(64, 2 * grains[k]);
    // A level that nobody is of has one cell.
    if (grains[k] == 0) control.most_cells[k] = 1, control.largest[k] = largest;
  }
  control.stale = 1;
  skin_ = all > 0 ? 0.3 * sum / all : 0;
  // No further than half a domain, where images would be met twice.
  const double lengths[3] = {domain_.length.x, domain_.length.y, domain_.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain_.periodic[axis]) skin_ = std::clamp(0.49 * lengths[axis] - 2 * largest, 0.0, skin_);
  engine::copy_to_device(memory_->level.data(), level.data(), count_, exec.stream);
  memory_->write(exec, control);
}

template <class Real>
void DeviceContactForce<Real>::reserve(const Cuda& exec, Index rows, int obstacle_places) {
  Memory& m = *memory_;
  if (rows > m.rows) {
    m.rows = rows;
    m.neighbour = {};
    m.neighbour = engine::Buffer<std::int32_t, Device>(rows * slice);
  }
  m.obstacle_places = std::max(m.obstacle_places, obstacle_places);
  const Index springs = (m.rows + slices_of(count_) * m.obstacle_places) * slice;
  if (springs > std::numeric_limits<std::uint32_t>::max())  // which kernels count them with
    throw engine::InputError("grains", "they have more than 4,294,967,295 places for contacts",
                             "use fewer grains");
  for (int k = 0; k < 2; ++k) {
    grow(exec, m.head[k], springs);
    if (has_tails(params_)) grow(exec, m.tail[k], springs);
  }
  grown_ = true;
}

template <class Real>
template <bool look>
void DeviceContactForce<Real>::evaluate(const Cuda& exec, const StateView<Real>& s,
                                        const StageTime& time) {
  if (s.count == 0) return;
  Memory& m = *memory_;
  Work<Real> w{};
  w.s = s;
  w.domain = domain_;
  const double lengths[3] = {domain_.length.x, domain_.length.y, domain_.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    w.open = w.open || !(domain_.periodic[axis] || domain_.walled[axis]);
    w.listed[axis] = m.listed[axis].data();
    if (!domain_.periodic[axis]) continue;
    w.length[axis] = static_cast<Real>(lengths[axis]);
    w.inverse[axis] = static_cast<Real>(1 / lengths[axis]);
  }
  w.squared_way = static_cast<Real>(0.25 * skin_ * skin_);
  w.skin = skin_;
  w.most_cells = m.counts.size();
  w.clock = time.clock, w.record = time.record, w.passed = time.passed;
  w.control = m.control.data();
  w.level = m.level.data();
  w.counts = m.counts.data(), w.chunks = m.chunks.data(), w.start = m.start.data(),
  w.next = m.next.data();
  w.cell = m.cell.data(), w.place = m.place.data(), w.scattered = m.scattered.data();
  w.column = m.column.data();
  w.at = m.at.data(), w.motion = m.motion.data(), w.spin = m.spin.data();
  w.neighbours = m.neighbours.data(), w.width = m.width.data(), w.row = m.row.data();
  w.neighbour = m.neighbour.data();
  w.rows = m.rows;
  w.obstacle_places = m.obstacle_places;
  for (int k = 0; k < 2; ++k)
    w.springs[k] = {m.head[k].data(), m.tail[k].data(), m.home[k].data(), m.held[k].data()};
  w.obstacles = m.obstacles.view();
  w.laws = m.laws.data();
  if (m.exempt_first.size() > 0) w.exempt = {m.exempt_first.data(), m.exempt_partner.data()};
  const auto blocks = static_cast<unsigned>(std::min<Index>(
      (s.count + contact_listing::threads - 1) / contact_listing::threads, blocks_));
  const unsigned started =
      engine::launch_together(exec,
                              {.blocks = blocks,
                               .threads = contact_listing::threads,
                               .shared = contact_listing::threads / 32 * sizeof(int)},
                              contact_listing::prepare<Real>, w);
  if (started < blocks) blocks_ = started;
  const auto law = contact_law<Real>(params_, params_.friction, params_.restitution);
  const auto start = [&](auto kernel, std::size_t shared) {
    engine::launch(
        exec,
        {.blocks = static_cast<unsigned>((s.count + contact_threads - 1) / contact_threads),
         .threads = contact_threads,
         .shared = shared},
        kernel, w, law, m.energies.data());
  };
  if (has_tails(params_))
    start(load_grains<Real, true, look>, sizeof(OnTheWay<Real, true>));
  else
    start(load_grains<Real, false, look>, sizeof(OnTheWay<Real, false>));
}

template <class Real>
void DeviceContactForce<Real>::run(const Cuda& exec, State<Device>& state, const StageTime& time) {
  MOTE_EXPECT(state.count() == count_);
  state.visit([&]<class StateReal>(const StateView<StateReal>& s) {
    if constexpr (std::is_same_v<StateReal, Real>) evaluate<false>(exec, s, time);
  });
}

template <class Real>
double DeviceContactForce<Real>::potential_energy(const Cuda& exec, const State<Device>& state,
                                                  const StageTime& time) {
  if (count_ == 0) return 0;
  // Grains stand within the domain since their last forces: nothing of the state is changed.
  const_cast<State<Device>&>(state).visit([&]<class StateReal>(const StateView<StateReal>& s) {
    if constexpr (std::is_same_v<StateReal, Real>) evaluate<true>(exec, s, time);
  });
  return memory_->sum.run(exec, EnergyTerm{memory_->energies.data()}, count_).v[0];
}

template <class Real>
void DeviceContactForce<Real>::replaced(const Cuda& exec, const State<Device>& state) {
  state.visit([&]<class Const>(const StateView<Const>& s) {
    if constexpr (std::is_same_v<Const, const Real>) {
      std::vector<Real> radii(static_cast<std::size_t>(s.count));
      engine::copy_to_host(radii.data(), s.column(Extra::radius), s.count, exec.stream);
      engine::copy_to_host(id_.data(), s.id, s.count, exec.stream);
      engine::wait(exec);
      take_sizes(exec, radii);
    }
  });
}

template <class Real>
bool DeviceContactForce<Real>::settle(const Cuda& exec) {
  Control control = memory_->read(exec);
  const auto rows = static_cast<Index>(control.rows);
  const int obstacle_places = static_cast<int>(control.most_obstacles);
  if (rows > memory_->rows || obstacle_places > memory_->obstacle_places) {
    reserve(exec, rows > memory_->rows ? rows + rows / 4 : memory_->rows, obstacle_places);
    control.wrote = 0;  // springs of an evaluation that found no room count for nothing
    memory_->write(exec, control);
  }
  return std::exchange(grown_, false);
}

template <class Real>
std::vector<ContactMemory<Real>> DeviceContactForce<Real>::memory(const Cuda& exec) const {
  const Memory& m = *memory_;
  const Control control = m.read(exec);
  const unsigned parity = control.wrote != 0 ? control.parity ^ 1u : control.parity;
  std::vector<std::uint32_t> home(id_.size());
  std::vector<std::int32_t> held(id_.size());
  std::vector<SpringHead<Real>> head(static_cast<std::size_t>(m.head[parity].size()));
  std::vector<SpringTail<Real>> tail(static_cast<std::size_t>(m.tail[parity].size()));
  engine::copy_to_host(home.data(), m.home[parity].data(), count_, exec.stream);
  engine::copy_to_host(held.data(), m.held[parity].data(), count_, exec.stream);
  engine::copy_to_host(head.data(), m.head[parity].data(), m.head[parity].size(), exec.stream);
  engine::copy_to_host(tail.data(), m.tail[parity].data(), m.tail[parity].size(), exec.stream);
  engine::wait(exec);
  const auto stiffness = contact_law<Real>(params_, 0, 1).tangential;
  const int obstacles = static_cast<int>(m.laws.size());
  const std::uint32_t obstacle = key_of_obstacle(0, obstacles);
  std::vector<ContactMemory<Real>> all;
  const auto before = [](const ContactMemory<Real>& a, const ContactMemory<Real>& b) {
    return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
  };
  for (std::size_t i = 0; i < id_.size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    for (std::int32_t k = 0; k < held[i]; ++k) {
      const std::size_t at = home[i] + static_cast<std::size_t>(k) * slice;
      const SpringHead<Real>& h = head[at];
      ContactMemory<Real> one{id_[i], h.key, {{h.x, h.y, h.z}, {0, 0, 0}, stiffness}};
      if (obstacles > 0 && h.key >= obstacle) one.partner = first_obstacle + (h.key - obstacle);
      if (!tail.empty()) {
        one.spring.rolling = {tail[at].x, tail[at].y, tail[at].z};
        one.spring.stiffness = tail[at].stiffness;
      }
      all.push_back(one);
    }
    std::sort(all.begin() + first, all.end(), before);  // ids rise
  }
  return all;
}

template <class Real>
void DeviceContactForce<Real>::set_memory(const Cuda& exec,
                                          std::span<const ContactMemory<Real>> memory) {
  Memory& m = *memory_;
  std::vector<ContactMemory<Real>> sorted(memory.begin(), memory.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const ContactMemory<Real>& a, const ContactMemory<Real>& b) {
              return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
            });
  const int obstacles = static_cast<int>(m.laws.size());
  std::vector<std::uint32_t> home(id_.size());
  std::vector<std::int32_t> held(id_.size());
  std::vector<SpringHead<Real>> head;
  std::vector<SpringTail<Real>> tail;
  // Slice after slice of columns, each as wide as the most that one of its grains brings.
  for (std::size_t first = 0; first < id_.size(); first += slice) {
    const std::size_t base = head.size(), end = std::min<std::size_t>(first + slice, id_.size());
    for (std::size_t i = first; i < end; ++i) {
      const auto before = [](const ContactMemory<Real>& c, std::uint32_t id) {
        return c.grain < id;
      };
      auto c = std::lower_bound(sorted.begin(), sorted.end(), id_[i], before);
      home[i] = static_cast<std::uint32_t>(base + i - first);
      for (; c != sorted.end() && c->grain == id_[i]; ++c, ++held[i]) {
        const std::size_t at = home[i] + static_cast<std::size_t>(held[i]) * slice;
        if (at >= head.size()) {
          head.resize(base + (static_cast<std::size_t>(held[i]) + 1) * slice);
          tail.resize(head.size());
        }
        const std::uint32_t key =
            c->partner < first_obstacle
                ? static_cast<std::uint32_t>(c->partner)
                : key_of_obstacle(static_cast<int>(c->partner - first_obstacle), obstacles);
        const ContactSpring<Real>& s = c->spring;
        head[at] = {s.tangential.x, s.tangential.y, s.tangential.z, key};
        tail[at] = {s.rolling.x, s.rolling.y, s.rolling.z, s.stiffness};
      }
    }
  }
  const auto springs = static_cast<Index>(head.size());
  if (springs > m.head[0].size()) {
    reserve(exec, springs / slice, 0);
  }
  engine::copy_to_device(m.home[0].data(), home.data(), count_, exec.stream);
  engine::copy_to_device(m.held[0].data(), held.data(), count_, exec.stream);
  engine::copy_to_device(m.head[0].data(), head.data(), springs, exec.stream);
  if (has_tails(params_))
    engine::copy_to_device(m.tail[0].data(), tail.data(), springs, exec.stream);
  Control control = m.read(exec);
  control.parity = control.wrote = 0;
  m.write(exec, control);
}

template <class Real>
typename DeviceContactForce<Real>::Account DeviceContactForce<Real>::account(
    const Cuda& exec) const {
  const Control control = memory_->read(exec);
  return {control.listings, control.listed};
}

template class DeviceContactForce<float>;
template class DeviceContactForce<double>;

}  // namespace mote::sim
