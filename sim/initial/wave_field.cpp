#include "sim/initial/wave_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/check.h"
#include "engine/math/random.h"

namespace mote::sim {
namespace {

using engine::Vec3d;
using Complex = std::complex<double>;
constexpr int most = WaveSpectrum::most_waves;

/// Calls `use(x, y, z)` for one m of each pair m, -m with 0 < |m| <= waves.
template <class Use>
void for_waves(int waves, Use&& use) {
  for (int z = 0; z <= waves; ++z)
    for (int y = z == 0 ? 0 : -waves; y <= waves; ++y)
      for (int x = z == 0 && y == 0 ? 1 : -waves; x <= waves; ++x)
        if (x * x + y * y + z * z <= waves * waves) use(x, y, z);
}

double squared(int x, int y, int z) {
  return static_cast<double>(x * x + y * y + z * z);
}

double draw_phase(const WaveSpectrum& spectrum, int x, int y, int z) {
  constexpr auto across = static_cast<std::uint64_t>(2 * most + 1);
  const auto wave =
      (static_cast<std::uint64_t>(z) * across + static_cast<std::uint64_t>(y + most)) * across +
      static_cast<std::uint64_t>(x + most);
  engine::Random random(spectrum.seed, spectrum.stream, wave);
  return random.uniform(0, 2 * std::numbers::pi);
}

}  // namespace

WaveField::WaveField(const WaveSpectrum& spectrum, int used)
    : used_(std::min(used, spectrum.waves)), side_(spectrum.side) {
  MOTE_EXPECT(spectrum.waves >= 1 && spectrum.waves <= most && used >= 0);
  double sum = 0;
  for_waves(spectrum.waves,
            [&](int x, int y, int z) { sum += std::pow(squared(x, y, z), spectrum.index / 2); });
  const double largest = spectrum.rms * std::sqrt(2 / sum);  // A of |m| = 1
  const double longest = spectrum.side / (2 * std::numbers::pi);
  const auto across = static_cast<std::size_t>(2 * used_ + 1);
  waves_.resize(across * across);
  double mean_square = 0;
  for_waves(used_, [&](int x, int y, int z) {
    const double m2 = squared(x, y, z), amplitude = largest * std::pow(m2, spectrum.index / 4);
    mean_square += amplitude * amplitude / (2 * m2) * longest * longest;
    waves_[column_of(x, y)].push_back(
        {z, Complex{0, 1} * std::polar(amplitude / m2 * longest, draw_phase(spectrum, x, y, z))});
  });
  rms_displacement_ = std::sqrt(mean_square);
}

void WaveField::fill_turns(double at, std::vector<Complex>& turn) const {
  for (int m = 0; m <= used_; ++m)
    turn[static_cast<std::size_t>(m)] = std::polar(1.0, 2 * std::numbers::pi * m * (at / side_));
}

WaveField::Columns WaveField::columns_at(const std::vector<double>& x) const {
  Columns columns{{}, {}, x.size()};
  for (int m = 0; m <= used_; ++m)
    for (const double at : x) {
      const double angle = 2 * std::numbers::pi * m * (at / side_);
      columns.cosines.push_back(std::cos(angle)), columns.sines.push_back(std::sin(angle));
    }
  return columns;
}

WaveField::Rows::Rows(const WaveField& field)
    : field_(field),
      layer_(field.waves_.size()),
      layer_z_(field.waves_.size()),
      turn_(static_cast<std::size_t>(field.used_ + 1)) {
  for (int axis = 0; axis < 3; ++axis) {
    cosines_[axis].resize(turn_.size());
    sines_[axis].resize(turn_.size());
  }
}

void WaveField::Rows::start_layer(double z) {
  field_.fill_turns(z, turn_);
  for (std::size_t column = 0; column < layer_.size(); ++column) {
    Complex sum = 0, sum_z = 0;
    for (const Wave& wave : field_.waves_[column]) {
      const Complex term = wave.factor * turn_[static_cast<std::size_t>(wave.m_z)];
      sum += term, sum_z += static_cast<double>(wave.m_z) * term;
    }
    layer_[column] = sum, layer_z_[column] = sum_z;
  }
}

void WaveField::Rows::start_row(double y) {
  field_.fill_turns(y, turn_);
  // The terms of m_x, times each component of m.
  const auto terms_of = [&](int m_x, Complex(&terms)[3]) {
    Complex sum = 0, sum_y = 0, sum_z = 0;
    for (int m_y = -field_.used_; m_y <= field_.used_; ++m_y) {
      const Complex there = turn_[static_cast<std::size_t>(std::abs(m_y))];
      const Complex turn = m_y < 0 ? std::conj(there) : there;
      const std::size_t column = field_.column_of(m_x, m_y);
      const Complex term = layer_[column] * turn;
      sum += term, sum_y += static_cast<double>(m_y) * term, sum_z += layer_z_[column] * turn;
    }
    terms[0] = static_cast<double>(m_x) * sum, terms[1] = sum_y, terms[2] = sum_z;
  };
  for (int m = 0; m <= field_.used_; ++m) {
    Complex right[3], left[3] = {};
    terms_of(m, right);
    if (m > 0) terms_of(-m, left);
    // Re (r exp(i a) + l exp(-i a)) = (Re r + Re l) cos a + (Im l - Im r) sin a
    for (int axis = 0; axis < 3; ++axis) {
      cosines_[axis][static_cast<std::size_t>(m)] = right[axis].real() + left[axis].real();
      sines_[axis][static_cast<std::size_t>(m)] = left[axis].imag() - right[axis].imag();
    }
  }
}

void WaveField::Rows::displace(const Columns& columns, std::size_t begin, std::size_t count,
                               Vec3d* to) {
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double>& sums = sums_[axis];
    sums.assign(count, 0);
    for (std::size_t m = 0; m < turn_.size(); ++m) {
      const double c = cosines_[axis][m], s = sines_[axis][m];
      const double* const cosines = columns.cosines.data() + m * columns.points + begin;
      const double* const sines = columns.sines.data() + m * columns.points + begin;
      for (std::size_t i = 0; i < count; ++i) sums[i] += c * cosines[i] + s * sines[i];
    }
  }
  for (std::size_t i = 0; i < count; ++i) to[i] = {sums_[0][i], sums_[1][i], sums_[2][i]};
}

}  // namespace mote::sim
