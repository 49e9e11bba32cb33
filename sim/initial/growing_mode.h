#pragma once

namespace mote::sim {

/// Growth rate dlnD/dt of the growing mode of a small density contrast in pressureless matter, in
/// units of the critical rate of expansion sqrt(8 pi G rho / 3). `expansion`: the present rate of
/// expansion in the same unit, 0 (at its largest size, about to collapse) to 1 (Einstein-de Sitter,
/// just unbound; D ~ a, so that the rate is 1).
///
/// Peebles (1980), The Large-Scale Structure of the Universe, section 11: with the development
/// angle eta of closed matter, R ~ 1 - cos eta and t ~ eta - sin eta,
///   D ~ (5 + cos eta) / (1 - cos eta) - 3 eta sin eta / (1 - cos eta)^2
/// Expansion is cos(eta / 2). At rest, eta = pi, the rate is 3 pi / 8.
double growing_rate(double expansion);

}  // namespace mote::sim
