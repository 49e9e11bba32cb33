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
#include "sim/contact/contact_forces.cuh"
#include "sim/space/ball_fields.h"
#include "sim/space/list_fields.h"

namespace mote::sim {
namespace {

using contact_kernels::compute_grain_forces;
using contact_kernels::contact_threads;
using contact_kernels::ContactControl;
using contact_kernels::ContactOutput;
using contact_kernels::GrainMaterial;
using contact_kernels::GrainMotion;
using contact_kernels::GrainPosition;
using contact_kernels::GrainSpin;
using contact_kernels::key_of_obstacle;
using contact_kernels::ObstacleLoad;
using contact_kernels::PrefetchBuffer;
using contact_kernels::slice;
using contact_kernels::SpringHead;
using contact_kernels::Springs;
using contact_kernels::SpringTail;
using contact_kernels::sum_loads_on_solids;
using contact_kernels::Work;
using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using engine::on_device;
using engine::Values;

/// Initial rows of lists, rows in a dense heap, and initial spring slots for obstacles.
constexpr Index first_rows = 4, usual_rows = 16;
constexpr int first_obstacle_slots = 3;

struct ContactEnergyTerm {
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
struct DeviceContactForce<Real>::Buffers {
  Buffers(const Cuda& exec, const Obstacles& described, Index count)
      : obstacles(exec, described),
        control(1),
        level(count),
        counts(2 * count + 64 * most_contact_levels),
        chunks(counts.size() / neighbour_build::scan_chunk + 1),
        start(counts.size() + 1),
        next(counts.size()),
        cell(count),
        slot(count),
        scattered(count),
        index(count),
        neighbours(count),
        width(slices_of(count)),
        row(slices_of(count) + 1),
        position(count),
        motion(count),
        spin(count),
        energies(count),
        sum(count),
        solids(described.solids()),
        load_count(solids > 0 ? count : 0) {
    for (auto& axis : list_origin) axis = engine::Buffer<Real, Device>(count);
    for (int k = 0; k < 2; ++k) {
      first_spring[k] = engine::Buffer<std::uint32_t, Device>(count);
      spring_count[k] = engine::Buffer<std::int32_t, Device>(count);
    }
  }
  DeviceObstacles<Real> obstacles;
  engine::Buffer<ContactControl, Device> control;
  engine::Buffer<std::uint8_t, Device> level;
  engine::Buffer<std::int32_t, Device> exempt_first;
  engine::Buffer<std::uint32_t, Device> exempt_partner;
  engine::Buffer<std::int32_t, Device> counts, chunks, start, next, cell, slot, scattered, index,
      neighbours, width, row, neighbour;
  engine::Buffer<Real, Device> list_origin[3];
  engine::Buffer<GrainPosition<Real>, Device> position;
  engine::Buffer<GrainMotion<Real>, Device> motion;
  engine::Buffer<GrainSpin<Real>, Device> spin;
  engine::Buffer<ContactLaw<Real>, Device> laws, obstacle_laws;
  engine::Buffer<SpringHead<Real>, Device> head[2];
  engine::Buffer<SpringTail<Real>, Device> tail[2];
  engine::Buffer<std::uint32_t, Device> first_spring[2];
  engine::Buffer<std::int32_t, Device> spring_count[2];
  engine::Buffer<double, Device> energies;
  engine::Reduction<1> sum;
  int solids;
  engine::Buffer<std::int32_t, Device> load_count;
  engine::Buffer<ObstacleLoad<Real>, Device> loads;
  Index rows = 0;
  int obstacle_slots = 0;

  ContactControl read(const Cuda& exec) const {
    ContactControl block;
    engine::copy_to_host(&block, control.data(), 1, exec.stream);
    engine::wait(exec);
    return block;
  }
  void write(const Cuda& exec, const ContactControl& block) {
    engine::copy_to_device(control.data(), &block, 1, exec.stream);
    engine::wait(exec);
  }
};

namespace {

/// Whether springs need a SpringTail.
bool has_tails(const ContactMaterials& materials) {
  const ContactParams& all = materials.standard();
  return !materials.uniform() || all.model == "hertz" || all.rolling_friction > 0;
}

/// Grows a buffer and keeps its contents.
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
DeviceContactForce<Real>::DeviceContactForce(const Cuda& exec, const ContactMaterials& materials,
                                             const Obstacles& obstacles, const Domain& domain,
                                             const State<Host>& initial,
                                             std::vector<std::uint8_t> members,
                                             const ExemptLists& exempt)
    : materials_(materials),
      domain_(domain),
      count_(initial.count()),
      id_(initial.id(), initial.id() + initial.count()),
      member_(std::move(members)),
      buffers_(std::make_unique<Buffers>(exec, obstacles, count_)) {
  buffers_->exempt_first = on_device(exec, exempt.first);
  buffers_->exempt_partner = on_device(exec, exempt.partner);
  const int multiprocessors = engine::cooperative_multiprocessors(exec);
  const int resident =
      engine::resident_blocks(contact_kernels::prepare<Real>, contact_kernels::threads,
                              contact_kernels::threads / 32 * sizeof(int));
  blocks_ = static_cast<unsigned>(std::max(1, resident * multiprocessors));
  const std::vector<ContactLaw<Real>> laws = laws_of_pairs<Real>(materials);
  law_ = laws[0];
  buffers_->laws = on_device(exec, laws);
  buffers_->obstacle_laws = on_device(exec, laws_at_obstacles<Real>(materials, obstacles));
  ContactControl control{};
  control.bounds = neighbour_build::empty_bounds();
  buffers_->write(exec, control);
  initial.visit([&]<class Const>(const StateView<Const>& s) {
    if constexpr (std::is_same_v<Const, const Real>)
      set_radii(exec, {s[fields::radius], static_cast<std::size_t>(s.count)});
  });
  reserve(exec, first_rows * slices_of(count_), std::min(first_obstacle_slots, obstacles.count()));
  set_stored_contacts(exec, {});
}

template <class Real>
DeviceContactForce<Real>::DeviceContactForce(DeviceContactForce&&) noexcept = default;
template <class Real>
DeviceContactForce<Real>::~DeviceContactForce() = default;

template <class Real>
std::uint64_t DeviceContactForce<Real>::device_bytes(Index count, Index exempt, bool solids) {
  const std::uint64_t rows = usual_rows + first_obstacle_slots;
  const std::uint64_t grain = 11 * sizeof(std::int32_t) + 1 + 15 * sizeof(Real) + sizeof(double) +
                              2 * (sizeof(std::uint32_t) + sizeof(std::int32_t)) +
                              4 * 2 * sizeof(std::int32_t);
  const std::uint64_t contact =
      sizeof(std::int32_t) + 2 * (sizeof(SpringHead<Real>) + sizeof(SpringTail<Real>));
  const std::uint64_t lists =
      exempt > 0 ? (1 + static_cast<std::uint64_t>(exempt)) * sizeof(std::int32_t) : 0;
  const std::uint64_t loads = solids ? first_obstacle_slots * sizeof(ObstacleLoad<Real>) + 4 : 0;
  // A quarter more, as in grow_buffers().
  return static_cast<std::uint64_t>(slices_of(count)) * slice *
         (grain + lists + loads + rows * contact * 5 / 4);
}

/// Sets size levels and skin from the radii.
template <class Real>
void DeviceContactForce<Real>::set_radii(const Cuda& exec, std::span<const Real> radii) {
  double largest = 0, sum = 0, all = 0;
  const auto is_grain = [&](std::size_t i) { return member_.empty() || member_[i] != 0; };
  for (std::size_t i = 0; i < radii.size(); ++i)
    if (is_grain(i)) largest = std::max(largest, double(radii[i])), sum += double(radii[i]), ++all;
  ContactControl control = buffers_->read(exec);
  std::vector<std::uint8_t> level(radii.size(), contact_kernels::no_level);
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
    // An empty level has one cell.
    if (grains[k] == 0) control.most_cells[k] = 1, control.largest[k] = largest;
  }
  control.stale = 1;
  skin_ = all > 0 ? 0.3 * sum / all : 0;
  // Below half the domain, beyond which two images of a grain would be in range.
  const double lengths[3] = {domain_.length.x, domain_.length.y, domain_.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain_.periodic[axis]) skin_ = std::clamp(0.49 * lengths[axis] - 2 * largest, 0.0, skin_);
  engine::copy_to_device(buffers_->level.data(), level.data(), count_, exec.stream);
  buffers_->write(exec, control);
}

template <class Real>
void DeviceContactForce<Real>::reserve(const Cuda& exec, Index rows, int obstacle_slots) {
  Buffers& m = *buffers_;
  if (rows > m.rows) {
    m.rows = rows;
    m.neighbour = {};
    m.neighbour = engine::Buffer<std::int32_t, Device>(rows * slice);
  }
  m.obstacle_slots = std::max(m.obstacle_slots, obstacle_slots);
  if (m.solids > 0) {
    m.loads = {};
    m.loads = engine::Buffer<ObstacleLoad<Real>, Device>(m.obstacle_slots * count_);
  }
  const Index springs = (m.rows + slices_of(count_) * m.obstacle_slots) * slice;
  if (springs > std::numeric_limits<std::uint32_t>::max())  // kernels index them with 32 bits
    throw engine::InputError("grains", "more than 4,294,967,295 contact slots are needed",
                             "use fewer grains");
  for (int k = 0; k < 2; ++k) {
    grow(exec, m.head[k], springs);
    if (has_tails(materials_)) grow(exec, m.tail[k], springs);
  }
  grown_ = true;
}

template <class Real>
template <bool energy_only>
void DeviceContactForce<Real>::evaluate(const Cuda& exec, const StateView<Real>& s,
                                        SolidState* solids, const StageTime& time) {
  if (s.count == 0) return;
  Buffers& m = *buffers_;
  Work<Real> w{};
  w.s = s;
  w.grains = {s[fields::radius], s[fields::spin], s[fields::spin_rate], s[fields::image]};
  w.domain = domain_;
  const double lengths[3] = {domain_.length.x, domain_.length.y, domain_.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    w.open = w.open || !(domain_.periodic[axis] || domain_.walled[axis]);
    w.list_origin[axis] = m.list_origin[axis].data();
    if (!domain_.periodic[axis]) continue;
    w.length[axis] = static_cast<Real>(lengths[axis]);
    w.inverse[axis] = static_cast<Real>(1 / lengths[axis]);
  }
  w.squared_half_skin = static_cast<Real>(0.25 * skin_ * skin_);
  w.skin = skin_;
  w.most_cells = m.counts.size();
  w.clock = time.clock, w.record = time.record, w.elapsed_fraction = time.elapsed_fraction;
  w.control = m.control.data();
  w.level = m.level.data();
  w.counts = m.counts.data(), w.chunks = m.chunks.data(), w.start = m.start.data(),
  w.next = m.next.data();
  w.cell = m.cell.data(), w.slot = m.slot.data(), w.scattered = m.scattered.data();
  w.index = m.index.data();
  w.position = m.position.data(), w.motion = m.motion.data(), w.spin = m.spin.data();
  w.neighbours = m.neighbours.data(), w.width = m.width.data(), w.row = m.row.data();
  w.neighbour = m.neighbour.data();
  w.rows = m.rows;
  w.obstacle_slots = m.obstacle_slots;
  for (int k = 0; k < 2; ++k)
    w.springs[k] = {m.head[k].data(), m.tail[k].data(), m.first_spring[k].data(),
                    m.spring_count[k].data()};
  w.obstacles = m.obstacles.view(solids);
  if (solids && !energy_only) w.loads = m.loads.data(), w.load_count = m.load_count.data();
  w.laws = m.laws.data(), w.obstacle_laws = m.obstacle_laws.data(), w.kinds = materials_.kinds();
  if (m.exempt_first.size() > 0) w.exempt = {m.exempt_first.data(), m.exempt_partner.data()};
  const auto blocks = static_cast<unsigned>(std::min<Index>(
      (s.count + contact_kernels::threads - 1) / contact_kernels::threads, blocks_));
  const unsigned started =
      engine::launch_cooperative(exec,
                                 {.blocks = blocks,
                                  .threads = contact_kernels::threads,
                                  .shared = contact_kernels::threads / 32 * sizeof(int)},
                                 contact_kernels::prepare<Real>, w);
  if (started < blocks) blocks_ = started;
  const auto start = [&]<GrainMaterial material, ContactOutput output>() {
    constexpr bool with_tail = material != GrainMaterial::linear;
    engine::launch(exec,
                   {.blocks = engine::blocks_for(s.count, contact_threads),
                    .threads = contact_threads,
                    .shared = sizeof(PrefetchBuffer<Real, with_tail>)},
                   compute_grain_forces<Real, material, output>, w, law_, m.energies.data());
  };
  const auto start_with = [&]<ContactOutput output>() {
    if (!materials_.uniform())
      start.template operator()<GrainMaterial::by_species, output>();
    else if (has_tails(materials_))
      start.template operator()<GrainMaterial::general, output>();
    else
      start.template operator()<GrainMaterial::linear, output>();
  };
  if constexpr (energy_only)
    start_with.template operator()<ContactOutput::energies>();
  else
    w.loads ? start_with.template operator()<ContactOutput::forces_and_loads>()
            : start_with.template operator()<ContactOutput::forces>();
  if (w.loads)
    engine::launch(exec,
                   {.blocks = static_cast<unsigned>(m.solids),
                    .threads = contact_threads,
                    .shared = contact_threads * sizeof(SolidLoad)},
                   sum_loads_on_solids<Real>, w, solids);
}

template <class Real>
void DeviceContactForce<Real>::run(const Cuda& exec, State<Device>& state, const StageTime& time) {
  MOTE_EXPECT(state.count() == count_);
  state.visit([&]<class StateReal>(const StateView<StateReal>& s) {
    if constexpr (std::is_same_v<StateReal, Real>) evaluate<false>(exec, s, solids_of(state), time);
  });
}

template <class Real>
double DeviceContactForce<Real>::potential_energy(const Cuda& exec, const State<Device>& state,
                                                  const StageTime& time) {
  if (count_ == 0) return 0;
  // Positions were wrapped at the last forces: the state does not change.
  auto& writable = const_cast<State<Device>&>(state);
  writable.visit([&]<class StateReal>(const StateView<StateReal>& s) {
    if constexpr (std::is_same_v<StateReal, Real>)
      evaluate<true>(exec, s, solids_of(writable), time);
  });
  return buffers_->sum.run(exec, ContactEnergyTerm{buffers_->energies.data()}, count_).v[0];
}

template <class Real>
void DeviceContactForce<Real>::on_state_replaced(const Cuda& exec, const State<Device>& state) {
  state.visit([&]<class Const>(const StateView<Const>& s) {
    if constexpr (std::is_same_v<Const, const Real>) {
      std::vector<Real> radii(static_cast<std::size_t>(s.count));
      engine::copy_to_host(radii.data(), s[fields::radius], s.count, exec.stream);
      engine::copy_to_host(id_.data(), s.id, s.count, exec.stream);
      engine::wait(exec);
      set_radii(exec, radii);
    }
  });
}

template <class Real>
bool DeviceContactForce<Real>::grow_buffers(const Cuda& exec) {
  ContactControl control = buffers_->read(exec);
  const auto rows = static_cast<Index>(control.rows);
  const int obstacle_slots = static_cast<int>(control.most_obstacles);
  if (rows > buffers_->rows || obstacle_slots > buffers_->obstacle_slots) {
    reserve(exec, rows > buffers_->rows ? rows + rows / 4 : buffers_->rows, obstacle_slots);
    control.wrote = 0;  // discards springs of an evaluation that overflowed
    buffers_->write(exec, control);
  }
  return std::exchange(grown_, false);
}

template <class Real>
std::vector<StoredContact<Real>> DeviceContactForce<Real>::stored_contacts(const Cuda& exec) const {
  const Buffers& m = *buffers_;
  const ContactControl control = m.read(exec);
  const unsigned parity = control.wrote != 0 ? control.parity ^ 1u : control.parity;
  std::vector<std::uint32_t> first_spring(id_.size());
  std::vector<std::int32_t> spring_count(id_.size());
  std::vector<SpringHead<Real>> head(static_cast<std::size_t>(m.head[parity].size()));
  std::vector<SpringTail<Real>> tail(static_cast<std::size_t>(m.tail[parity].size()));
  engine::copy_to_host(first_spring.data(), m.first_spring[parity].data(), count_, exec.stream);
  engine::copy_to_host(spring_count.data(), m.spring_count[parity].data(), count_, exec.stream);
  engine::copy_to_host(head.data(), m.head[parity].data(), m.head[parity].size(), exec.stream);
  engine::copy_to_host(tail.data(), m.tail[parity].data(), m.tail[parity].size(), exec.stream);
  engine::wait(exec);
  // Without tails all contacts have one stiffness.
  const auto stiffness = static_cast<Real>(contact_stiffness(materials_.standard()).tangential);
  const int obstacles = static_cast<int>(m.obstacle_laws.size()) / materials_.kinds();
  const std::uint32_t obstacle = key_of_obstacle(0, obstacles);
  std::vector<StoredContact<Real>> all;
  const auto less = [](const StoredContact<Real>& a, const StoredContact<Real>& b) {
    return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
  };
  for (std::size_t i = 0; i < id_.size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    for (std::int32_t k = 0; k < spring_count[i]; ++k) {
      const std::size_t at = first_spring[i] + static_cast<std::size_t>(k) * slice;
      const SpringHead<Real>& h = head[at];
      StoredContact<Real> one{id_[i], h.key, {{h.x, h.y, h.z}, {0, 0, 0}, stiffness}};
      if (obstacles > 0 && h.key >= obstacle) one.partner = first_obstacle + (h.key - obstacle);
      if (!tail.empty()) {
        one.spring.rolling = {tail[at].x, tail[at].y, tail[at].z};
        one.spring.stiffness = tail[at].stiffness;
      }
      all.push_back(one);
    }
    std::sort(all.begin() + first, all.end(), less);  // ids are in increasing order
  }
  return all;
}

template <class Real>
void DeviceContactForce<Real>::set_stored_contacts(const Cuda& exec,
                                                   std::span<const StoredContact<Real>> stored) {
  Buffers& m = *buffers_;
  std::vector<StoredContact<Real>> sorted(stored.begin(), stored.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const StoredContact<Real>& a, const StoredContact<Real>& b) {
              return std::pair(a.grain, a.partner) < std::pair(b.grain, b.partner);
            });
  const int obstacles = static_cast<int>(m.obstacle_laws.size()) / materials_.kinds();
  std::vector<std::uint32_t> first_spring(id_.size());
  std::vector<std::int32_t> spring_count(id_.size());
  std::vector<SpringHead<Real>> head;
  std::vector<SpringTail<Real>> tail;
  // Slice by slice, each as wide as the largest number of springs of one of its grains.
  for (std::size_t first = 0; first < id_.size(); first += slice) {
    const std::size_t base = head.size(), end = std::min<std::size_t>(first + slice, id_.size());
    for (std::size_t i = first; i < end; ++i) {
      const auto less = [](const StoredContact<Real>& c, std::uint32_t id) { return c.grain < id; };
      auto c = std::lower_bound(sorted.begin(), sorted.end(), id_[i], less);
      first_spring[i] = static_cast<std::uint32_t>(base + i - first);
      for (; c != sorted.end() && c->grain == id_[i]; ++c, ++spring_count[i]) {
        const std::size_t at = first_spring[i] + static_cast<std::size_t>(spring_count[i]) * slice;
        if (at >= head.size()) {
          head.resize(base + (static_cast<std::size_t>(spring_count[i]) + 1) * slice);
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
  engine::copy_to_device(m.first_spring[0].data(), first_spring.data(), count_, exec.stream);
  engine::copy_to_device(m.spring_count[0].data(), spring_count.data(), count_, exec.stream);
  engine::copy_to_device(m.head[0].data(), head.data(), springs, exec.stream);
  if (has_tails(materials_))
    engine::copy_to_device(m.tail[0].data(), tail.data(), springs, exec.stream);
  ContactControl control = m.read(exec);
  control.parity = control.wrote = 0;
  m.write(exec, control);
}

template <class Real>
typename DeviceContactForce<Real>::ListStatistics DeviceContactForce<Real>::list_statistics(
    const Cuda& exec) const {
  const ContactControl control = buffers_->read(exec);
  return {control.builds, control.pairs};
}

template class DeviceContactForce<float>;
template class DeviceContactForce<double>;

}  // namespace mote::sim
