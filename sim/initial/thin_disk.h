#pragma once

namespace mote::sim {

/// Gravity of an infinite razor-thin disk with surface density exp(-R), G = scale length = central
/// surface density = 1, at cylindrical radius R > 0 and `height` >= 0 above the plane. With Plummer
/// softening eps, the radial acceleration at height z equals the unsoftened one at height
/// h = sqrt(z^2 + eps^2), and the vertical acceleration is z / h times the unsoftened one at h.
///
/// Integrated over homoeoids, where the integrand is not singular at any height (Cuddeford 1993,
/// MNRAS 262, 1076; Binney & Tremaine 2008, eq. 2.170, differentiated). Relative error below 1e-6
/// for heights up to 10 and radii from 0.001 to 30.

/// R times the acceleration towards the axis: at height 0, the squared circular velocity (Freeman
/// 1970, ApJ 160, 811, eq. 12).
double thin_disk_velocity_squared(double radius, double height);

/// The acceleration towards the plane; just above it, 2 pi exp(-R).
double thin_disk_vertical_gravity(double radius, double height);

}  // namespace mote::sim
