#include "sim/scene/obstacles_reader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "engine/json.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

using engine::Json;

/// Limit on the size of a mesh file.
constexpr std::uintmax_t max_mesh_bytes = 64u << 20;

/// The input of one obstacle.
struct ObstacleItem {
  Reader& reader;
  SceneFolder& folder;
  const Table& table;
  int line;
  const std::string& path;
};

/// One kind of obstacle.
struct ObstacleKind {
  std::string name;
  engine::ParamSheet sheet;
  std::function<ObstacleDescription(const ObstacleItem&, Json& echo)> read;
};

template <class Owner>
ObstacleKind obstacle_kind(const engine::ParamTable<Owner>& table) {
  return {table.name, engine::sheet_of(table), [&table](const ObstacleItem& item, Json& echo) {
            Owner obstacle;
            item.reader.members(item.table, item.line, item.path, table, obstacle, &echo);
            std::vector<std::string> known = names_of(table);
            known.emplace_back("kind");
            item.reader.unknown(item.table, item.line, item.path, known);
            return ObstacleDescription(obstacle);
          }};
}

/// The numbers of a list; nothing if it holds anything else.
std::optional<std::vector<double>> numbers_of(const Value& value) {
  if (!value.table() || !value.table()->members.empty()) return {};
  std::vector<double> numbers;
  for (const Value& item : value.table()->items) {
    const auto number = to_param_value(item, engine::ParamType::real);
    if (!number || !std::isfinite(std::get<double>(*number))) return {};
    numbers.push_back(std::get<double>(*number));
  }
  return numbers;
}

/// An explicit mesh: flat lists of coordinates and of vertex indices, three each.
std::optional<TriangleMesh> explicit_mesh(const Value& vertices, const Value& triangles) {
  const auto coordinates = numbers_of(vertices), corners = numbers_of(triangles);
  if (!coordinates || !corners || coordinates->size() % 3 != 0 || corners->size() % 3 != 0)
    return {};
  TriangleMesh mesh;
  for (std::size_t i = 0; i < coordinates->size(); i += 3)
    mesh.vertices.push_back({(*coordinates)[i], (*coordinates)[i + 1], (*coordinates)[i + 2]});
  for (std::size_t i = 0; i < corners->size(); i += 3) {
    auto& triangle = mesh.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const double number = (*corners)[i + k];
      if (!(number >= 0 && number < static_cast<double>(mesh.vertices.size()))) return {};
      triangle[k] = static_cast<std::uint32_t>(number);
    }
  }
  return mesh;
}

/// The surface of a mesh obstacle; null after a problem.
std::shared_ptr<const TriangleMesh> surface_of(const ObstacleItem& item, const std::string& file) {
  Reader& reader = item.reader;
  const Member *const vertices = item.table.find("vertices"), *const triangles =
                                                                  item.table.find("triangles");
  try {
    if (vertices && triangles && file.empty()) {
      if (const auto mesh = explicit_mesh(vertices->value, triangles->value))
        return std::make_shared<const TriangleMesh>(
            closed_surface(*mesh, reader.location(item.line, joined_path(item.path, "triangles"))));
      reader.problem(vertices->value.line, joined_path(item.path, "vertices"),
                     "vertices and triangles are not lists of triples",
                     "three coordinates per vertex, three vertex indices from 0 per triangle");
      return nullptr;
    }
    const Member* const given = item.table.find("file");
    const int line = given ? given->value.line : item.line;
    const std::string key = joined_path(item.path, "file");
    if (file.empty()) {
      if (!given || given->value.text())
        reader.problem(line, key, "is missing", "a mesh needs an OBJ, STL or PLY file");
      return nullptr;
    }
    const SceneFolder::Found found = item.folder.find(file, max_mesh_bytes);
    if (!found.problem.empty()) {
      reader.problem(line, key, found.problem, found.remedy);
      return nullptr;
    }
    const TriangleMesh mesh = read_mesh(found.bytes);
    return std::make_shared<const TriangleMesh>(closed_surface(mesh, found.file.string()));
  } catch (const engine::InputError& e) {
    for (const engine::Diagnostic& d : e.diagnostics()) reader.add(d);
  }
  return nullptr;
}

ObstacleDescription read_mesh_obstacle(const ObstacleItem& item, Json& echo) {
  MeshObstacle obstacle;
  const auto& table = mesh_obstacle_table();
  item.reader.members(item.table, item.line, item.path, table, obstacle, &echo);
  std::vector<std::string> known = names_of(table);
  known.insert(known.end(), {"kind", "vertices", "triangles"});
  item.reader.unknown(item.table, item.line, item.path, known);
  obstacle.surface = surface_of(item, obstacle.file);
  if (!obstacle.surface) return obstacle;
  echo.erase("file");
  Json &vertices = echo["vertices"] = Json::array(), &triangles = echo["triangles"] = Json::array();
  for (const engine::Vec3d& v : obstacle.surface->vertices)
    for (const double x : {v.x, v.y, v.z}) vertices.push_back(x);
  for (const auto& triangle : obstacle.surface->triangles)
    for (const std::uint32_t corner : triangle) triangles.push_back(corner);
  return obstacle;
}

const std::vector<ObstacleKind>& all_obstacle_kinds() {
  static const std::vector<ObstacleKind> all{
      obstacle_kind(plane_obstacle_table()),
      obstacle_kind(box_obstacle_table()),
      obstacle_kind(sphere_obstacle_table()),
      obstacle_kind(cylinder_obstacle_table()),
      obstacle_kind(capsule_obstacle_table()),
      {mesh_obstacle_table().name, engine::sheet_of(mesh_obstacle_table()), &read_mesh_obstacle},
  };
  return all;
}

/// Reads the items of a list into `obstacles`; nested lists are flattened.
void add_obstacles(Reader& reader, SceneFolder& folder, const Table& list, const std::string& above,
                   std::vector<ObstacleDescription>& obstacles, Json& echo) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Value& item = list.items[i];
    const std::string path = joined_path(above, std::to_string(i + 1));
    if (item.table() && is_list(*item.table())) {
      add_obstacles(reader, folder, *item.table(), path, obstacles, echo);
      continue;
    }
    const Member* kind = item.table() ? item.table()->find("kind") : nullptr;
    const std::string* const name = kind ? kind->value.text() : nullptr;
    if (!name) {
      reader.problem(item.line, path, "expected an obstacle, got " + describe(item),
                     is_function(item) ? "call the function, as in plane { normal = { 0, 0, 1 } }"
                                       : "known: " + engine::joined(obstacle_kinds(), ", "));
      continue;
    }
    const auto& kinds = all_obstacle_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const ObstacleKind& k) { return k.name == *name; });
    if (found == kinds.end()) {
      reader.problem(kind->value.line, joined_path(path, "kind"),
                     "no such kind of obstacle: " + engine::quoted(*name),
                     engine::did_you_mean(*name, obstacle_kinds(), "known: "));
      continue;
    }
    Json& own = echo.emplace_back(Json::object());
    own["kind"] = *name;
    obstacles.push_back(found->read({reader, folder, *item.table(), item.line, path}, own));
    if (const std::string wrong = obstacle_problem(obstacles.back()); !wrong.empty())
      reader.problem(item.line, path, wrong);
  }
}

}  // namespace

const std::vector<std::string>& obstacle_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const ObstacleKind& kind : all_obstacle_kinds()) all.push_back(kind.name);
    return all;
  }();
  return names;
}

std::vector<ObstacleDescription> read_obstacles(Reader& reader, const Value& list,
                                                SceneFolder& folder, Json& echo) {
  echo = Json::array();
  // A single obstacle is taken as a list of one.
  Value one{Table{}, list.line};
  const Table* table = list.table();
  if (table && table->find("kind")) {
    one.table()->items.push_back(list);
    table = one.table();
  }
  std::vector<ObstacleDescription> obstacles;
  if (!table || !table->members.empty())
    reader.problem(list.line, "obstacles", "expected a list, got " + describe(list),
                   "a list of obstacles, obstacles = { plane { normal = { 0, 0, 1 } } }");
  else
    add_obstacles(reader, folder, *table, "obstacles", obstacles, echo);
  return obstacles;
}

std::vector<engine::ParamSheet> obstacle_sheets() {
  std::vector<engine::ParamSheet> sheets;
  for (const ObstacleKind& kind : all_obstacle_kinds()) sheets.push_back(kind.sheet);
  return sheets;
}

}  // namespace mote::sim
