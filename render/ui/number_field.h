#pragma once

#include <optional>
#include <string>

#include "engine/params.h"

namespace mote::render::ui {

/// A text field in place of a widget that is otherwise dragged, after `start_typing` until the user
/// has finished. `id`: of the widget.
void start_typing(unsigned id);
bool is_typing(unsigned id);
std::optional<std::string> typed_text(const std::string& text, float width);

/// An input field for one number: a slider if both bounds are finite, else dragged without limits.
/// Ctrl+click or a double click opens it for typing; Return or a click elsewhere accepts the text,
/// Escape discards it.
struct NumberField {
  const engine::ParamInfo& info;
  bool whole = false;                ///< an integer
  engine::ParamValue value;          ///< std::int64_t if whole, else double
  engine::ParamValue default_value;  ///< marked on the slider; not marked if it is no number
  std::string unit;                  ///< after the number, if it fits
};

/// Occupies `width` pixels and the height of a frame. Returns the new value at every change.
std::optional<engine::ParamValue> number_field(const char* id, const NumberField& field,
                                               float width);

/// Like ImGui::InputText for text owned elsewhere: returns the new text once editing has ended with
/// a change.
std::optional<std::string> text_field(const char* id, const std::string& text, float width);

}  // namespace mote::render::ui
