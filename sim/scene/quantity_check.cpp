#include "sim/scene/quantity_check.h"

#include "engine/text.h"
#include "sim/expression/expression.h"
#include "sim/measure/scalars.h"
#include "sim/model/modules.h"

namespace mote::sim {
namespace {

bool has_potentials(const ModuleInfo& module) {
  return module.has_potentials;
}

/// True if a text can only be meant as a name.
bool is_word(const std::string& text) {
  for (const char c : text)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')) return false;
  return true;
}

}  // namespace

QuantityTraits traits_for_quantities(const SceneDescription& scene) {
  QuantityTraits traits{!scene.species.empty(), false};
  for (const Physics& p : scene.physics)
    traits.potential = traits.potential || has_potentials(p.info());
  return traits;
}

std::optional<engine::Diagnostic> quantity_problem(const QuantityTraits& traits,
                                                   const std::string& text,
                                                   const std::string& location,
                                                   const std::string& key) {
  const Quantity quantity(text);
  if (quantity == Scalar::species && !traits.species)
    return engine::Diagnostic{location, key, "the scene has no species",
                              "name them, as in species = { star = { color = \"#ffcc88\" } }, or "
                              "choose something else"};
  if (quantity == Scalar::potential && !traits.potential)
    return engine::Diagnostic{location, key,
                              "the potential is that of " + joined_subjects(has_potentials) +
                                  ", which the scene does not have",
                              "choose something else"};
  if (quantity.kind != Scalar::expression) return std::nullopt;
  try {
    Expressions graph;
    graph.read(text, {});
    return std::nullopt;
  } catch (const ExpressionProblem& wrong) {
    if (!text.empty() && is_word(text)) {
      std::vector<std::string> names;
      for (const ScalarInfo& s : scalars()) names.push_back(s.name);
      return engine::Diagnostic{
          location, key, "bodies have no scalar " + engine::quoted(text),
          engine::did_you_mean(
              text, names, "write an expression of x, y, z, vx, vy, vz, r, m and t, or one of: ")};
    }
    return diagnostic_of(wrong, text, location, key);
  }
}

std::optional<engine::Diagnostic> show_problem(const std::string& text, const std::string& location,
                                               const std::string& key) {
  if (text.empty()) return std::nullopt;
  try {
    Expressions graph;
    graph.read(text, {});
    return std::nullopt;
  } catch (const ExpressionProblem& wrong) {
    return diagnostic_of(wrong, text, location, key);
  }
}

}  // namespace mote::sim
