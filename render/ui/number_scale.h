#pragma once

#include <optional>
#include <string>

#include "engine/params.h"

/// From pixels and typed text to values of a parameter. Plain arithmetic: nothing here draws.
namespace mote::render::ui {

class NumberScale {
 public:
  /// Of an integer or a real, or of a component of a vector.
  NumberScale(const engine::ParamInfo& info, bool whole);

  /// Both ends are finite: a slider. Otherwise what is dragged has no ends.
  bool bounded() const { return bounded_; }
  /// The range is so long (more than three decades, from zero or above) that a slider shows powers
  /// of ten.
  bool logarithmic() const { return logarithmic_; }

  /// Where a value stands on a slider, from 0 to 1.
  double position_of(double value) const;
  /// What a slider of `width` pixels gives at a position: as round as a pixel allows, allowed by
  /// the range; the very bounds at its ends, unless they are excluded.
  double value_at(double position, double width) const;
  /// What a value becomes when it is dragged by so many pixels: 200 of them are about its own size.
  /// `standard` gives the size where the value is zero.
  double dragged(double start, double pixels, double standard) const;

  /// A value to begin with where none is given.
  double suggestion() const;

 private:
  double rounded(double value, double resolution) const;
  double allowed(double value, double resolution) const;

  double minimum_, maximum_;
  double smallest_ = 0;  ///< positive value at the left end of a logarithmic slider, just right of
                         ///< zero
  bool minimum_excluded_, whole_, bounded_, logarithmic_;
};

/// A typed number ("0.02", "1e6", "65,536"), put into the range. Nothing when it is no number of
/// the type, or is at or below a minimum that is excluded: then there is no nearest value.
std::optional<engine::ParamValue> read_number(const std::string& text,
                                              const engine::ParamInfo& info, bool whole);

}  // namespace mote::render::ui
