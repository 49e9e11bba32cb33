#include "sim/measure/scalars.h"

#include "engine/text.h"

namespace mote::sim {

Quantity::Quantity(std::string_view text) {
  const ScalarInfo* const named = scalar_named(text);
  kind = named ? named->scalar : Scalar::expression;
  if (!named) expression = text;
}

const std::vector<ScalarInfo>& scalars() {
  static const std::vector<ScalarInfo> all{
      {Scalar::speed, "speed", "velocity", "magnitude of the velocity"},
      {Scalar::radius, "radius", "length", "distance from the origin"},
      {Scalar::x, "x", "length", "position along x"},
      {Scalar::y, "y", "length", "position along y"},
      {Scalar::z, "z", "length", "position along z"},
      {Scalar::mass, "mass", "mass", "mass"},
      {Scalar::acceleration, "acceleration", "acceleration", "magnitude of the acceleration"},
      {Scalar::id, "id", "", "number of the body, counted from 0"},
      {Scalar::species, "species", "",
       "index of the species in the order of their names, 0 for none"},
      {Scalar::force, "force", "force", "magnitude of the force: mass times acceleration"},
      {Scalar::density, "density", "density",
       "mass density: that of the fluid, else an estimate from the 32 nearest bodies"},
      {Scalar::potential, "potential", "specific energy", "potential of gravity per unit mass"},
  };
  return all;
}

const ScalarInfo& scalar_info(Scalar scalar) {
  return scalars()[static_cast<std::size_t>(scalar)];
}

ScalarInfo scalar_info(const Quantity& quantity) {
  if (quantity.kind == Scalar::expression)
    return {Scalar::expression, quantity.expression, "", "expression"};
  return scalar_info(quantity.kind);
}

const ScalarInfo* scalar_named(std::string_view name) {
  for (const ScalarInfo& s : scalars())
    if (s.name == name) return &s;
  return nullptr;
}

std::string scalar_names() {
  std::vector<std::string> names;
  for (const ScalarInfo& s : scalars()) names.push_back(s.name);
  return engine::joined(names, ", ");
}

std::string unit_text(const ScalarInfo& scalar, const engine::UnitSystem& units) {
  return units.label(scalar.quantity);
}

}  // namespace mote::sim
