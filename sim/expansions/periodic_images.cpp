#include "sim/expansions/periodic_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/check.h"
#include "sim/space/image_formula.h"

namespace mote::sim {
namespace {

using engine::Vec3d;
using std::numbers::pi;

constexpr int count = PeriodicImages::count, half = PeriodicImages::half;

struct Quadrature {
  std::vector<double> t, weight;

  /// Adds the n-point Gauss-Legendre rule on the interval from low to high.
  void add(double low, double high, int n) {
    for (int i = 0; i < n; ++i) {
      double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
      for (int newton = 0; newton < 10; ++newton) {
        double p = 1, before = 0;
        for (int k = 0; k < n; ++k)
          before = std::exchange(p, ((2 * k + 1) * x * p - k * before) / (k + 1));
        slope = n * (x * p - before) / (x * x - 1);
        x -= p / slope;
      }
      t.push_back(0.5 * (low + high + (high - low) * x));
      weight.push_back((high - low) / ((1 - x * x) * slope * slope));
    }
  }
};

/// sum_n e^(-(d + n L)^2 t^2) over all n. For t L < 1 Poisson's summation formula gives a series
/// that converges faster.
double all_images(double d, double length, double t) {
  const double s = t * length;
  double sum = 0;
  if (s < 1) {
    sum = 1;
    for (int k = 1; k <= 4; ++k)
      sum += 2 * std::exp(-(pi * k / s) * (pi * k / s)) * std::cos(2 * pi * k * d / length);
    return std::sqrt(pi) / s * sum;
  }
  for (int n = -8; n <= 8; ++n) sum += std::exp(-(d / length + n) * (d / length + n) * s * s);
  return sum;
}

double near_images(double d, double length, int images, double t) {
  double sum = 0;
  for (int n = -images; n <= images; ++n) {
    const double x = (d + n * length) * t;
    sum += std::exp(-x * x);
  }
  return sum;
}

/// Coefficients of an even function of x - y in the Chebyshev products T_a(x) T_b(y), by the parity
/// of a and b, a / 2 and b / 2: those with a and b of different parity are zero.
using AxisCoefficients = std::array<std::array<std::array<double, half>, half>, 2>;

template <class Function>
AxisCoefficients expand(const Function& of_difference) {
  std::array<double, count> node{};
  for (int i = 0; i < count; ++i) node[std::size_t(i)] = std::cos(pi * (i + 0.5) / count);
  std::array<std::array<double, count>, count> polynomials{};  // [a][i], normalised
  for (int a = 0; a < count; ++a)
    for (int i = 0; i < count; ++i)
      polynomials[std::size_t(a)][std::size_t(i)] =
          (a == 0 ? 1.0 : 2.0) / count * std::cos(pi * a * (i + 0.5) / count);
  std::array<std::array<double, count>, count> values{}, rows{};
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      values[std::size_t(i)][std::size_t(j)] =
          of_difference(node[std::size_t(i)] - node[std::size_t(j)]);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t i = 0; i < count; ++i) rows[a][j] += polynomials[a][i] * values[i][j];
  AxisCoefficients result{};
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a % 2; b < count; b += 2) {
      double sum = 0;
      for (std::size_t j = 0; j < count; ++j) sum += polynomials[b][j] * rows[a][j];
      result[a % 2][a / 2][b / 2] = sum;
    }
  return result;
}

/// Adds `factor` times the product of the axes' coefficients to `kernel`, in the order of kernel().
void add_product(const AxisCoefficients (&axes)[3], double factor, std::vector<double>& kernel) {
  double* to = kernel.data();
  for (std::size_t parity = 0; parity < 8; ++parity) {
    const auto& x = axes[0][parity / 4];
    const auto& y = axes[1][parity / 2 % 2];
    const auto& z = axes[2][parity % 2];
    for (std::size_t a = 0; a < half; ++a)
      for (std::size_t b = 0; b < half; ++b)
        for (std::size_t c = 0; c < half; ++c)
          for (std::size_t i = 0; i < half; ++i)
            for (std::size_t j = 0; j < half; ++j) {
              const double outer = factor * x[a][i] * y[b][j];
              for (std::size_t k = 0; k < half; ++k) *to++ += outer * z[c][k];
            }
  }
}

using Table = std::array<double, std::size_t(count*(expansion::largest_order + 1))>;

struct Tables {
  Table axis[3];
};

/// The polynomials and their derivatives up to order p at the center of a cell, along each axis, in
/// units of the cell's scale. `sign`: -1 negates the odd derivatives, for moments.
Tables tables_at(const PeriodicImages::Frame& frame, const CellFrame& cell, int p, double sign) {
  Tables t;
  const Vec3d u = frame.at(cell.center);
  const double at[3] = {u.x, u.y, u.z},
               inverse[3] = {frame.inverse.x, frame.inverse.y, frame.inverse.z};
  for (int axis = 0; axis < 3; ++axis)
    PeriodicImages::polynomials(at[axis], sign * cell.scale * inverse[axis], p, p + 1,
                                t.axis[axis].data());
  return t;
}

/// Number of nearest images on each side of the box, by axis: enough that along every axis they
/// reach at least as far as the longest side of the box.
std::array<int, 3> images_along(const Domain& box) {
  const double sides[3] = {box.length.x, box.length.y, box.length.z};
  const double longest = std::max({sides[0], sides[1], sides[2]});
  std::array<int, 3> images{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    images[axis] = static_cast<int>(std::ceil(longest / sides[axis] - 1e-9));
  return images;
}

}  // namespace

std::vector<Vec3d> PeriodicImages::nearest_of(const Domain& box) {
  const auto [along_x, along_y, along_z] = images_along(box);
  std::vector<Vec3d> nearest{{0, 0, 0}};
  for (int x = -along_x; x <= along_x; ++x)
    for (int y = -along_y; y <= along_y; ++y)
      for (int z = -along_z; z <= along_z; ++z)
        if (x != 0 || y != 0 || z != 0)
          nearest.push_back({x * box.length.x, y * box.length.y, z * box.length.z});
  return nearest;
}

PeriodicImages::PeriodicImages(const Domain& box)
    : center_(box.low + 0.5 * box.length),
      half_length_(0.5 * box.length),
      unit_(std::max({box.length.x, box.length.y, box.length.z})),
      nearest_(nearest_of(box)),
      kernel_(std::size_t{8} * block * block) {
  MOTE_EXPECT(box.periodic[0] && box.periodic[1] && box.periodic[2]);
  const double sides[3] = {box.length.x / unit_, box.length.y / unit_, box.length.z / unit_};
  const std::array<int, 3> images = images_along(box);

  // Lengths are in units of the longest side. Beyond t = `last` the integrand is below 1e-16 except
  // for the background, whose integral from there to infinity is known.
  constexpr double last = 6.2;
  Quadrature rule;
  const double ends[] = {0, 0.5, 1, 2, 4, last};
  for (std::size_t k = 0; k + 1 < std::size(ends); ++k) rule.add(ends[k], ends[k + 1], 12);
  const double volume = sides[0] * sides[1] * sides[2];
  double background = -pi / (last * last * volume);
  for (std::size_t k = 0; k < rule.t.size(); ++k) {
    const double t = rule.t[k], factor = 2 / std::sqrt(pi) * rule.weight[k];
    AxisCoefficients all[3], near[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double side = sides[axis];
      const int count_of_images = images[static_cast<std::size_t>(axis)];
      near[axis] =
          expand([&](double u) { return near_images(0.5 * side * u, side, count_of_images, t); });
      all[axis] = expand([&](double u) { return all_images(0.5 * side * u, side, t); });
    }
    add_product(near, -factor, kernel_);
    // For t < 0.5 the sum over all images equals the background, and the two cancel.
    if (t < 0.5) continue;
    add_product(all, factor, kernel_);
    background -= factor * std::pow(pi, 1.5) / (t * t * t * volume);
  }
  kernel_[0] += background;
}

Vec3d PeriodicImages::inside(Vec3d x) const {
  const Vec3d low = center_ - half_length_;
  return {wrapped(x.x, low.x, 2 * half_length_.x).position,
          wrapped(x.y, low.y, 2 * half_length_.y).position,
          wrapped(x.z, low.z, 2 * half_length_.z).position};
}

void PeriodicImages::add_body(const Frame& frame, Vec3d position, double mass,
                              double* weights) const {
  const Tables t = tables_at(frame, {position, 0}, 0, 1);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      const double outer = mass * t.axis[0][std::size_t(a)] * t.axis[1][std::size_t(b)];
      for (int c = 0; c < count; ++c)
        weights[place_of(a, b, c)] += outer * t.axis[2][std::size_t(c)];
    }
}

// With y = center + d, T(y) = sum_n d^n / n! T^(n)(center), and M_n = sum m (-d)^n / n!. So
// sum m T(y) = sum_n (-1)^n M_n T^(n)(center), hence sign = -1; M_n and derivatives are in units of
// the scale. The sum over n is taken along one axis after the other.
void PeriodicImages::add_cell(const Frame& frame, const CellFrame& cell, int p,
                              const double* moments, double* weights) const {
  const Tables t = tables_at(frame, cell, p, -1);
  const std::size_t row = std::size_t(p) + 1;
  std::array<double, expansion::count_of(expansion::largest_order)> of_x;  // indexed by n_y and n_z
  std::array<double, expansion::largest_order + 1> of_xy;
  for (std::size_t a = 0; a < count; ++a) {
    const double* const tx = t.axis[0].data() + a * row;
    for (int y = 0; y <= p; ++y)
      for (int z = 0; y + z <= p; ++z) {
        double sum = 0;
        for (int x = 0; x + y + z <= p; ++x) sum += tx[x] * moments[expansion::index_of(x, y, z)];
        of_x[std::size_t(y * (p + 1) + z)] = sum;
      }
    for (std::size_t b = 0; b < count; ++b) {
      const double* const ty = t.axis[1].data() + b * row;
      for (int z = 0; z <= p; ++z) {
        double sum = 0;
        for (int y = 0; y + z <= p; ++y) sum += ty[y] * of_x[std::size_t(y * (p + 1) + z)];
        of_xy[std::size_t(z)] = sum;
      }
      for (std::size_t c = 0; c < count; ++c) {
        const double* const tz = t.axis[2].data() + c * row;
        double sum = 0;
        for (int z = 0; z <= p; ++z) sum += tz[z] * of_xy[std::size_t(z)];
        weights[place_of(int(a), int(b), int(c))] += sum;
      }
    }
  }
}

void PeriodicImages::find_potential(double length, const double* weights, int first, int last,
                                    double* potential) const {
  const double unit = length / unit_;
  for (int row = first; row < last; ++row) {
    const double* const k = kernel_.data() + std::size_t(row) * block;
    const double* const w = weights + row / block * block;
    double sum = 0;
    for (int i = 0; i < block; ++i) sum += k[i] * w[i];
    potential[row] = unit * sum;
  }
}

void PeriodicImages::add_to_cell(const Frame& frame, const CellFrame& cell, int p,
                                 const double* potential, double* locals) const {
  const Tables t = tables_at(frame, cell, p, 1);
  const std::size_t row = std::size_t(p) + 1;
  // Partial sums for one a: over c, by b and n_z; then over b and c, by n_y and n_z.
  std::array<double, std::size_t(count * (expansion::largest_order + 1))> of_z;
  std::array<double, (expansion::largest_order + 1) * (expansion::largest_order + 1)> of_yz;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      double* const to = of_z.data() + b * row;
      std::fill(to, to + row, 0.0);
      for (std::size_t c = 0; c < count; ++c) {
        const double value = potential[place_of(int(a), int(b), int(c))];
        const double* const tz = t.axis[2].data() + c * row;
        for (std::size_t z = 0; z < row; ++z) to[z] += value * tz[z];
      }
    }
    of_yz.fill(0);
    for (std::size_t b = 0; b < count; ++b) {
      const double* const ty = t.axis[1].data() + b * row;
      for (int y = 0; y <= p; ++y)
        for (int z = 0; y + z <= p; ++z)
          of_yz[std::size_t(y) * row + std::size_t(z)] += ty[y] * of_z[b * row + std::size_t(z)];
    }
    const double* const tx = t.axis[0].data() + a * row;
    for (int x = 0; x <= p; ++x)
      for (int y = 0; x + y <= p; ++y)
        for (int z = 0; x + y + z <= p; ++z)
          locals[expansion::index_of(x, y, z)] +=
              tx[x] * of_yz[std::size_t(y) * row + std::size_t(z)];
  }
}

PeriodicImages::At PeriodicImages::at(const Frame& frame, Vec3d position,
                                      const double* potential) const {
  constexpr int p = 1;
  double locals[expansion::count_of(p)]{};
  add_to_cell(frame, {position, 1}, p, potential, locals);
  return {locals[0], {locals[1], locals[2], locals[3]}};
}

}  // namespace mote::sim
