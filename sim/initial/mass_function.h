#pragma once

#include <vector>

namespace mote::sim {

/// Numbers of stars by mass, dN/dm, as powers of the mass that join without steps. In solar masses.
class MassFunction {
 public:
  /// dN/dm ~ m^-slope above `above`, up to where the next piece begins.
  struct Piece {
    double above;
    double slope;
  };

  /// `pieces` in the order of their masses; 0 < minimum < maximum, and the first begins at or below
  /// `minimum`.
  MassFunction(const std::vector<Piece>& pieces, double minimum, double maximum);

  /// The mass below which the fraction u of all stars lies, u in [0, 1].
  double mass_at(double u) const;

 private:
  struct Part {
    double low, high;
    double power;   ///< 1 - slope
    double number;  ///< stars in it and in those below, as a fraction
  };
  std::vector<Part> parts_;
};

/// Salpeter (1955, ApJ 121, 161): dN/dm ~ m^-2.35.
MassFunction salpeter(double minimum, double maximum);

/// Kroupa (2001, MNRAS 322, 231), eq. 2: slopes 1.3 below half a solar mass, 2.3 above. His third
/// piece, below 0.08 (brown dwarfs), goes on with 1.3 here.
MassFunction kroupa(double minimum, double maximum);

}  // namespace mote::sim
