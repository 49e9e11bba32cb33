#pragma once

#include <optional>
#include <string>

#include "engine/params.h"

/// Maps pixels and typed text to parameter values. Plain arithmetic, no drawing.
namespace mote::render::ui {

class NumberScale {
 public:
  /// The scale of an integer or a real, or of a component of a vector.
  NumberScale(const engine::ParamInfo& info, bool whole);

  /// Both bounds are finite: a slider. Otherwise dragging is unlimited.
  bool bounded() const { return bounded_; }
  /// The slider is logarithmic: the maximum is above 1000 times the minimum, or above 1000 if the
  /// minimum is 0.
  bool logarithmic() const { return logarithmic_; }

  /// Position of a value on a slider, from 0 to 1.
  double position_of(double value) const;
  /// Value of a slider of `width` pixels at a position: as round as the pixel resolution permits,
  /// within the range; exactly the bounds at its ends, unless they are excluded.
  double value_at(double position, double width) const;
  /// Value after dragging by so many pixels: 200 pixels add about its magnitude, or multiply it by
  /// e if negative values are excluded. Where it is zero, `default_value` (NaN: none) gives the
  /// magnitude.
  double dragged(double start, double pixels, double default_value) const;

  /// Initial value where none is set.
  double suggestion() const;

 private:
  double rounded(double value, double resolution) const;
  double allowed(double value, double resolution) const;

  double minimum_, maximum_;
  double smallest_ = 0;  ///< smallest positive value of a logarithmic slider, just right of zero
  bool minimum_excluded_, whole_, bounded_, logarithmic_;
};

/// Parses a typed number ("0.02", "1e6", "65,536") and clamps it to the range. Nothing when it is
/// no number of the type, or is at or below an excluded minimum, which has no nearest valid value.
std::optional<engine::ParamValue> parse_number(const std::string& text,
                                               const engine::ParamInfo& info, bool whole);

}  // namespace mote::render::ui
