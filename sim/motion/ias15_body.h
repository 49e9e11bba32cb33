#pragma once

#include <cmath>
#include <limits>

#include "engine/algo/reduce.h"
#include "engine/platform.h"
#include "sim/state.h"

// Ias15 (ias15.h) calls these structs for each body, on either backend.
namespace mote::sim::ias15_body {

using engine::Index;
using engine::Values;

inline constexpr int nodes = 7;  ///< beside the start of the step

/// Nodes of the Gauss-Radau quadrature with 8 points, of which the first is 0 (Everhart 1985;
/// zeros of a Jacobi polynomial).
inline constexpr double radau[nodes + 1] = {0,
                                            0.0562625605369221464656521910318,
                                            0.180240691736892364987579942780,
                                            0.352624717113169637373907769648,
                                            0.547153626330555383001448554766,
                                            0.734210177215410531523210605558,
                                            0.885320946839095768090359771030,
                                            0.977520613561287501891174488626};

/// Accelerations below this part of the largest are round-off of forces that cancel.
inline constexpr double cancelled = 1e-12;

/// Between the coefficients b of powers of s and g of Newton's polynomials P_k = product of (s -
/// radau_j), j = 0 .. k: b_m = sum c[k][m] g_k, g_k = sum d[m][k] b_m.
struct Conversion {
  double c[nodes][nodes] = {}, d[nodes][nodes] = {};
};
constexpr Conversion make_conversion() {
  Conversion to;
  to.c[0][0] = to.d[0][0] = 1;
  for (int k = 1; k < nodes; ++k)
    for (int m = 0; m <= k; ++m) {
      // P_k = (s - radau_k) P_(k - 1);  s P_m = P_(m + 1) + radau_(m + 1) P_m.
      to.c[k][m] = (m > 0 ? to.c[k - 1][m - 1] : 0) - radau[k] * to.c[k - 1][m];
      to.d[k][m] = (m > 0 ? to.d[k - 1][m - 1] : 0) + radau[m + 1] * to.d[k - 1][m];
    }
  return to;
}

inline constexpr Conversion conversion = make_conversion();

/// binomial(k + 1, m + 1): powers of s about the end of the step.
struct Binomials {
  double of[nodes][nodes] = {};
};
constexpr Binomials make_binomials() {
  Binomials all;
  for (int k = 0; k < nodes; ++k)
    for (int m = 0; m <= k; ++m)
      // Pascal's triangle, without its first column of ones.
      all.of[k][m] = k == 0 ? 1 : all.of[k - 1][m] + (m == 0 ? 1 : all.of[k - 1][m - 1]);
  return all;
}

inline constexpr Binomials binomials = make_binomials();

/// sum += value, where `lost` is what earlier sums have lost (Kahan 1965).
MOTE_FORMULA void add(double& sum, double& lost, double value) {
  const double more = value + lost, next = sum + more;
  lost = more - (next - sum);
  sum = next;
}

/// All columns of a step. Columns have x, y and z of all bodies, one after the other; `timescale`
/// and images a number for each body.
struct Columns {
  Index count;                            ///< bodies
  double *last_b[nodes], *last_e[nodes];  ///< coefficients found in the last step, and predicted
  double *b[nodes], *e[nodes], *g[nodes], *lost_b[nodes];
  double *lost_x, *lost_v;  ///< rounding that sums of positions and velocities have lost
  double *x0, *v0, *a0, *lost_x0, *lost_v0;  ///< at the start of the step
  double *moved, *timescale;
  double* image[3];  ///< crossed periods at the start, of axes that have them; or null

  /// Calls use(j, x, v, a) for the components of body i, j as in a column.
  template <class Use>
  MOTE_FORMULA void components(const StateView<double>& s, Index i, const Use& use) const {
    use(i, s.x[i], s.vx[i], s.ax[i]);
    use(count + i, s.y[i], s.vy[i], s.ay[i]);
    use(2 * count + i, s.z[i], s.vz[i], s.az[i]);
  }
};

/// Images of a state by axis, null where it has none: a StateView finds them on the host only.
struct Images {
  double* of[3];
};

/// Remembers the state at the start of a step.
struct Begin {
  Columns c;
  StateView<double> s;
  Images images;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    c.components(s, i, [this](Index j, double x, double v, double a) {
      c.x0[j] = x, c.v0[j] = v, c.a0[j] = a;
      c.lost_x0[j] = c.lost_x[j], c.lost_v0[j] = c.lost_v[j];
    });
    for (int axis = 0; axis < 3; ++axis)
      if (images.of[axis]) c.image[axis][i] = images.of[axis][i];
  }
};

/// Coefficients from the polynomial of the last step, continued beyond its end, plus what the
/// prediction of the last step lacked. `ratio`: of this step to the last one.
struct Predict {
  Columns c;
  double ratio;
  bool known;
  Binomials of_powers;  ///< here, since device code cannot index constants of the host
  Conversion between;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    for (int axis = 0; axis < 3; ++axis) {
      const Index j = axis * c.count + i;
      double power = 1, b[nodes];
      for (int m = 0; m < nodes; ++m) {
        power *= ratio;
        double sum = 0;
        for (int k = nodes - 1; k >= m; --k) sum += of_powers.of[k][m] * c.last_b[k][j];
        const double e = known ? power * sum : 0;
        b[m] = known ? e + (c.last_b[m][j] - c.last_e[m][j]) : 0;
        c.e[m][j] = e, c.b[m][j] = b[m], c.lost_b[m][j] = 0;
      }
      for (int k = 0; k < nodes; ++k) {
        double g = 0;
        for (int m = nodes - 1; m >= k; --m) g += between.d[m][k] * b[m];
        c.g[k][j] = g;
      }
    }
  }
};

/// Positions and velocities at s, from those at the start and the coefficients.
struct WriteAt {
  Columns c;
  StateView<double> state;
  Images images;
  double dt, s = 0;
  double to_x[nodes] = {}, to_v[nodes] = {};  ///< weights of the coefficients
  void set(double fraction) {
    s = fraction;
    double power = s * s;
    for (int k = 0; k < nodes; ++k) {
      to_v[k] = dt * power / (k + 2);
      power *= s;
      to_x[k] = dt * dt * power / ((k + 2) * (k + 3));
    }
  }
  MOTE_HOST_DEVICE void operator()(Index i) const {
    c.components(state, i, [this](Index j, double& position, double& velocity, double) {
      double x = 0, v = 0;
      for (int k = nodes - 1; k >= 0; --k) x += to_x[k] * c.b[k][j], v += to_v[k] * c.b[k][j];
      x += 0.5 * (s * dt) * (s * dt) * c.a0[j] + s * dt * (c.v0[j] + c.lost_v0[j]) + c.lost_x0[j];
      v += s * dt * c.a0[j] + c.lost_v0[j];
      c.moved[j] = x;
      position = c.x0[j] + x;
      velocity = c.v0[j] + v;
    });
    // Forces wrap positions into a periodic domain; those of a step are all in the images of its
    // start.
    for (int axis = 0; axis < 3; ++axis)
      if (images.of[axis]) images.of[axis][i] = c.image[axis][i];
  }
};

/// Positions x + more in columns. `more`: null for none.
struct Positions {
  const double *x, *more;
};

/// The position of a body: x + more along an axis are those at axis * stride.
struct Origin {
  Positions at;
  Index stride;
};

/// Positions relative to that of a body, where near ones are not rounded.
struct WriteRelative {
  Columns c;
  StateView<double> state;
  Positions from;
  Origin origin;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    double* const position[3] = {state.x, state.y, state.z};
    for (int axis = 0; axis < 3; ++axis) {
      const Index j = axis * c.count + i, of = axis * origin.stride;
      position[axis][i] =
          (from.x[j] - origin.at.x[of]) + (from.more ? from.more[j] - origin.at.more[of] : 0.0);
    }
  }
};

/// Copies the position of a body to x and more of another place, by axis.
struct CopyOrigin {
  Origin origin;
  double *x, *more;
  MOTE_HOST_DEVICE void operator()(Index axis) const {
    x[axis] = origin.at.x[axis * origin.stride];
    more[axis] = origin.at.more ? origin.at.more[axis * origin.stride] : 0.0;
  }
};

/// Copies positions to a column, and back.
struct SavePositions {
  Columns c;
  StateView<double> state;
  double* to;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    c.components(state, i, [this](Index j, double x, double, double) { to[j] = x; });
  }
};
struct RestorePositions {
  Columns c;
  StateView<double> state;
  const double* from;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    c.components(state, i, [this](Index j, double& x, double, double) { x = from[j]; });
  }
};

/// For reductions: the largest of non-negative numbers.
struct Largest {
  static MOTE_HOST_DEVICE double combine(int, double a, double b) { return a < b ? b : a; }
};

/// Replaces coefficients by those of the acceleration at a node. The largest change of the last
/// one, and the largest acceleration.
struct Correct : Largest {
  Columns c;
  StateView<double> s;
  int node = 1;
  double apart[nodes] = {}, weight[nodes] = {};  ///< radau[node] - radau[k]; conversion.c[node - 1]
  Correct(const Columns& columns, const StateView<double>& state) : c(columns), s(state) {}
  void set(int at) {
    node = at;
    for (int k = 0; k < nodes; ++k)
      apart[k] = radau[node] - radau[k], weight[k] = conversion.c[node - 1][k];
  }
  MOTE_HOST_DEVICE Values<2> operator()(Index i) const {
    Values<2> largest = nothing();
    c.components(s, i, [&](Index j, double, double, double now) {
      // Divided differences.
      double g = (now - c.a0[j]) / apart[0];
      for (int k = 1; k < node; ++k) g = (g - c.g[k - 1][j]) / apart[k];
      const double change = g - c.g[node - 1][j];
      c.g[node - 1][j] = g;
      for (int m = 0; m < node; ++m) add(c.b[m][j], c.lost_b[m][j], weight[m] * change);
      largest.v[0] = combine(0, largest.v[0], std::fabs(change));
      largest.v[1] = combine(1, largest.v[1], std::fabs(now));
    });
    return largest;
  }
  static MOTE_HOST_DEVICE Values<2> nothing() { return {{0, 0}}; }
};

/// The same correction, without the largest numbers: the last node alone needs them.
struct CorrectAlone {
  Correct correct;
  MOTE_HOST_DEVICE void operator()(Index i) const { correct(i); }
};

/// The largest acceleration at the start.
struct LargestAtStart : Largest {
  Columns c;
  explicit LargestAtStart(const Columns& columns) : c(columns) {}
  MOTE_HOST_DEVICE Values<1> operator()(Index i) const {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis)
      largest = combine(0, largest, std::fabs(c.a0[axis * c.count + i]));
    return {{largest}};
  }
  static MOTE_HOST_DEVICE Values<1> nothing() { return {{0}}; }
};

/// The shortest squared timescale of a body at the end of the step, in units of the step; infinite
/// where none moves on a curve: tau^2 = 2 a^2 / (a'^2 + |a| |a''|), with the derivatives of the
/// acceleration. Where an acceleration passes through zero, as in the middle of a figure eight,
/// that would be zero, although the motion is smooth; there, |a| |a''| << a'^2, and the timescale
/// is that of a'. Bodies that fall towards each other have |a| |a''| > a'^2.
struct Timescale {
  Columns c;
  double largest;
  MOTE_HOST_DEVICE Values<1> operator()(Index i) const {
    double squared[4] = {};
    for (int axis = 0; axis < 3; ++axis) {
      const Index j = axis * c.count + i;
      double value[4] = {c.a0[j], 0, 0, 0};
      for (int k = 0; k < nodes; ++k) {
        const double b = c.b[k][j];
        value[0] += b;
        value[1] += (k + 1) * b;
        value[2] += k * (k + 1) * b;
        value[3] += (k - 1) * k * (k + 1) * b;
      }
      for (int n = 0; n < 4; ++n) squared[n] += value[n] * value[n];
    }
    const double least = cancelled * cancelled * largest * largest;
    double tau = none();
    if (!(squared[0] < least && squared[1] < least)) {
      const double curved = std::sqrt(squared[0] * squared[2]);
      tau = curved > 0.1 * squared[1]
                ? 2 * squared[0] / (squared[1] + curved)
                : 2 * squared[1] / (squared[2] + std::sqrt(squared[1] * squared[3]));
      const bool normal =
          tau >= std::numeric_limits<double>::min() && tau <= std::numeric_limits<double>::max();
      if (!normal) tau = none();
    }
    c.timescale[i] = tau;
    return {{tau}};
  }
  static MOTE_HOST_DEVICE double none() { return std::numeric_limits<double>::infinity(); }
  static MOTE_HOST_DEVICE double combine(int, double a, double b) { return b < a ? b : a; }
  static MOTE_HOST_DEVICE Values<1> nothing() { return {{none()}}; }
};

/// The first body that has the shortest timescale. `begin`: number of bodies before those of the
/// columns.
struct FirstOf {
  Columns c;
  double shortest;
  Index begin;
  MOTE_HOST_DEVICE Values<1> operator()(Index i) const {
    return {{c.timescale[i] == shortest ? static_cast<double>(begin + i) : Timescale::none()}};
  }
  static MOTE_HOST_DEVICE double combine(int, double a, double b) { return b < a ? b : a; }
  static MOTE_HOST_DEVICE Values<1> nothing() { return {{Timescale::none()}}; }
};

/// The end of a step: compensated sums of positions and velocities, and the coefficients that the
/// next step begins with.
struct Finish {
  Columns c;
  StateView<double> state;
  Images images;
  double dt;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    c.components(state, i, [this](Index j, double& position, double& velocity, double) {
      double x = c.x0[j], v = c.v0[j], lost_x = c.lost_x[j], lost_v = c.lost_v[j];
      for (int k = nodes - 1; k >= 0; --k) {
        const double b = c.b[k][j];
        add(x, lost_x, b * dt * dt / ((k + 2) * (k + 3)));
        add(v, lost_v, b * dt / (k + 2));
        c.last_b[k][j] = b, c.last_e[k][j] = c.e[k][j];
      }
      add(x, lost_x, 0.5 * dt * dt * c.a0[j]);
      add(x, lost_x, dt * c.lost_v0[j]);
      add(x, lost_x, dt * c.v0[j]);
      add(v, lost_v, dt * c.a0[j]);
      c.lost_x[j] = lost_x, c.lost_v[j] = lost_v;
      position = x;
      velocity = v;
    });
    for (int axis = 0; axis < 3; ++axis)
      if (images.of[axis]) images.of[axis][i] = c.image[axis][i];
  }
};

/// New columns are zero.
struct Clear {
  double* column;
  MOTE_HOST_DEVICE void operator()(Index j) const { column[j] = 0; }
};

}  // namespace mote::sim::ias15_body
