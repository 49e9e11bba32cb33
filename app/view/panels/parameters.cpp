#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/view/panels.h"
#include "app/view/settings.h"
#include "render/ui/widgets.h"
#include "sim/motion/integrators.h"
#include "sim/scene/tables.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

using engine::ParamValue;

const char* const fixed_while_running =
    "Cannot change while the scene runs; set it in the scene's file.";
const char* const reads_again = "a change reads the file of the scene again";
const char* const restart_hint = "Takes effect when the scene restarts (R).";

/// One parameter; a new value is set through WindowState::set.
void row(WindowState& model, const std::string& path, const engine::ParamInfo& info,
         engine::ParamType type, const ParamValue& value, const ParamValue& standard,
         const std::string& why_not = {}) {
  const std::string unit = model.session->scene().units.label(info.unit);
  const auto changed = ui::param_row(path, info, type, value, standard, unit, why_not);
  if (!changed) return;
  const std::string problem = model.set(path, *changed);
  if (!problem.empty()) model.notify(problem);
}

void scene_params(WindowState& model) {
  const auto& params = model.session->scene().params;
  if (params.empty() || !ui::section("Parameters")) return;
  for (const sim::SceneParam& p : params) {
    engine::ParamInfo info = p.info;
    if (!p.live) info.help += (info.help.empty() ? "" : "; ") + std::string(reads_again);
    row(model, p.info.name, info, p.type, model.value_of(p), p.standard);
  }
  if (!model.restart_changes) return;
  ui::accent("Some changes need a restart.");
  if (ui::button("Restart")) model.reset();
  ui::tooltip(restart_hint);
}

/// A table of the scene: live parameters with their current values, the others greyed out.
template <class Owner>
void table(WindowState& model, const std::string& title, const engine::ParamTable<Owner>& described,
           const Owner& owner, bool open) {
  if (!ui::section(title, open)) return;
  const Owner standard{};
  for (const auto& p : described.params) {
    const std::string path = described.name + "." + p.info.name;
    ParamValue value = p.get(owner);
    const ParamValue live = sim::live_value(model.status.live, path);
    const bool simulated = !std::holds_alternative<std::monostate>(live);
    if (simulated) value = live;
    const bool is_view = described.name == "view";
    row(model, path, p.info, p.type, value, p.info.required ? p.get(owner) : p.get(standard),
        simulated || is_view ? "" : fixed_while_running);
  }
}

/// "Lennard jones" for lennard_jones, "Fields 2: drag" for fields.2, a table named drag.
std::string title_of(std::string path, const std::string& table) {
  const bool item = std::isdigit(static_cast<unsigned char>(path.back())) != 0;
  const bool known = path.starts_with(table);
  path[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(path[0])));
  if (item && !known) path += ": " + table;
  std::replace_if(
      path.begin(), path.end(), [](char c) { return c == '_' || c == '.'; }, ' ');
  return path;
}

/// The parameters of all modules: live ones with their current values, the others greyed out.
void modules(WindowState& model) {
  const sim::SceneDescription& scene = model.session->scene();
  std::string table;
  bool open = false;
  for (const sim::Physics& p : scene.physics)
    for (const sim::PhysicsParam& param : p.params()) {
      const std::string of = param.path.substr(0, param.path.rfind('.'));
      if (of != table) open = ui::section(title_of(table = of, param.table), scene.params.empty());
      if (!open) continue;
      const bool live = param.info->live;
      row(model, param.path, *param.info, param.type,
          live ? sim::live_value(model.status.live, param.path) : param.value,
          param.info->required ? param.value : param.standard, live ? "" : fixed_while_running);
    }
}

}  // namespace

void parameter_rows(WindowState& model) {
  scene_params(model);
  const sim::SceneDescription& scene = model.session->scene();
  modules(model);
  table(model, "Integrator", sim::table_of(sim::info_of(scene.integrator)), scene.integrator,
        scene.params.empty());
  table(model, "View", sim::view_table(), model.view, false);
}

}  // namespace mote::app
