#include "sim/scene/generators.h"

#include "engine/json.h"
#include "sim/initial/chain.h"
#include "sim/initial/cluster.h"
#include "sim/initial/cube.h"
#include "sim/initial/disk.h"
#include "sim/initial/galaxy.h"
#include "sim/initial/hernquist.h"
#include "sim/initial/king.h"
#include "sim/initial/lattice.h"
#include "sim/initial/plummer.h"
#include "sim/initial/ring.h"
#include "sim/initial/shell.h"
#include "sim/initial/soft_bodies.h"
#include "sim/initial/torus.h"
#include "sim/initial/uniform_sphere.h"
#include "sim/initial/zeldovich.h"
#include "sim/scene/orbit_generator.h"

namespace mote::sim {
namespace {

/// Parameters of every generator of random bodies.
struct Sampling {
  bool centre = true;
  std::optional<std::int64_t> stream;
};

const engine::ParamTable<Sampling>& sampling_table() {
  static const engine::ParamTable<Sampling> table{
      "sampling",
      "",
      {engine::param(&Sampling::centre,
                     {.name = "centre",
                      .help = "whether the centre of mass is moved to rest at the origin before "
                              "placement; that of a random sample is off by chance"}),
       engine::param(
           &Sampling::stream,
           {.name = "stream",
            .help = "number of the random stream; by default each generator of a scene has its own",
            .minimum = 0,
            .maximum = 4294967295.0})}};
  return table;
}

template <class Owner>
void append_rows(engine::ParamSheet& sheet, const engine::ParamTable<Owner>& table) {
  for (const auto& row : engine::sheet_of(table).rows) sheet.rows.push_back(row);
}

template <class Owner>
engine::Index count_of(const Owner& parameters) {
  return parameters.n;
}

/// A generator from a described struct with a function make(Owner, MakeContext). Its member n, or a
/// function count_of(Owner), gives the number of bodies.
template <class Owner>
Generator random_generator(const engine::ParamTable<Owner>& table) {
  Generator g{table.name, table.help, true, engine::sheet_of(table), {}};
  append_rows(g.sheet, placement_table());
  append_rows(g.sheet, sampling_table());
  g.read = [&table](Reader& reader, const Table& from, int line, const std::string& path,
                    engine::Json& echo) {
    [[maybe_unused]] const std::size_t before = reader.problem_count();
    Owner parameters;
    Placement placement;
    Sampling sampling;
    reader.members(from, line, path, table, parameters, &echo);
    if constexpr (requires { broken_relations(parameters); })
      if (reader.problem_count() == before)  // otherwise values are defaults
        report_broken(reader, broken_relations(parameters), from, line, path);
    reader.members(from, line, path, placement_table(), placement, &echo);
    reader.members(from, line, path, sampling_table(), sampling, &echo);
    BodySource source{count_of(parameters), [parameters, placement, sampling](MakeContext context) {
                        context.stream = static_cast<std::uint32_t>(sampling.stream.value_or(0));
                        context.centre = sampling.centre;
                        Bodies bodies = make(parameters, context);
                        place(bodies, placement, context.threads);
                        return bodies;
                      }};
    if constexpr (requires { links_of(parameters); }) {
      ChainLinks links = links_of(parameters);
      links.line = line, links.path = path;
      if (links.bond || links.angle) source.chains.push_back(std::move(links));
      source.fixed = !parameters.pinned.empty() || !parameters.clamped.empty();
    }
    return source;
  };
  return g;
}

/// A generator of soft bodies: not random, with the same placement.
template <class Owner>
Generator soft_generator(const engine::ParamTable<Owner>& table) {
  Generator g{table.name, table.help, false, engine::sheet_of(table), {}};
  append_rows(g.sheet, placement_table());
  g.read = [&table](Reader& reader, const Table& from, int line, const std::string& path,
                    engine::Json& echo) {
    const std::size_t before = reader.problem_count();
    Owner parameters;
    Placement placement;
    reader.members(from, line, path, table, parameters, &echo);
    if (reader.problem_count() == before)
      report_broken(reader, broken_relations(parameters), from, line, path);
    reader.members(from, line, path, placement_table(), placement, &echo);
    return BodySource{count_of(parameters), [parameters, placement](const MakeContext& context) {
                        Bodies bodies = make(parameters, context);
                        place(bodies, placement);
                        return bodies;
                      }};
  };
  g.constrained = true;
  return g;
}

}  // namespace

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all{
      random_generator(plummer_table()),
      random_generator(uniform_sphere_table()),
      random_generator(disk_table()),
      random_generator(hernquist_table()),
      random_generator(king_table()),
      random_generator(cluster_table()),
      random_generator(galaxy_table()),
      random_generator(shell_table()),
      random_generator(ring_table()),
      random_generator(torus_table()),
      random_generator(cube_table()),
      random_generator(lattice_table()),
      random_generator(zeldovich_table()),
      random_generator(chain_table()),
      orbit_generator(),
      soft_generator(rope_table()),
      soft_generator(cloth_table()),
      soft_generator(soft_box_table()),
      soft_generator(soft_ball_table()),
  };
  return all;
}

const Generator* generator_named(const std::string& name) {
  for (const Generator& g : generators())
    if (g.name == name) return &g;
  return nullptr;
}

}  // namespace mote::sim
