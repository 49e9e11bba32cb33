#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/sweep/plan.h"
#include "engine/json.h"
#include "engine/quantity.h"
#include "engine/text.h"

namespace mote::app {

using engine::Json;

Json SweepSpan::at(double fraction) const {
  double value =
      log ? std::exp(std::log(minimum) + fraction * (std::log(maximum) - std::log(minimum)))
          : minimum + fraction * (maximum - minimum);
  value = fraction == 0 ? minimum : fraction == 1 ? maximum : std::clamp(value, minimum, maximum);
  if (whole) value = std::round(value);
  if (!unit.empty()) return engine::number_text(value) + " " + unit;
  if (whole && std::fabs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}

std::string typed_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return engine::number_text(value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> items;
  for (const Json& item : value) items.push_back(typed_text(item));
  return "{" + engine::joined(items, ", ") + "}";
}

std::pair<std::string, std::string> number_and_unit(const std::string& text) {
  if (!engine::looks_like_quantity(text) || !engine::has_unit(text)) return {text, ""};
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  const std::string_view rest(end);
  return {text.substr(0, text.size() - rest.size()),
          std::string(rest.substr(std::min(rest.find_first_not_of(' '), rest.size())))};
}

}  // namespace mote::app
