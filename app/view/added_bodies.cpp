#include "app/view/added_bodies.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/check.h"
#include "engine/math/random.h"
#include "sim/initial/plummer.h"
#include "sim/scene/description.h"
#include "sim/space/ball_fields.h"

namespace mote::app {
namespace {

using engine::Index;
using engine::Vec3d;

/// Distance between the grains of a stream, in their diameters.
constexpr double spread = 1.15;

/// The body that added ones are like.
struct Likeness {
  double mass = 0, radius = 0;
  std::uint8_t species = 0;
};

/// The chosen body, or the last one with mass: a planet that was added before has none.
Index index_of(sim::Simulation& simulation, const std::optional<std::uint32_t>& chosen) {
  if (const auto index = chosen ? simulation.index_of(*chosen) : std::nullopt) return *index;
  return simulation.state().visit([](const auto& s) {
    Index last = s.count - 1;
    while (last > 0 && !(s.mass[last] > 0)) --last;
    return s.mass[last] > 0 ? last : s.count - 1;
  });
}

Likeness likeness_of(const sim::State<engine::Host>& state, Index index) {
  Likeness model;
  if (state.with_species()) model.species = state.species()[index];
  state.visit([&](const auto& s) {
    model.mass = static_cast<double>(s.mass[index]);
    if (const auto* const radius = s[sim::fields::radius])
      model.radius = static_cast<double>(radius[index]);
  });
  return model;
}

void add(sim::Bodies& bodies, const Likeness& like, Vec3d position, Vec3d velocity) {
  bodies.mass.push_back(like.mass);
  bodies.position.push_back(position);
  bodies.velocity.push_back(velocity);
  bodies.species.push_back(like.species);
  bodies.radius.push_back(like.radius);
}

bool attracts(const sim::Model& model) {
  return std::any_of(model.physics.begin(), model.physics.end(),
                     [](const sim::Physics& p) { return p.info().has_potentials; });
}

/// Where there is room for spheres like this one, between others and obstacles; everywhere for
/// bodies without a radius.
class Room {
 public:
  Room(sim::Simulation& simulation, const sim::Obstacles& obstacles, const Likeness& like)
      : state_(simulation.state()), radius_(like.radius) {
    obstacles.at(simulation.time(), simulation.solids().data(), solids_);
  }

  /// `added`: by this change, of the same radius.
  bool is_free(Vec3d at, const std::vector<Vec3d>& added) const {
    if (!(radius_ > 0)) return true;
    for (const sim::Obstacle<double>& solid : solids_)
      if (sim::surface_at(solid, at).distance < radius_) return false;
    for (const Vec3d& other : added)
      if (touch(other, radius_, at)) return false;
    return state_.visit([&](const auto& s) {
      const auto* const radius = s[sim::fields::radius];
      for (Index i = 0; i < s.count; ++i)
        if (touch({double(s.x[i]), double(s.y[i]), double(s.z[i])}, double(radius[i]), at))
          return false;
      return true;
    });
  }

 private:
  bool touch(Vec3d other, double radius, Vec3d at) const {
    const Vec3d d = other - at;
    return dot(d, d) < (radius_ + radius) * (radius_ + radius);
  }

  const sim::State<engine::Host>& state_;
  double radius_;
  std::vector<sim::Obstacle<double>> solids_;
};

/// The body about which a planet orbits.
Index star_of(sim::Simulation& simulation, const std::optional<std::uint32_t>& chosen) {
  if (const auto index = chosen ? simulation.index_of(*chosen) : std::nullopt) return *index;
  return simulation.state().visit([](const auto& s) {
    return static_cast<Index>(std::max_element(s.mass, s.mass + s.count) - s.mass);
  });
}

void add_planet(sim::Bodies& bodies, sim::Simulation& simulation, const AdditionRequest& request) {
  const sim::BodyState star = simulation.body(star_of(simulation, request.like));
  const sim::MakeContext context = sim::make_context(simulation.model(), 1);
  if (!(context.gravitational * star.mass > 0))
    throw engine::InputError("", "this body has no mass, which a planet needs to orbit",
                             "pick another one, or none");
  const Vec3d d = request.position - star.position;
  const double softened = dot(d, d) + context.softening * context.softening, r = length(d);
  const Vec3d ahead = cross(request.towards, d);
  if (!(length(ahead) > 0))
    throw engine::InputError("", "a planet needs a distance from its star",
                             "put it beside the star");
  // G M r / (r^2 + e^2)^(3/2) = v^2 / r.
  const double speed = r * std::sqrt(context.gravitational * star.mass / std::pow(softened, 1.5));
  Likeness like = likeness_of(simulation.state(), index_of(simulation, std::nullopt));
  like.mass = 0;
  add(bodies, like, request.position,
      star.velocity + request.velocity + (speed / length(ahead)) * ahead);
}

void add_cluster(sim::Bodies& bodies, const sim::Simulation& simulation, const Room& room,
                 const Likeness& like, const AdditionRequest& request) {
  if (!(request.radius > 0))
    throw engine::InputError("", "a cluster needs a radius", "give it one");
  sim::MakeContext context = sim::make_context(simulation.model(), 1);
  context.stream = simulation.next_id();
  sim::Plummer plummer;
  plummer.n = request.count;
  plummer.mass = like.mass * static_cast<double>(request.count);
  plummer.scale = request.radius;
  const sim::Bodies made = sim::make(plummer, context);
  for (std::size_t i = 0; i < made.mass.size(); ++i) {
    const Vec3d at = request.position + made.position[i];
    if (room.is_free(at, bodies.position))
      add(bodies, like, at, request.velocity + made.velocity[i]);
  }
}

/// A layer of a stream of grains, hexagonal, across the view, slightly displaced at random.
void add_grains(sim::Bodies& bodies, const sim::Simulation& simulation, const Room& room,
                const Likeness& like, const AdditionRequest& request) {
  if (!(like.radius > 0))
    throw engine::InputError("", "only grains can be poured", "pick a grain first");
  const double apart = 2 * spread * like.radius;
  const Vec3d z = request.towards, any = std::fabs(z.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  Vec3d x = cross(z, any);
  x = (1 / length(x)) * x;
  const Vec3d y = cross(z, x);
  const double width = request.radius > 0 ? request.radius : 2 * apart;
  const int rings = static_cast<int>(std::clamp(width / apart, 0.0, 8.0));
  for (int i = -rings; i <= rings; ++i)
    for (int j = -rings; j <= rings; ++j) {
      if (std::abs(i + j) > rings) continue;
      const auto stream = simulation.next_id() + static_cast<std::uint64_t>(bodies.mass.size());
      engine::Random random(1, 0, stream);
      const double most = 0.35 * (apart - 2 * like.radius);
      const double u = apart * (i + 0.5 * j) + random.uniform(-most, most),
                   v = apart * 0.5 * std::numbers::sqrt3 * j + random.uniform(-most, most);
      const Vec3d at = request.position + u * x + v * y;
      if (room.is_free(at, bodies.position)) add(bodies, like, at, request.velocity);
    }
}

}  // namespace

std::vector<Addition> additions_of(const sim::SceneDescription& scene) {
  std::vector<Addition> all{Addition::body};
  if (attracts(scene)) {
    all.push_back(Addition::planet);
    all.push_back(Addition::cluster);
  }
  if (sim::has_radii(scene)) all.push_back(Addition::stream);
  return all;
}

sim::BodyChange added_bodies(sim::Simulation& simulation, const sim::Obstacles& obstacles,
                             const AdditionRequest& request) {
  const bool orbits = request.what == Addition::planet || request.what == Addition::cluster;
  if (orbits && !attracts(simulation.model()))
    throw engine::InputError("", "bodies of this scene do not attract each other",
                             "add single bodies, or a stream of grains");
  sim::BodyChange change;
  sim::Bodies& added = change.added;
  const Likeness like = likeness_of(simulation.state(), index_of(simulation, request.like));
  const Room room(simulation, obstacles, like);
  switch (request.what) {
    case Addition::body:
      add(added, like, request.position, request.velocity);
      break;
    case Addition::planet:
      add_planet(added, simulation, request);
      break;
    case Addition::cluster:
      add_cluster(added, simulation, room, like, request);
      break;
    case Addition::stream:
      add_grains(added, simulation, room, like, request);
      break;
  }
  const bool is_one = request.what == Addition::body || request.what == Addition::planet;
  if (is_one && !room.is_free(added.position.front(), {}))
    throw engine::InputError("", "there is no room for another body here", "choose another place");
  if (!simulation.with_species()) change.added.species.clear();
  if (!simulation.layout().has(sim::fields::radius)) change.added.radius.clear();
  return change;
}

}  // namespace mote::app
