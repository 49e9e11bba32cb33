#pragma once

#include <vector>

namespace mote::sim {

/// An initial mass function dN/dm: a continuous broken power law. Masses in solar masses.
class MassFunction {
 public:
  /// dN/dm ~ m^-slope from `above` to the beginning of the next piece.
  struct Piece {
    double above;
    double slope;
  };

  /// `pieces` in ascending order of mass; 0 < minimum < maximum, and the first piece begins at or
  /// below `minimum`.
  MassFunction(const std::vector<Piece>& pieces, double minimum, double maximum);

  /// The mass below which a fraction u of all stars lies, u in [0, 1] (inverse cumulative
  /// distribution).
  double mass_at(double u) const;

 private:
  struct Part {
    double low, high;
    double power;       ///< 1 - slope
    double cumulative;  ///< fraction of the stars in this part and below
  };
  std::vector<Part> parts_;
};

/// Salpeter (1955, ApJ 121, 161): dN/dm ~ m^-2.35.
MassFunction salpeter(double minimum, double maximum);

/// Kroupa (2001, MNRAS 322, 231), eq. 2: slope 1.3 below half a solar mass, 2.3 above. The third
/// piece, below 0.08 (brown dwarfs), is replaced by slope 1.3.
MassFunction kroupa(double minimum, double maximum);

}  // namespace mote::sim
