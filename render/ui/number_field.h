#pragma once

#include <optional>
#include <string>

#include "engine/params.h"

namespace mote::render::ui {

/// One number as a field: a slider where both bounds are finite, else it is dragged, without ends.
/// Ctrl and a click, or two clicks, open it for typing; Return or a click elsewhere takes what was
/// typed, Escape drops it.
struct NumberField {
  const engine::ParamInfo& info;
  bool whole = false;           ///< an integer
  engine::ParamValue value;     ///< std::int64_t if whole, else double
  engine::ParamValue standard;  ///< a mark on the slider; none if it is no number
  std::string unit;             ///< behind the number, where there is room
};

/// Takes `width` pixels and the height of a frame. The new value at every change.
std::optional<engine::ParamValue> number_field(const char* id, const NumberField& field,
                                               float width);

/// Like ImGui::InputText, for text that its owner keeps elsewhere: what was typed, once editing has
/// ended with a change.
std::optional<std::string> text_field(const char* id, const std::string& text, float width);

}  // namespace mote::render::ui
