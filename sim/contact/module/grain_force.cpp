#include "sim/contact/module/grain_force.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/log.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/model/matter.h"
#include "sim/space/ball_fields.h"
#include "sim/space/list_fields.h"
#include "sim/space/wrap_positions.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::number_text;
using engine::Vec3d;

/// Largest initial overlap, in radii of the smaller grain: deeper contacts would be violently
/// expelled.
constexpr double deepest_start = 0.1;
/// Contacts per grain in a dense heap, including those with obstacles.
constexpr Index usual_contacts = 8;

/// The contact module's view of a state. Rates are written, the rest is read-only.
template <class Const>
auto view_of_grains(const StateView<Const>& s, const std::uint8_t* member, ExemptPairs exempt) {
  using Real = std::remove_const_t<Const>;
  const auto writable = [](Const* values) { return const_cast<Real*>(values); };
  const auto field = [&](const FieldInfo& info) { return writable(s[info]); };
  return GrainView<Real>{s.count,
                         s.id,
                         s.mass,
                         s[fields::radius],
                         writable(s.x),
                         writable(s.y),
                         writable(s.z),
                         writable(s.vx),
                         writable(s.vy),
                         writable(s.vz),
                         field(fields::spin[0]),
                         field(fields::spin[1]),
                         field(fields::spin[2]),
                         writable(s.ax),
                         writable(s.ay),
                         writable(s.az),
                         field(fields::spin_rate[0]),
                         field(fields::spin_rate[1]),
                         field(fields::spin_rate[2]),
                         member,
                         exempt,
                         s.species};
}

template <class Real>
double largest_radius(const StateView<const Real>& s, const std::uint8_t* member) {
  double largest = 0;
  const Real* const radius = s[fields::radius];
  for (Index i = 0; i < s.count; ++i)
    if (!member || member[i] != 0) largest = std::max(largest, double(radius[i]));
  return largest;
}

/// Null if all bodies are grains.
const std::uint8_t* flags_of(const std::vector<std::uint8_t>& members) {
  return members.empty() ? nullptr : members.data();
}

/// Serializes values without padding.
class Bytes {
 public:
  template <class T>
  void add(const T& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  std::string text;
};

template <class T>
T read(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

template <class Real>
constexpr std::size_t bytes_of_contact = sizeof(std::uint32_t) + sizeof(std::uint64_t) +
                                         7 * sizeof(Real);

template <class Real>
void check_grains(const StateView<const Real>& s, const std::uint8_t* member, const Domain& domain,
                  const std::string& location) {
  for (Index i = 0; i < s.count; ++i)
    if ((!member || member[i] != 0) && !(s.mass[i] > 0))
      throw engine::InputError(
          location, "body " + std::to_string(s.id[i]) + " has no mass, so forces cannot move it",
          "give it a mass, or set grains.density");
  const double needed = 4 * largest_radius(s, member);
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis] && lengths[axis] < needed)
      throw engine::InputError(location,
                               std::string("along ") + "xyz"[axis] + " the periodic domain is " +
                                   number_text(lengths[axis]) +
                                   " long, less than four of the largest radii, " +
                                   engine::rounded_text(needed),
                               "use smaller grains or a larger domain");
}

template <class Real>
void check_step(const StateView<const Real>& s, const std::uint8_t* member,
                const ContactMaterials& materials, double dt, const std::string& location) {
  double speed = 0;
  const Real* const radius = s[fields::radius];
  const auto is_grain = [&](Index i) { return !member || member[i] != 0; };
  for (Index i = 0; i < s.count; ++i)
    if (is_grain(i))
      speed = std::max(speed, std::hypot(double(s.vx[i]), double(s.vy[i]), double(s.vz[i])));
  double longest = std::numeric_limits<double>::infinity(), good = longest;
  for (Index i = 0; i < s.count; ++i) {
    if (!is_grain(i)) continue;
    const ContactTimes t = contact_times(materials.of(s.species ? s.species[i] : 0),
                                         double(s.mass[i]), double(radius[i]), 2 * speed);
    longest = std::min(longest, t.longest_step), good = std::min(good, t.good_step);
  }
  if (dt > longest)
    throw engine::InputError(
        location,
        "a step of " + number_text(dt) +
            " does not resolve contacts of these grains: the longest is " +
            engine::rounded_down_text(longest),
        "set integrator.dt = " + engine::rounded_down_text(good) + ", or use softer grains");
  if (dt > good)
    engine::log().warn("a step of {} is long for contacts of these grains; {} resolves them well",
                       engine::rounded_text(dt), engine::rounded_down_text(good));
}

}  // namespace

std::vector<std::uint8_t> contact_members(const Model& model, const State<Host>& state) {
  std::vector<std::uint8_t> all;
  for (const Physics& p : model.physics) {
    if (!p.info().touches) continue;
    const std::vector<std::uint8_t> members = members_of(model, state, p);
    if (members.empty()) return {};
    if (all.empty()) all.resize(members.size());
    std::transform(all.begin(), all.end(), members.begin(), all.begin(), std::bit_or<>());
  }
  return std::find(all.begin(), all.end(), 0) == all.end() ? std::vector<std::uint8_t>{} : all;
}

ExemptLists exempt_bodies(const Model& model, const State<Host>& state) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Physics& p : model.physics)
    for (const auto& pair : p.joined_pairs()) pairs.push_back(pair);
  return {pairs, state.id(), static_cast<std::size_t>(state.count())};
}

Obstacles obstacles_of(const Grains& grains, const Model& model, const State<Host>& initial,
                       int threads) {
  const std::vector<std::uint8_t> members = contact_members(model, initial);
  const double margin = initial.visit([&]<class Const>(const StateView<Const>& s) {
    return largest_radius<std::remove_const_t<Const>>(s, flags_of(members));
  });
  return Obstacles(model.obstacles, axles_of(model), {grains.friction, grains.restitution}, margin,
                   threads);
}

template <class Real>
std::string bytes_of_contacts(const std::vector<StoredContact<Real>>& contacts) {
  Bytes bytes;
  bytes.text.reserve(contacts.size() * bytes_of_contact<Real>);
  for (const StoredContact<Real>& m : contacts) {
    bytes.add(m.grain), bytes.add(m.partner);
    for (const Vec3<Real>& v : {m.spring.tangential, m.spring.rolling})
      bytes.add(v.x), bytes.add(v.y), bytes.add(v.z);
    bytes.add(m.spring.stiffness);
  }
  return std::move(bytes.text);
}
template std::string bytes_of_contacts(const std::vector<StoredContact<float>>&);
template std::string bytes_of_contacts(const std::vector<StoredContact<double>>&);

template <class Real>
std::vector<StoredContact<Real>> contacts_of_bytes(std::string_view bytes) {
  std::vector<StoredContact<Real>> all;
  while (bytes.size() >= bytes_of_contact<Real>) {
    StoredContact<Real> m{};
    m.grain = read<std::uint32_t>(bytes), m.partner = read<std::uint64_t>(bytes);
    for (Vec3<Real>* v : {&m.spring.tangential, &m.spring.rolling})
      v->x = read<Real>(bytes), v->y = read<Real>(bytes), v->z = read<Real>(bytes);
    m.spring.stiffness = read<Real>(bytes);
    all.push_back(m);
  }
  return all;
}
template std::vector<StoredContact<float>> contacts_of_bytes(std::string_view);
template std::vector<StoredContact<double>> contacts_of_bytes(std::string_view);

GrainForces::GrainForces(const Cpu& exec, const Grains& grains, const Model& model,
                         const State<Host>& initial)
    : domain_(domain_of(model)),
      member_(contact_members(model, initial)),
      exempt_(exempt_bodies(model, initial)),
      force_(ContactForce<float>(grains.materials())) {
  obstacles_ =
      std::make_shared<const Obstacles>(obstacles_of(grains, model, initial, exec.threads));
  if (initial.precision() == engine::Precision::single) return;
  force_ = ContactForce<double>(grains.materials());
  scratch_ = std::vector<double>();
}

void GrainForces::run(const Cpu& exec, State<Host>& state, const StageTime& time,
                      StepReport& report) {
  const double h = time.elapsed_fraction > 0 ? time.clock->dt : 0;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    wrap_positions(exec, s, flags_of(member_), domain_);
    report.interactions += force<Real>()
                               .run(exec, view_of_grains(s, flags_of(member_), exempt_.view()),
                                    domain_, {*obstacles_, solids_of(state)}, time_of(time), h)
                               .tested;
  });
}

template <class Real>
ContactReport GrainForces::evaluate(const Cpu& exec, const StateView<const Real>& s,
                                    const SolidState* solids, double time) {
  GrainView<Real> view = view_of_grains(s, flags_of(member_), exempt_.view());
  std::vector<Real>& discarded = std::get<std::vector<Real>>(scratch_);
  discarded.assign(static_cast<std::size_t>(s.count), 0);
  for (Real** rate : {&view.ax, &view.ay, &view.az, &view.bx, &view.by, &view.bz})
    *rate = discarded.data();
  std::vector<SolidState> discarded_loads(solids, solids + obstacles_->solids());
  return force<Real>().run(exec, view, domain_, {*obstacles_, discarded_loads.data()}, time, 0);
}

double GrainForces::potential_energy(const Cpu& exec, const State<Host>& state,
                                     const StageTime& time) {
  return state.visit([&]<class Const>(const StateView<Const>& s) {
    return evaluate<std::remove_const_t<Const>>(exec, s, solids_of(state), time_of(time)).energy;
  });
}

std::string GrainForces::serialize() const {
  return std::visit([](const auto& force) { return bytes_of_contacts(force.stored_contacts()); },
                    force_);
}

void GrainForces::deserialize(std::string_view bytes) {
  std::visit(
      [&]<class Real>(ContactForce<Real>& force) {
        force.set_stored_contacts(contacts_of_bytes<Real>(bytes));
      },
      force_);
}

template <class Real>
std::vector<Contact<Real>> GrainForces::contacts_of(const Cpu& exec, const StateView<const Real>& s,
                                                    const SolidState* solids, double time) {
  force<Real>().record(true);
  evaluate<Real>(exec, s, solids, time);
  std::vector<Contact<Real>> contacts = force<Real>().contacts();
  force<Real>().record(false);
  return contacts;
}

ContactNetwork GrainForces::contacts(const Cpu& exec, const State<Host>& state, double time) {
  ContactNetwork network;
  state.visit([&]<class Const>(const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    ContactNumbers<Real> n;
    const auto add = [](std::vector<Real>(&to)[3], const Vec3<Real>& v) {
      to[0].push_back(v.x), to[1].push_back(v.y), to[2].push_back(v.z);
    };
    for (const Contact<Real>& c : contacts_of<Real>(exec, s, solids_of(state), time)) {
      const bool obstacle = c.partner >= first_obstacle;
      const int number = static_cast<int>(obstacle ? c.partner - first_obstacle : 0);
      network.grain.push_back(c.grain);
      network.partner.push_back(obstacle ? c.grain : static_cast<std::uint32_t>(c.partner));
      network.obstacle.push_back(
          obstacle ? static_cast<std::uint32_t>(obstacles_->described(number)) + 1 : 0);
      add(n.center, c.center), add(n.point, c.point), add(n.normal, c.normal);
      add(n.branch, c.distance * c.normal), add(n.tangential_force, c.tangential);
      n.overlap.push_back(c.overlap), n.normal_force.push_back(c.normal_force);
    }
    network.numbers = std::move(n);
  });
  return network;
}

template <class Real>
void GrainForces::check_overlaps(const Cpu& exec, const StateView<const Real>& s,
                                 const SolidState* solids, const std::string& location) {
  const std::vector<Contact<Real>> contacts = contacts_of<Real>(exec, s, solids, 0);
  const Real* const radii = s[fields::radius];
  const auto radius = [&](std::uint64_t id) {
    return double(radii[std::lower_bound(s.id, s.id + s.count, id) - s.id]);
  };
  for (const Contact<Real>& c : contacts) {
    const bool obstacle = c.partner >= first_obstacle;
    const double smaller =
        obstacle ? radius(c.grain) : std::min(radius(c.grain), radius(c.partner));
    if (!(double(c.overlap) > deepest_start * smaller)) continue;
    const std::string bodies =
        obstacle ? "body " + std::to_string(c.grain) + " starts inside obstacle " +
                       std::to_string(
                           obstacles_->described(static_cast<int>(c.partner - first_obstacle)) + 1)
                 : "bodies " + std::to_string(c.grain) + " and " + std::to_string(c.partner) +
                       " start inside each other";
    throw engine::InputError(
        location,
        bodies + ", " + engine::rounded_text(double(c.overlap)) + " deep; at most a tenth of the " +
            "radius, " + engine::rounded_text(deepest_start * smaller) + ", is allowed",
        obstacle
            ? "place it outside of the obstacle (of a plane, on the side that its normal points "
              "to), or use smaller grains"
            : "place them further apart, on a lattice for instance, or use smaller grains");
  }
}

void GrainForces::check_start(const Cpu& exec, const State<Host>& state, double dt,
                              const std::string& location) {
  state.visit([&]<class Const>(const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    check_grains<Real>(s, flags_of(member_), domain_, location);
    check_step<Real>(s, flags_of(member_), force<Real>().materials(), dt, location);
    check_overlaps<Real>(exec, s, solids_of(state), location);
  });
}

std::uint64_t contact_bytes(Index count, engine::Precision precision) {
  const std::size_t one =
      precision == engine::Precision::single ? bytes_of_contact<float> : bytes_of_contact<double>;
  return static_cast<std::uint64_t>(count * usual_contacts) * one;
}

}  // namespace mote::sim
