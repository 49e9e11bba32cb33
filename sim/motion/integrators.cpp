#include "sim/motion/integrators.h"

#include <algorithm>
#include <utility>

#include "engine/check.h"
#include "engine/text.h"
#include "sim/motion/integrator_list.h"

namespace mote::sim {
namespace {

using engine::ParamTable;
using engine::ParamValue;

template <class... Methods>
void add_methods(std::vector<IntegratorInfo>& all, std::tuple<Methods...>*) {
  const auto add = [&]<class Method>(Method*) {
    all.push_back(Method::info());
    all.back().make = &Method::template make<engine::Cpu>;
  };
  (add(static_cast<Methods*>(nullptr)), ...);
}

std::vector<IntegratorInfo> make_integrators() {
  std::vector<IntegratorInfo> all = compositions();
  add_methods(all, static_cast<IntegratorMethods*>(nullptr));
  return all;
}

/// "the integrator: leapfrog of order 2, yoshida4 of order 4, ..."
std::string orders_text() {
  std::string text;
  for (const IntegratorInfo& i : integrators())
    text += (text.empty() ? "the integrator: " : ", ") + i.name + " of order " +
            std::to_string(i.order);
  return text;
}

/// "ias15, hermite"
std::string names_of_choosing() {
  std::vector<std::string> names;
  for (const IntegratorInfo& i : integrators())
    if (i.chooses_steps) names.push_back(i.name);
  return engine::joined(names, ", ");
}

ParamTable<Integration> make_table(const IntegratorInfo& integrator) {
  ParamTable<Integration> table{"integrator", integrator.help, {}};
  std::vector<std::string> names;
  for (const IntegratorInfo& i : integrators()) names.push_back(i.name);
  table.params.push_back(
      engine::param(&Integration::name,
                    {.name = "name", .help = orders_text(), .positional = true, .choices = names}));
  const bool chooses = integrator.chooses_steps;
  table.params.push_back(
      {{.name = "dt",
        .help = chooses ? "longest step; without it the integrator alone limits steps"
                : integrator.stages.empty() ? "time step"
                                            : "time step, with courant the largest allowed",
        .unit = "time",
        .minimum = 0,
        .minimum_excluded = true,
        .required = !chooses,
        .live = true},
       engine::ParamType::real,
       [](const Integration& i) { return i.dt > 0 ? ParamValue(i.dt) : ParamValue(); },
       [](Integration& i, const ParamValue& value) { i.dt = std::get<double>(value); }});
  if (integrator.add_options) integrator.add_options(table);
  return table;
}

}  // namespace

const std::vector<IntegratorInfo>& integrators() {
  static const std::vector<IntegratorInfo> all = make_integrators();
  return all;
}

const IntegratorInfo* integrator_named(const std::string& name) {
  for (const IntegratorInfo& i : integrators())
    if (i.name == name) return &i;
  return nullptr;
}

const IntegratorInfo& info_of(const Integration& integration) {
  const IntegratorInfo* const found = integrator_named(integration.name);
  MOTE_EXPECT(found);
  return *found;
}

template <>
std::unique_ptr<Integrator<engine::Cpu>> make_integrator(const Integration& integration,
                                                         const ForceTraits& forces) {
  return info_of(integration).make(integration, forces);
}

const ParamTable<Integration>& table_of(const IntegratorInfo& integrator) {
  static const std::vector<ParamTable<Integration>> tables = [] {
    std::vector<ParamTable<Integration>> all;
    for (const IntegratorInfo& i : integrators()) all.push_back(make_table(i));
    return all;
  }();
  return tables[static_cast<std::size_t>(&integrator - integrators().data())];
}

engine::ParamSheet integrator_sheet() {
  engine::ParamSheet sheet{
      "integrator", "Time integration: an integrator, its time step, and its own options.", {}};
  const std::vector<IntegratorInfo>& all = integrators();
  for (const IntegratorInfo& i : all)
    for (engine::ParamSheet::Row& row : engine::sheet_of(table_of(i)).rows) {
      const auto same = [&](const engine::ParamSheet::Row& r) {
        return r.info.name == row.info.name;
      };
      std::vector<std::string> with;  // names of those that have it
      for (const IntegratorInfo& other : all) {
        const auto rows = engine::sheet_of(table_of(other)).rows;
        if (std::any_of(rows.begin(), rows.end(), same)) with.push_back(other.name);
      }
      const auto known = std::find_if(sheet.rows.begin(), sheet.rows.end(), same);
      if (known == sheet.rows.end()) {
        if (with.size() < all.size())
          row.info.help = "(" + engine::joined(with, ", ") + ") " + row.info.help;
        sheet.rows.push_back(std::move(row));
      } else if (known->info.required && !row.info.required) {
        known->info.required = false;
        known->standard = {};
        known->info.help += "; " + names_of_choosing() + ": " + row.info.help;
      }
    }
  return sheet;
}

}  // namespace mote::sim
