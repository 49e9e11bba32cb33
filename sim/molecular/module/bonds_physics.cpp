#include "sim/molecular/module/bonds_physics.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/molecular/bond_force.h"
#include "sim/molecular/rods.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Json;
using engine::number_text;

const std::string rigid_bonds = "rigid bonds";

/// Words and types that differ between bonds and angles.
template <class Link>
struct LinkWords;
template <>
struct LinkWords<Bond> {
  static constexpr std::size_t bodies = 2;
  static inline const std::string
      name = "bond",
      list = "bonds", kinds = "bond_kinds",
      kind_example = "bond_kinds = { backbone = { stiffness = 100, length = 1 } }",
      example = "bonds = { { kind = \"backbone\", bodies = { {0, 1}, {1, 2} } } }";
  static Bond of(std::array<std::uint32_t, 2> b, std::uint32_t kind) {
    return {std::min(b[0], b[1]), std::max(b[0], b[1]), kind};
  }
  static std::array<std::uint32_t, 2> key(const Bond& b) { return {b.a, b.b}; }
};
template <>
struct LinkWords<Angle> {
  static constexpr std::size_t bodies = 3;
  static inline const std::string name = "angle", list = "angles", kinds = "angle_kinds",
                                  kind_example = "angle_kinds = { stiff = { stiffness = 5 } }",
                                  example =
                                      "angles = { { kind = \"stiff\", bodies = { {0, 1, 2} } } }";
  static Angle of(std::array<std::uint32_t, 3> b, std::uint32_t kind) {
    return {std::min(b[0], b[2]), b[1], std::max(b[0], b[2]), kind};
  }
  static std::array<std::uint32_t, 3> key(const Angle& a) { return {a.first, a.vertex, a.last}; }
};

/// Bond lists have 31-bit counts, with two entries per bond and three per angle.
constexpr Index max_links = 100'000'000;

/// Links so far, by the ids of their bodies.
template <class Link>
using Known = std::set<std::array<std::uint32_t, LinkWords<Link>::bodies>>;

class BondsReader {
 public:
  explicit BondsReader(const SceneReading& from)
      : from_(from), reader_(from.reader), echo_(from.echo) {}

  BondForces read() {
    kinds<Bond>(bond_kind_table(), all_.bond_kinds);
    kinds<Angle>(angle_kind_table(), all_.angle_kinds);
    check_kinds();
    chains();
    list<Bond>(all_.bond_kinds, all_.bonds);
    list<Angle>(all_.angle_kinds, all_.angles);
    return std::move(all_);
  }

 private:
  const Value* find(const std::string& name) const { return from_.find(name); }

  template <class Link, class Kind>
  void kinds(const engine::ParamTable<Kind>& described, std::vector<Kind>& out) {
    using Words = LinkWords<Link>;
    const Value* given = find(Words::kinds);
    if (!given) return;
    if (!given->table() || !given->table()->items.empty())
      return reader_.problem(given->line, Words::kinds,
                             "expected a table of names, got " + describe(*given),
                             Words::kind_example);
    for (const Member& m : given->table()->members) {
      const std::string path = joined_path(Words::kinds, m.name);
      if (!m.value.table()) {
        reader_.problem(m.value.line, path, "expected a table, got " + describe(m.value),
                        Words::kind_example);
        continue;
      }
      if (!engine::is_utf8(m.name)) {
        reader_.problem(m.value.line, Words::kinds, "has a name that is not UTF-8");
        continue;
      }
      Kind kind;
      kind.name = m.name;
      reader_.members(*m.value.table(), m.value.line, path, described, kind,
                      &echo_[Words::kinds][m.name]);
      reader_.unknown(*m.value.table(), m.value.line, path, names_of(described));
      out.push_back(std::move(kind));
    }
  }

  /// Checks that each kind of bond has the keys of its form and fits into the domain.
  void check_kinds() {
    const Domain domain = domain_of(from_.model);
    const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
    for (const BondKind& kind : all_.bond_kinds) {
      const Value& at = find("bond_kinds")->table()->find(kind.name)->value;
      const std::string path = joined_path("bond_kinds", kind.name);
      const bool fene = kind.form == "fene", rigid = is_rigid(kind);
      const char* const needed = fene ? "extension" : "length";
      const auto need = [&](const char* key, const char* example) {
        if (!at.table()->find(key))
          reader_.problem(at.line, joined_path(path, key),
                          "is missing: bonds of the form " + kind.form + " need it", example);
      };
      const auto refuse = [&](const char* key, const char* forms) {
        if (const Member* const given = at.table()->find(key))
          reader_.problem(given->value.line, joined_path(path, key),
                          std::string("is for bonds of the form ") + forms, "leave it out");
      };
      need(needed, fene ? "as in extension = 1.5" : "as in length = 1");
      if (rigid)
        refuse("stiffness", "harmonic or fene");
      else
        need("stiffness", "as in stiffness = 100");
      if (fene)
        refuse("length", "harmonic or rigid");
      else
        refuse("extension", "fene");
      if (rigid && kind.damping > 0) refuse("damping", "harmonic or fene");
      if (rigid && kind.length == 0)
        reader_.problem(at.table()->find("length")->value.line, joined_path(path, "length"),
                        "is 0, which gives a rod no direction", "as in length = 1");
      const double longest = (fene ? kind.extension : kind.length).value_or(0);
      for (int axis = 0; axis < 3; ++axis)
        if (domain.periodic[axis] && 2 * longest > lengths[axis]) {
          reader_.problem(
              at.line, joined_path(path, needed),
              number_text(longest) + " is more than half of the periodic domain, " +
                  engine::rounded_text(lengths[axis]) + " along " + "xyz"[axis],
              "bonds act between nearest images only; use shorter bonds or a larger domain");
          break;
        }
    }
  }

  /// The index of a kind; reports a problem if there is none of this name.
  template <class Link, class Kind>
  std::optional<std::uint32_t> kind_named(const std::vector<Kind>& kinds, const std::string& name,
                                          int line, const std::string& path) {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (kinds[k].name == name) return static_cast<std::uint32_t>(k);
      known.push_back(kinds[k].name);
    }
    reader_.problem(line, path,
                    "no such kind of " + LinkWords<Link>::list + ": " + engine::quoted(name),
                    known.empty() ? "the scene has none; as in " + LinkWords<Link>::kind_example
                                  : engine::did_you_mean(name, known, "it has: "));
    return std::nullopt;
  }

  void chains() {
    Index offset = 0;
    for (const BodySource& source : from_.bodies) {
      for (const ChainLinks& links : source.chains) chain(links, offset + links.first);
      offset += source.count;
    }
  }

  /// Needs no check for duplicates: bodies of a chain are distinct, and chains share none.
  void chain(const ChainLinks& links, Index first) {
    if (links.count >
        max_links - static_cast<Index>(std::max(all_.bonds.size(), all_.angles.size())))
      return reader_.problem(links.line, links.path, "makes more than 100 million bonds",
                             "use shorter chains");
    const auto id = [&](Index k) { return static_cast<std::uint32_t>(first + k % links.count); };
    if (links.bond)
      if (const auto kind = kind_named<Bond>(all_.bond_kinds, *links.bond, links.line,
                                             joined_path(links.path, "bond")))
        for (Index k = 0; k < (links.closed ? links.count : links.count - 1); ++k)
          all_.bonds.push_back(LinkWords<Bond>::of({id(k), id(k + 1)}, *kind));
    if (links.angle)
      if (const auto kind = kind_named<Angle>(all_.angle_kinds, *links.angle, links.line,
                                              joined_path(links.path, "angle")))
        for (Index k = 0; k < (links.closed ? links.count : links.count - 2); ++k)
          all_.angles.push_back(LinkWords<Angle>::of({id(k), id(k + 1), id(k + 2)}, *kind));
  }

  template <class Link, class Kind>
  void list(const std::vector<Kind>& kinds, std::vector<Link>& out) {
    using Words = LinkWords<Link>;
    const Value* given = find(Words::list);
    if (!given) return;
    if (!given->table() || !given->table()->members.empty())
      return reader_.problem(given->line, Words::list, "expected a list, got " + describe(*given),
                             Words::example);
    Json& echo = echo_[Words::list] = Json::array();
    Known<Link> known;
    for (const Link& link : out) known.insert(Words::key(link));
    for (std::size_t i = 0; i < given->table()->items.size(); ++i) {
      const Value& item = given->table()->items[i];
      const std::string path = joined_path(Words::list, std::to_string(i + 1));
      if (!item.table()) {
        reader_.problem(item.line, path, "expected a table, got " + describe(item), Words::example);
        continue;
      }
      reader_.unknown(*item.table(), item.line, path, {"kind", "bodies"});
      entry(*item.table(), item.line, path, kinds, out, known, echo.emplace_back(Json::object()));
    }
  }

  template <class Link, class Kind>
  void entry(const Table& table, int line, const std::string& path, const std::vector<Kind>& kinds,
             std::vector<Link>& out, Known<Link>& known, Json& echo) {
    using Words = LinkWords<Link>;
    const Member *name = table.find("kind"), *bodies = table.find("bodies");
    if (!name || !name->value.text())
      return reader_.problem(name ? name->value.line : line, joined_path(path, "kind"),
                             name ? "expected text, got " + describe(name->value) : "is missing",
                             Words::example);
    if (!bodies || !bodies->value.table() || !bodies->value.table()->members.empty())
      return reader_.problem(
          bodies ? bodies->value.line : line, joined_path(path, "bodies"),
          bodies ? "expected a list, got " + describe(bodies->value) : "is missing",
          Words::example);
    const auto kind =
        kind_named<Link>(kinds, *name->value.text(), name->value.line, joined_path(path, "kind"));
    echo["kind"] = *name->value.text();
    Json& listed = echo["bodies"] = Json::array();
    const Table& all = *bodies->value.table();
    for (std::size_t k = 0; k < all.items.size(); ++k) {
      const int at = all.items[k].line ? all.items[k].line : bodies->value.line;
      const std::string key = joined_path(joined_path(path, "bodies"), std::to_string(k + 1));
      std::array<std::uint32_t, Words::bodies> ids{};
      if (!ids_of(all.items[k], at, key, ids)) continue;
      if (kind) add<Link>(out, known, ids, *kind, at, key);
      listed.push_back(ids);
    }
  }

  /// The bodies of one bond or angle; false when there is a problem.
  template <std::size_t n>
  bool ids_of(const Value& value, int line, const std::string& key,
              std::array<std::uint32_t, n>& ids) {
    const std::string expected = "expected the ids of " +
                                 std::string(n == 2 ? "two bodies" : "three bodies"),
                      example = n == 2 ? "{0, 1} are the first two bodies of the scene"
                                       : "{0, 1, 2}: the angle at body 1";
    const Table* table = value.table();
    if (!table || !table->members.empty() || table->items.size() != n) {
      reader_.problem(line, key, expected + ", got " + describe(value), example);
      return false;
    }
    const Index count = body_count(from_.bodies);
    for (std::size_t k = 0; k < n; ++k) {
      const auto number = to_param_value(table->items[k], engine::ParamType::integer);
      if (!number) {
        reader_.problem(line, key, expected + ", got " + describe(table->items[k]), example);
        return false;
      }
      const std::int64_t id = std::get<std::int64_t>(*number);
      if (id < 0 || id >= count) {
        reader_.problem(line, key, "there is no body " + std::to_string(id),
                        "the scene has " + engine::with_thousands(count) +
                            ", counted from 0 in the order of `bodies`");
        return false;
      }
      ids[k] = static_cast<std::uint32_t>(id);
    }
    return true;
  }

  template <class Link, std::size_t n>
  void add(std::vector<Link>& out, Known<Link>& known, const std::array<std::uint32_t, n>& ids,
           std::uint32_t kind, int line, const std::string& path) {
    using Words = LinkWords<Link>;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (ids[a] == ids[b])
          return reader_.problem(
              line, path,
              "body " + std::to_string(ids[a]) + " has " + (n == 2 ? "a bond" : "an angle") +
                  " with itself",
              "name " + std::string(n == 2 ? "two" : "three") + " different bodies");
    const Link link = Words::of(ids, kind);
    if (known.insert(Words::key(link)).second) {
      out.push_back(link);
      return;
    }
    std::string ids_text;
    for (const std::uint32_t id : ids)
      ids_text += (ids_text.empty() ? "" : ", ") + std::to_string(id);
    reader_.problem(line, path, "the " + Words::name + " of bodies " + ids_text + " exists already",
                    "remove one of them; chains make their own " + Words::list);
  }

  const SceneReading& from_;
  Reader& reader_;
  Json& echo_;
  BondForces all_;
};

const ModuleInfo& bonds_info() {
  static const ModuleInfo info{
      .name = "bonds",
      .subject = "bonds",
      .help = "springs, dashpots, FENE bonds and rods between bodies, and angles between bonds",
      .cuda = true,
      .sheets = {engine::sheet_of(bond_kind_table()), engine::sheet_of(angle_kind_table())},
      .keys = {{"bonds", "pairs of bodies by id, from 0",
                "{ kind: string, bodies: integer[][] }[]"},
               {"bond_kinds", "kinds of bonds by name", "table<string, mote.bond_kind>"},
               {"angles", "three bodies each, the vertex in the middle",
                "{ kind: string, bodies: integer[][] }[]"},
               {"angle_kinds", "kinds of angles by name", "table<string, mote.angle_kind>"}},
      .excludes = {{"fluid", "cannot be combined with fluid yet", "remove one of them"},
                   {velocity_fields,
                    "with damping cannot be combined with velocity-dependent fields yet",
                    "remove one of them", damped_bonds},
                   {"soft", "of the form rigid cannot be combined with soft bodies yet",
                    "use bonds of another form, or ropes with pinned ends", rigid_bonds},
                   {"thermostat", "of the form rigid cannot be combined with a thermostat yet",
                    "leave the thermostat out, or use bonds of another form", rigid_bonds},
                   {walled_domain,
                    "of the form rigid cannot be combined with walls of a domain yet",
                    "remove the walls, or use bonds of another form", rigid_bonds}},
      .conserves_momentum = true,
      .follows_bodies = true};
  return info;
}

std::unique_ptr<Physics> read_bonds(const SceneReading& from) {
  BondForces all = BondsReader(from).read();
  if (all.bonds.empty() && all.angles.empty()) return nullptr;
  return std::make_unique<BondsPhysics>(std::move(all));
}

}  // namespace

PhysicsModule bonds_module() {
  return {&bonds_info, &read_bonds};
}

const ModuleInfo& BondsPhysics::info() const {
  return bonds_info();
}

std::vector<PhysicsParam> BondsPhysics::params() const {
  std::vector<PhysicsParam> all;
  for (const BondKind& kind : parameters.bond_kinds)
    append_params(all, "bond_kinds." + kind.name, bond_kind_table(), kind);
  for (const AngleKind& kind : parameters.angle_kinds)
    append_params(all, "angle_kinds." + kind.name, angle_kind_table(), kind);
  return all;
}

std::vector<std::string> BondsPhysics::features() const {
  std::vector<std::string> all;
  if (parameters.damped()) all.push_back(damped_bonds);
  if (parameters.any_rigid()) all.insert(all.end(), {rigid_bonds, leapfrog_forces});
  return all;
}

void BondsPhysics::check_start(const engine::Cpu&, const Model& model,
                               const State<engine::Host>& state, engine::Backend) const {
  check_bonds(parameters, state, domain_of(model), step_of_all(model), model.file.string());
}

void BondsPhysics::add_fields(const Model&, StateLayout& layout) const {
  if (parameters.damped()) layout.stores_accelerations = true;  // velocities within the step
}

void BondsPhysics::add_forces(const engine::Cpu&, const Model& model,
                              const State<engine::Host>& initial,
                              Forces<engine::Cpu>& forces) const {
  const BondForces flexible = parameters.flexible();
  if (!flexible.bonds.empty() || !flexible.angles.empty())
    add_force(forces, BondForce(flexible, domain_of(model), initial));
  if (parameters.any_rigid()) add_force(forces, RodForce(parameters, domain_of(model), initial));
}

std::vector<EnergyEffect> BondsPhysics::energy_effects(const Model&) const {
  if (!parameters.damped()) return {};
  return {{EnergyEffect::Kind::takes, "damped bonds: dashpots dissipate energy"}};
}

Step BondsPhysics::step(const Step& scheme) const {
  return parameters.any_rigid() ? step_with_rods(scheme) : scheme;
}

std::string BondsPhysics::cause_of_long_step() const {
  if (!parameters.any_rigid()) return "";
  return "rods turn too far in it, or cannot all have their length; set a smaller integrator.dt, "
         "or remove rods that others already hold in place";
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> BondsPhysics::joined_pairs() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Bond& bond : parameters.bonds)
    if (is_rigid(parameters.bond_kinds[bond.kind])) pairs.emplace_back(bond.a, bond.b);
  return pairs;
}

Index BondsPhysics::most_joined() const {
  std::map<std::uint32_t, Index> partners;
  Index most = 0;
  for (const auto& [a, b] : joined_pairs()) most = std::max({most, ++partners[a], ++partners[b]});
  return most;
}

void BondsPhysics::add_links(BodyLinks& links) const {
  constexpr float size = 0.4f;  // usual in models of balls and sticks
  for (const Bond& bond : parameters.bonds) links.rods.push_back({bond.a, bond.b, size});
}

std::uint64_t BondsPhysics::host_bytes(const Model&, Index, engine::Precision) const {
  return BondForce::bytes(parameters) + RodForce::bytes(parameters);
}

}  // namespace mote::sim
