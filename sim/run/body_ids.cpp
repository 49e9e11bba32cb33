#include "sim/run/body_ids.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "sim/measure/displacement.h"
#include "sim/space/ball_fields.h"
#include "sim/space/fixed_field.h"
#include "sim/space/neighbours.h"

namespace mote::sim {

using engine::Host;
using engine::Index;

namespace {

/// The first of some bodies.
struct Lowest {
  Index body = std::numeric_limits<Index>::max();
  Lowest& operator+=(const Lowest& other) {
    body = std::min(body, other.body);
    return *this;
  }
};

}  // namespace

BodyIds ids_of(const State<Host>& state) {
  const std::uint32_t* const ids = state.id();
  MOTE_EXPECT(std::is_sorted(ids, ids + state.count()));
  if (state.count() == 0 || ids[state.count() - 1] + Index{1} == state.count()) return nullptr;
  return std::make_shared<const std::vector<std::uint32_t>>(ids, ids + state.count());
}

std::uint32_t id_of(const BodyIds& ids, Index index) {
  return ids ? (*ids)[static_cast<std::size_t>(index)] : static_cast<std::uint32_t>(index);
}

std::optional<Index> index_of(const BodyIds& ids, Index count, std::uint32_t id) {
  if (!ids) return Index{id} < count ? std::optional<Index>(id) : std::nullopt;
  const auto found = std::lower_bound(ids->begin(), ids->end(), id);
  return found != ids->end() && *found == id ? std::optional<Index>(found - ids->begin())
                                             : std::nullopt;
}

State<Host> changed(const State<Host>& state, const BodyChange& change, std::uint32_t next_id) {
  std::vector<std::uint32_t> removed = change.removed;
  std::sort(removed.begin(), removed.end());
  const Index remaining = state.count() - static_cast<Index>(removed.size());
  State<Host> next(remaining + change.added.count(), state.precision(), state.layout());
  next.visit([&]<class Real>(StateView<Real> t) {
    state.visit([&]<class FromReal>(StateView<FromReal> f) {
      if constexpr (std::is_same_v<const Real, FromReal>) {
        Index to = 0;
        for (Index i = 0; i < f.count; ++i) {
          if (std::binary_search(removed.begin(), removed.end(), f.id[i])) continue;
          MOTE_EXPECT(to < remaining);
          next.id()[to] = f.id[i];
          if (f.species) next.species()[to] = f.species[i];
          t.mass[to] = f.mass[i];
          t.x[to] = f.x[i], t.y[to] = f.y[i], t.z[to] = f.z[i];
          t.vx[to] = f.vx[i], t.vy[to] = f.vy[i], t.vz[to] = f.vz[i];
          for (int k = 0; k < t.field_count; ++k) t.field_column[k][to] = f.field_column[k][i];
          ++to;
        }
        MOTE_EXPECT(to == remaining);
      }
    });
  });
  std::copy_n(state.globals(), state.layout().global_count(), next.globals());
  put_bodies(next, remaining, change.added, "");
  reset_list_origins(next);
  start_displacement(next, remaining);
  for (Index i = 0; i < change.added.count(); ++i)
    next.id()[remaining + i] = next_id + static_cast<std::uint32_t>(i);
  return next;
}

std::string problem_of_added(const Bodies& added, std::size_t species, const StateLayout& layout) {
  for (const std::uint8_t number : added.species)
    if (number > species) return "the scene has no species number " + std::to_string(number);
  const auto absent = [&](const auto& values, const FieldInfo& field) {
    return !values.empty() && !layout.has(field);
  };
  if (absent(added.radius, fields::radius)) return "bodies of this scene have no radius";
  if (absent(added.spin, fields::spin[0])) return "bodies of this scene do not rotate";
  if (absent(added.fixed, fields::fixed)) return "no body of this scene is fixed at the start";
  return "";
}

void put_bodies(State<Host>& state, Index first, const Bodies& bodies, const std::string& location,
                int threads) {
  // Columns are zero-initialised: 0 is the species of bodies without one.
  if (state.with_species())
    std::copy(bodies.species.begin(), bodies.species.end(), state.species() + first);
  state.visit([&]<class Real>(StateView<Real> s) {
    Real* const radius = bodies.radius.empty() ? nullptr : s[fields::radius];
    Real* const fixed = bodies.fixed.empty() ? nullptr : s[fields::fixed];
    const VectorColumns<Real> spin = bodies.spin.empty() ? VectorColumns<Real>{} : s[fields::spin];
    const auto put = [&](Index begin, Index end) {
      Lowest bad;
      for (Index body = begin; body < end; ++body) {
        const auto k = static_cast<std::size_t>(body);
        const Index i = first + body;
        const engine::Vec3d x = bodies.position[k], v = bodies.velocity[k];
        s.mass[i] = static_cast<Real>(bodies.mass[k]);
        s.x[i] = static_cast<Real>(x.x), s.y[i] = static_cast<Real>(x.y),
        s.z[i] = static_cast<Real>(x.z);
        s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y),
        s.vz[i] = static_cast<Real>(v.z);
        if (radius) radius[i] = static_cast<Real>(bodies.radius[k]);
        if (fixed) fixed[i] = static_cast<Real>(bodies.fixed[k]);
        if (spin[0]) {
          spin[0][i] = static_cast<Real>(bodies.spin[k].x);
          spin[1][i] = static_cast<Real>(bodies.spin[k].y);
          spin[2][i] = static_cast<Real>(bodies.spin[k].z);
        }
        for (Real value : {s.mass[i], s.x[i], s.y[i], s.z[i], s.vx[i], s.vy[i], s.vz[i]})
          if (!std::isfinite(value)) bad += Lowest{body};
      }
      return bad;
    };
    const Lowest bad = engine::ordered_sum(threads, bodies.count(), Lowest{}, put);
    if (bad.body < bodies.count())
      throw engine::InputError(location,
                               "body " + std::to_string(bad.body + 1) +
                                   " has a value that is too large for this precision",
                               "use --precision double, or other units");
  });
}

void put_values(State<Host>& state, const BodyValues& values) {
  const auto count = static_cast<std::size_t>(state.count());
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto put = [&](const char* what, std::span<const double> from,
                         std::initializer_list<Real*> columns) {
      if (from.empty()) return;
      if (from.size() != count * columns.size())
        throw engine::InputError(what, "has " + std::to_string(from.size()) + " numbers",
                                 "give " + std::to_string(count * columns.size()));
      std::size_t component = 0;
      for (Real* const column : columns) {
        for (std::size_t i = 0; i < count; ++i)
          column[i] = static_cast<Real>(from[columns.size() * i + component]);
        const auto bad = std::find_if(column, column + count, [&](Real value) {
          return !std::isfinite(value) || (column == s.mass && value < 0);
        });
        if (bad != column + count)
          throw engine::InputError(
              what,
              "of body " + std::to_string(s.id[bad - column]) +
                  (std::isfinite(*bad) ? " is negative" : " is not finite in this precision"),
              "correct it");
        ++component;
      }
    };
    put("mass", values.mass, {s.mass});
    put("position", values.position, {s.x, s.y, s.z});
    put("velocity", values.velocity, {s.vx, s.vy, s.vz});
  });
}

}  // namespace mote::sim
