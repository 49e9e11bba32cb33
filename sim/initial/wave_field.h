#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// A sum of plane waves in a periodic cube of side L about the origin, with wave vectors
/// k = 2 pi m / L for all whole m with 0 < |m| <= `waves`, one of each pair k, -k:
///
///   delta(q) = sum A_k cos(k . q + phase_k),  A_k^2 ~ |k|^index
///
/// Amplitudes are those of the power spectrum and only phases are random, so that the mean square
/// of delta in the cube, sum A_k^2 / 2, is `rms`^2 exactly and not only on average (Angulo &
/// Pontzen 2016, MNRAS 462, L1); sums of many such waves are as normal as with random amplitudes.
/// The phase of a wave is a function of seed, stream and m alone: fewer waves are the same waves,
/// without the shortest.
struct WaveSpectrum {
  double side = 1;   ///< L, length
  double rms = 0.1;  ///< rms of delta
  double index = -2;
  int waves = 8;  ///< shortest wavelength: L / waves; at most `most_waves`
  std::uint64_t seed = 1;
  std::uint32_t stream = 0;

  static constexpr int most_waves = 64;
};

/// The displacement s with -div s = delta, s = -sum A_k k / k^2 sin(k . q + phase_k), summed along
/// rows in x: terms are added over m_z once a layer, over m_y once a row, and over m_x for each
/// point, which takes n (waves + 1) terms for n points instead of n times the number of waves.
class WaveField {
 public:
  /// Sums the waves of `spectrum` up to `used`; amplitudes stay those of all.
  WaveField(const WaveSpectrum& spectrum, int used);

  /// sqrt of the mean of s^2 in the cube, sum A_k^2 / 2 k^2, of the waves that are summed [length].
  double rms_displacement() const { return rms_displacement_; }

  /// cos and sin of 2 pi m x / L for m = 0 to `used` and points x: tables for Rows.
  struct Columns {
    std::vector<double> cosines, sines;  ///< [m][point]
    std::size_t points;
  };
  Columns columns_at(const std::vector<double>& x) const;

  /// The sums of one layer and row; for one thread.
  class Rows {
   public:
    explicit Rows(const WaveField& field);
    void start_layer(double z);
    void start_row(double y);  ///< starts a row of the layer
    /// Displacements at `count` points of the row from `begin` in `columns`, into `to`.
    void displace(const Columns& columns, std::size_t begin, std::size_t count, engine::Vec3d* to);

   private:
    const WaveField& field_;
    std::vector<std::complex<double>> layer_, layer_z_;  ///< [m_y][m_x]
    std::vector<std::complex<double>> turn_;             ///< exp(2 pi i m y / L), m from 0
    std::vector<double> cosines_[3], sines_[3];          ///< factors of cos and sin in a row, [m_x]
    std::vector<double> sums_[3];
  };

 private:
  struct Wave {
    int m_z;
    std::complex<double> factor;  ///< i A exp(i phase) / |m|^2 L / 2 pi
  };
  std::size_t column_of(int m_x, int m_y) const {
    const auto across = static_cast<std::size_t>(2 * used_ + 1);
    return static_cast<std::size_t>(m_y + used_) * across + static_cast<std::size_t>(m_x + used_);
  }
  void fill_turns(double at, std::vector<std::complex<double>>& turn) const;

  int used_;
  double side_, rms_displacement_ = 0;
  std::vector<std::vector<Wave>> waves_;  ///< [m_y][m_x]
};

}  // namespace mote::sim
