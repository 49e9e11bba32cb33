#include "sim/scene/body_files.h"

#include <utility>

#include "engine/json.h"
#include "sim/io/csv.h"
#include "sim/io/snapshot.h"
#include "sim/io/tipsy.h"
#include "sim/io/xyz_read.h"

namespace mote::sim {
namespace {

using engine::Json;

constexpr std::uintmax_t gibibyte = 1u << 30;

}  // namespace

const std::vector<BodyFileFormat>& body_file_formats() {
  static const std::vector<BodyFileFormat> formats{
      {"csv", &csv_table,
       [](const BodyFileRequest& from) {
         return read_bodies_csv(from.file, from.units, from.location);
       },
       gibibyte},
      {"gadget", &gadget_table,
       [](const BodyFileRequest& from) {
         return read_snapshot(from.file, &from.units, from.location);
       },
       64 * gibibyte},
      {"tipsy", &tipsy_table,
       [](const BodyFileRequest& from) { return read_bodies_tipsy(from.file, from.location); },
       64 * gibibyte},
      {"xyz", &xyz_table,
       [](const BodyFileRequest& from) {
         return read_bodies_xyz(from.file, {from.table.mass, from.species, &from.units},
                                from.location);
       },
       gibibyte}};
  return formats;
}

const BodyFileFormat* body_file_format(const std::string& name) {
  for (const BodyFileFormat& f : body_file_formats())
    if (f.name == name) return &f;
  return nullptr;
}

Json bodies_json(const Bodies& bodies, const Json& traits, const std::vector<std::string>& names) {
  Json list = Json::array();
  const auto vector = [](engine::Vec3d v) { return Json::array({v.x, v.y, v.z}); };
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
    Json body;
    if (!bodies.names.empty() && !bodies.names[i].empty()) body["name"] = bodies.names[i];
    body["mass"] = bodies.mass[i];
    body["position"] = vector(bodies.position[i]);
    body["velocity"] = vector(bodies.velocity[i]);
    if (!bodies.species.empty() && bodies.species[i] > 0)
      body["species"] = names[bodies.species[i] - 1u];
    body.update(traits);
    list.push_back(std::move(body));
  }
  return list;
}

}  // namespace mote::sim
