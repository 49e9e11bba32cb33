#pragma once

#include <optional>
#include <string>

#include "engine/check.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Traits of a scene that decide whether bodies have a quantity.
struct QuantityTraits {
  bool species = false, potential = false;
};
QuantityTraits traits_for_quantities(const SceneDescription& scene);

/// Why bodies do not have the quantity that a text names or is an expression of, or nothing. At
/// this location and key.
std::optional<engine::Diagnostic> quantity_problem(const QuantityTraits& traits,
                                                   const std::string& text,
                                                   const std::string& location,
                                                   const std::string& key);

/// The problem with an expression of view.show, or nothing. "" is right: it shows all bodies.
std::optional<engine::Diagnostic> show_problem(const std::string& text, const std::string& location,
                                               const std::string& key);

}  // namespace mote::sim
