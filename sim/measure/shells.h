#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/math/hash.h"
#include "engine/math/vec.h"
#include "engine/platform.h"
#include "sim/state.h"

/// Radii of the spheres about the centre of mass that hold given fractions of the mass. That of a
/// fraction is the distance of the body at which the mass, summed outwards, reaches the fraction.
///
/// It is found without sorting, by radix selection: the key of a body is its distance as an
/// integer, and the digits of the wanted key are found one after the other, the highest first. A
/// pass over all bodies adds the masses of those whose leading digits are the ones found so far
/// into bins by their next digit, and the bin in which the sum reaches the fraction is that digit.
/// Masses are added as integers: the radii depend neither on the order of the bodies nor on how the
/// work is divided.
namespace mote::sim {

/// Number of fractions that are searched for at once.
inline constexpr int shell_fractions = 3;

/// Digits of a key. The bits of a non-negative double, read as an integer, are in the order of the
/// numbers. Below the sign, which is 0, they are six digits: the exponent, four digits of 11 bits,
/// and one of the last 8 bits.
inline constexpr int shell_digits = 6, shell_digit_bits = 11, shell_bins = 1 << shell_digit_bits;

/// The place of a digit's lowest bit. Digit -1 stands for the sign.
MOTE_HOST_DEVICE constexpr int shell_shift(int digit) {
  const int shift = 63 - shell_digit_bits * (digit + 1);
  return shift > 0 ? shift : 0;
}
/// The bins of a digit are numbered by its value.
MOTE_HOST_DEVICE constexpr int shell_bin(std::uint64_t key, int digit) {
  const int bits = shell_shift(digit - 1) - shell_shift(digit);
  return static_cast<int>(key >> shell_shift(digit) & ((std::uint64_t{1} << bits) - 1));
}
/// False for the key of an infinite distance or NaN, of either sign.
MOTE_HOST_DEVICE constexpr bool is_finite_key(std::uint64_t key) {
  return key >> shell_shift(0) < shell_bins - 1;
}

/// Mass in units of 2^-62 of the total mass: below 2^63 together. The type is that of CUDA's
/// atomic functions.
using ShellWeight = unsigned long long;

/// The weight that a sphere must hold for `fraction` of all bodies, whose weights are `total`
/// together. Rounding each weight by at most half a unit changes the comparison by at most
/// count / 2. The factor covers the rounding of the products with doubles here and in `weight`.
/// Without both, the 100th of 1,000 equal bodies may fall short of 10 %. At least 1, so that the
/// body found is not massless.
MOTE_HOST_DEVICE inline ShellWeight shell_limit(double fraction, ShellWeight total,
                                                engine::Index count) {
  const double limit =
      fraction * static_cast<double>(total) * (1 - 1e-12) - (static_cast<double>(count) / 2 + 1);
  return limit < 1 ? 1 : static_cast<ShellWeight>(limit);
}

/// Bodies about their centre of mass. `Real` may be const. Distances in the scene's unit of length.
template <class Real>
struct ShellBodies {
  StateView<Real> state;
  engine::Vec3d center;
  double mass;  ///< total mass; positive and finite

  MOTE_HOST_DEVICE std::uint64_t key(engine::Index i) const {
    const engine::Vec3d d = engine::Vec3d{state.x[i], state.y[i], state.z[i]} - center;
    return engine::bits_of(std::sqrt(dot(d, d)));
  }
  MOTE_HOST_DEVICE ShellWeight weight(engine::Index i) const {
    return static_cast<ShellWeight>(static_cast<double>(state.mass[i]) / mass * 0x1p62 + 0.5);
  }
};

/// The first of `count` bins at which the weight, summed from `inside`, reaches the limit, or the
/// last if none does.
struct ShellBin {
  int bin;
  ShellWeight inside;  ///< the sum before that bin
};
MOTE_HOST_DEVICE inline ShellBin find_shell(const ShellWeight* bins, int count, ShellWeight inside,
                                            ShellWeight limit) {
  int bin = 0;
  while (bin + 1 < count && inside + bins[bin] < limit) inside += bins[bin++];
  return {bin, inside};
}

/// The digits found so far for each fraction, as one number.
struct ShellPrefixes {
  std::uint64_t of[shell_fractions];

  /// The first fraction with this prefix, or -1. Fractions with the same prefix share a histogram,
  /// in the first pass all of them.
  MOTE_HOST_DEVICE int first_with(std::uint64_t prefix) const {
    for (int k = 0; k < shell_fractions; ++k)
      if (of[k] == prefix) return k;
    return -1;
  }
};

/// The state of a search; all zero at its beginning.
struct ShellSearch {
  ShellPrefixes prefixes;
  ShellWeight inside[shell_fractions];  ///< weight of the bodies whose leading digits are smaller
  ShellWeight limit[shell_fractions];   ///< the first pass finds the total weight, and so sets it
  unsigned not_finite;                  ///< whether a distance is infinite or NaN

  /// Appends a digit for fraction k.
  MOTE_HOST_DEVICE void append(int k, int digit, const ShellBin& found) {
    prefixes.of[k] = prefixes.of[k] << (shell_shift(digit - 1) - shell_shift(digit)) |
                     static_cast<std::uint64_t>(found.bin);
    inside[k] = found.inside;
  }
  /// When all digits are found. Zeros if a distance is not finite.
  std::array<double, shell_fractions> radii() const {
    std::array<double, shell_fractions> radii{};
    if (not_finite == 0)
      for (std::size_t k = 0; k < radii.size(); ++k)
        radii[k] = std::bit_cast<double>(prefixes.of[k]);
    return radii;
  }
};

/// The radii for `fractions`, each in (0, 1], of at least one body. The same bits for any number of
/// threads. Zeros if a distance is not finite. Defined for const float and const double.
template <class Real>
std::array<double, shell_fractions> shell_radii(
    const engine::Cpu& exec, const ShellBodies<Real>& bodies,
    const std::array<double, shell_fractions>& fractions);

}  // namespace mote::sim
