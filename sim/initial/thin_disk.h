#pragma once

namespace mote::sim {

/// Gravity of an infinite razor-thin disk with surface density exp(-R), G = scale length = central
/// surface density = 1, at cylindrical radius R > 0 and `height` above the plane, height >= 0. A
/// body that feels gravity with Plummer softening eps at height z feels the pull towards the axis
/// that an unsoftened one feels at height h = sqrt(z^2 + eps^2), and z / h times its pull towards
/// the plane.
///
/// Sums over homoeoids, which have no singular integrand at any height (Cuddeford 1993, MNRAS 262,
/// 1076; Binney & Tremaine 2008, eq. 2.170, differentiated). Relative error below 1e-6 for heights
/// up to 10 and radii from 0.001 to 30.

/// R times the pull towards the axis: at height 0, the square of the circular velocity (Freeman
/// 1970, ApJ 160, 811, eq. 12).
double thin_disk_velocity_squared(double radius, double height);

/// The pull towards the plane; just above it, 2 pi exp(-R).
double thin_disk_vertical_pull(double radius, double height);

}  // namespace mote::sim
