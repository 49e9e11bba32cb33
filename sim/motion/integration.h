#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/motion/integrator.h"

namespace mote::sim {

/// The `integrator` table of a scene.
struct Integration {
  std::string name = "leapfrog";
  double dt = 0;  ///< [time], the step or its limit; 0: no limit, if the integrator chooses its
                  ///< steps
  /// The integrator's own options that are given, by name.
  std::map<std::string, engine::ParamValue> options = {};
};

/// The options of an integrator as it defines them.
template <class Options>
Options options_of(const Integration& integration, const engine::ParamTable<Options>& table) {
  Options options;
  for (const engine::Param<Options>& p : table.params)
    if (const auto given = integration.options.find(p.info.name);
        given != integration.options.end())
      p.set(options, given->second);
  return options;
}

/// Steps that follow a flow (flow_step.h), an option of compositions.
struct FlowOptions {
  std::optional<double> courant = {};  ///< length as a fraction of the largest stable one
  std::int64_t every = 20;             ///< steps between updates of the length
};
const engine::ParamTable<FlowOptions>& flow_table();
FlowOptions flow_of(const Integration& integration);

/// Adds the rows of a table of options, to be read with options_of().
template <class Options>
void add_options(engine::ParamTable<Integration>& to, const engine::ParamTable<Options>& table) {
  for (const engine::Param<Options>& p : table.params) {
    const std::string name = p.info.name;
    const engine::ParamValue standard = p.get(Options{});
    to.params.push_back(
        {p.info, p.type,
         [name, standard](const Integration& i) {
           const auto given = i.options.find(name);
           return given == i.options.end() ? standard : given->second;
         },
         [name](Integration& i, const engine::ParamValue& value) { i.options[name] = value; }});
  }
}

/// Traits of the forces of a scene that integrators depend on.
struct ForceTraits {
  Step stages;  ///< stages of a composition, with those that modules add (step_of)
  bool velocity_dependent = false;  ///< a force performs the kicks
  /// Forces depend on differences of positions only, and keep no positions.
  bool translation_invariant = false;
};

/// A feature that an integrator cannot be combined with.
struct IntegratorRule {
  std::string feature;  ///< a feature of modules
  std::string remedy;
};

/// One of the list of integrators, as scenes, plans and documents see it.
struct IntegratorInfo {
  std::string name;
  std::string help;  ///< one line
  int order;         ///< the global error is O(dt^order)
  /// `dt` is the longest step and may be left out.
  bool chooses_steps = false;
  bool block_steps = false;     ///< bodies have steps of their own: a step is of some of them
  std::string accuracy = "dt";  ///< the setting of which a smaller value makes errors smaller
  bool cuda = true;             ///< runs on a GPU, too
  bool any_precision = true;    ///< false: double only
  /// The kicks and drifts of every step, if there are such; for whole-step kernels, too.
  Step stages = {};
  /// Features of modules (features_of) that it cannot be combined with, and what to do then.
  std::vector<IntegratorRule> excludes = {};
  std::vector<IntegratorRule> excludes_on_gpu = {};  ///< the same, on a GPU only
  std::uint64_t bytes_per_body = 0;                  ///< that it keeps from step to step
  /// Adds its own options to the table of name and dt; may be null.
  void (*add_options)(engine::ParamTable<Integration>&) = nullptr;
  /// On the CPU; make_integrator() makes those of either backend.
  std::unique_ptr<Integrator<engine::Cpu>> (*make)(const Integration&,
                                                   const ForceTraits&) = nullptr;
};

}  // namespace mote::sim
