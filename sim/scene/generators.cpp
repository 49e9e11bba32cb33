#include "sim/scene/generators.h"

#include "sim/initial/disk.h"
#include "sim/initial/plummer.h"
#include "sim/initial/uniform_sphere.h"

namespace mote::sim {
namespace {

/// Which random sequence a generator draws from.
struct Stream {
  std::optional<std::int64_t> stream;
};

const engine::ParamTable<Stream>& stream_table() {
  static const engine::ParamTable<Stream> table{
      "stream",
      "",
      {engine::param(
          &Stream::stream,
          {.name = "stream",
           .help = "number of the random sequence; when left out each generator of a scene has its own",
           .minimum = 0,
           .maximum = 4294967295.0})}};
  return table;
}

template <class Owner>
void append_rows(engine::ParamSheet& sheet, const engine::ParamTable<Owner>& table) {
  for (const auto& row : engine::sheet_of(table).rows) sheet.rows.push_back(row);
}

/// A generator out of a described struct with a member n and a function make(Owner, MakeContext).
template <class Owner>
Generator random_generator(const engine::ParamTable<Owner>& table) {
  Generator g{table.name, table.help, true, engine::sheet_of(table), {}};
  append_rows(g.sheet, placement_table());
  append_rows(g.sheet, stream_table());
  g.read = [&table](Reader& reader, const Table& from, int line, const std::string& path,
                    engine::Json& echo) {
    Owner parameters;
    Placement placement;
    Stream stream;
    reader.members(from, line, path, table, parameters, &echo);
    reader.members(from, line, path, placement_table(), placement, &echo);
    reader.members(from, line, path, stream_table(), stream, &echo);
    return BodySource{parameters.n, [parameters, placement, stream](MakeContext context) {
                        context.stream = static_cast<std::uint32_t>(stream.stream.value_or(0));
                        Bodies bodies = make(parameters, context);
                        place(bodies, placement);
                        return bodies;
                      }};
  };
  return g;
}

}  // namespace

const engine::ParamTable<Placement>& placement_table() {
  static const engine::ParamTable<Placement> table{
      "placement",
      "Where a generator's bodies go: turned about the x axis, then about z, then moved.",
      {engine::param(
           &Placement::inclination,
           {.name = "inclination", .help = "turn about the x axis, before everything else", .unit = "angle"}),
       engine::param(&Placement::node,
                     {.name = "node",
                      .help = "turn about the z axis, after the inclination: longitude of the "
                              "ascending node",
                      .unit = "angle"}),
       engine::param(&Placement::position,
                     {.name = "position", .help = "where its centre is", .unit = "length"}),
       engine::param(&Placement::velocity,
                     {.name = "velocity", .help = "how its centre moves", .unit = "velocity"})}};
  return table;
}

void place(Bodies& bodies, const Placement& placement) {
  if (placement.inclination != 0) rotate(bodies, {1, 0, 0}, placement.inclination);
  if (placement.node != 0) rotate(bodies, {0, 0, 1}, placement.node);
  translate(bodies, placement.position);
  boost(bodies, placement.velocity);
}

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all{
      random_generator(plummer_table()),
      random_generator(uniform_sphere_table()),
      random_generator(disk_table()),
  };
  return all;
}

const Generator* generator_named(const std::string& name) {
  for (const Generator& g : generators())
    if (g.name == name) return &g;
  return nullptr;
}

}  // namespace mote::sim
