#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "engine/math/number.h"
#include "engine/math/vec.h"
#include "engine/platform.h"

namespace mote::sim {

/// Cartesian expansions of the softened potential g(r) = (r^2 + softening^2)^(-1/2) (Dehnen 2002,
/// JCP 179, 27; Duan & Krasny 2001, JCP 120, 184). With multi-indices n, k of order |n| + |k| <= p,
/// sources of mass m at y from the centre of their cell, and a target at x from that of its own, R
/// from the first centre to the second:
///   phi(x) = sum m g(|R + x - y|) = sum_k x^k / k! L_k,
///   L_k = sum_n M_n D_{n+k}(R),   M_n = sum m (-y)^n / n!,   D_n = the derivative of order n of g.
/// Unlike spherical harmonics these hold for any function of the distance.
///
/// Coefficients are sorted by order, so those of a lower order are the first ones. Those of a cell
/// are in units of its scale h, a power of two: M_n / h^|n| and L_k h^|k|, which keeps them within
/// the range of single precision in cells of any size.
namespace expansion {

inline constexpr int smallest_order = 3, largest_order = 8;

/// Number of multi-indices of order up to p, and below p.
MOTE_FORMULA constexpr int count_of(int p) {
  return (p + 1) * (p + 2) * (p + 3) / 6;
}
MOTE_FORMULA constexpr int count_below(int p) {
  return count_of(p - 1);
}
inline constexpr int largest_count = count_of(largest_order);

/// Place of a multi-index (x, y, z) among the coefficients.
MOTE_FORMULA constexpr int index_of(int x, int y, int z) {
  const int rest = y + z;
  return count_below(x + rest) + rest * (rest + 1) / 2 + z;
}

struct MultiIndex {
  unsigned char x = 0, y = 0, z = 0;
  constexpr int order() const { return x + y + z; }
};

template <int value>
using Constant = std::integral_constant<int, value>;

/// Calls use(Constant<0>), ..., use(Constant<count - 1>): loops whose indices are constants, so
/// that coefficients can stay in registers.
template <int count, class Use>
MOTE_FORMULA constexpr void unrolled(Use&& use) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    (use(Constant<i>{}), ...);
  }
  (std::make_integer_sequence<int, count>{});
}

/// Tables for the loops over coefficients.
struct Tables {
  MultiIndex index[largest_count]{};
  /// Axis along which a coefficient is built from ones of lower order: that of its least nonzero
  /// component, so that the second term is most often absent.
  unsigned char axis[largest_count]{};
  unsigned char component[largest_count]{};                            ///< along this axis
  unsigned char one_less[largest_count]{}, two_less[largest_count]{};  ///< places along this axis
  double inverse_component[largest_count]{};
  unsigned char one_more[count_below(largest_order)][3]{};  ///< places along each axis
  /// n!, of the product of the components.
  double factorial[largest_count]{};

  constexpr Tables() {
    for (int order = 0, i = 0; order <= largest_order; ++order)
      for (int rest = 0; rest <= order; ++rest)
        for (int z = 0; z <= rest; ++z, ++i) fill(i, order - rest, rest - z, z);
  }

 private:
  constexpr void fill(int i, int x, int y, int z) {
    int n[3] = {x, y, z};
    index[i] = {static_cast<unsigned char>(x), static_cast<unsigned char>(y),
                static_cast<unsigned char>(z)};
    if (x + y + z < largest_order)
      for (int a = 0; a < 3; ++a)
        one_more[i][a] =
            static_cast<unsigned char>(index_of(x + (a == 0), y + (a == 1), z + (a == 2)));
    int along = -1;
    for (int a = 0; a < 3; ++a)
      if (n[a] > 0 && (along < 0 || n[a] < n[along])) along = a;
    factorial[i] = 1;
    if (along < 0) return;
    axis[i] = static_cast<unsigned char>(along);
    component[i] = static_cast<unsigned char>(n[along]);
    inverse_component[i] = 1.0 / n[along];
    --n[along];
    const int one = index_of(n[0], n[1], n[2]);
    one_less[i] = static_cast<unsigned char>(one);
    factorial[i] = component[i] * factorial[one];
    if (n[along] == 0) return;
    --n[along];
    two_less[i] = static_cast<unsigned char>(index_of(n[0], n[1], n[2]));
  }
};
inline constexpr Tables tables{};

/// Lists for each coefficient k of an order up to p the indices of n + k, for the n of order up to
/// p - |k|, which are the first ones.
template <int p>
struct Products {
  static constexpr int count = (p + 1) * (p + 2) * (p + 3) * (p + 4) * (p + 5) * (p + 6) / 720;
  unsigned char sum[count]{};
  unsigned short first[count_of(p) + 1]{};  ///< first entry of each k, and the end

  constexpr Products() {
    int at = 0;
    for (int k = 0; k < count_of(p); ++k) {
      first[k] = static_cast<unsigned short>(at);
      const MultiIndex a = tables.index[k];
      for (int n = 0; n < count_of(p - a.order()); ++n) {
        const MultiIndex b = tables.index[n];
        sum[at++] = static_cast<unsigned char>(index_of(a.x + b.x, a.y + b.y, a.z + b.z));
      }
    }
    first[count_of(p)] = static_cast<unsigned short>(at);
  }
};
template <int p>
inline constexpr Products<p> products{};

/// An estimate of the operations of an evaluation of order p, to compare those of ranks: a pair of
/// bodies takes ten times as many as a product of coefficients of a pair of cells, which has
/// Products<p>::count of them.
constexpr std::uint64_t work_of(int p, std::uint64_t near, std::uint64_t far) {
  const auto q = static_cast<std::uint64_t>(p);
  return 10 * near + (q + 1) * (q + 2) * (q + 3) * (q + 4) * (q + 5) * (q + 6) / 720 * far;
}

/// R_n^m of orders 1 to `order` in d, from R_n^(m+1) of the orders below it in their place.
template <int order, class T>
MOTE_FORMULA void raise_order(engine::Vec3<T> r, T* d) {
  using N = engine::Number<T>;
  constexpr int count = count_of(order);
  const T component[3] = {r.x, r.y, r.z};
  // Descending, so that the orders below are still those of m + 1.
  unrolled<count - 1>([&]<int back>(Constant<back>) {
    // Constants, so that kernels have no use for the tables themselves.
    constexpr int i = count - 1 - back, n = tables.component[i], axis = tables.axis[i],
                  one_less = tables.one_less[i], two_less = tables.two_less[i];
    const T term = component[axis] * d[one_less];
    if constexpr (n == 1)
      d[i] = term;
    else if constexpr (n == 2)
      d[i] = d[two_less] + term;
    else
      d[i] = N::multiply_add(T(n - 1), d[two_less], term);
  });
}

/// D_n(R) of orders up to p, by the recurrence of McMurchie & Davidson (1978, JCP 26, 218): with
/// auxiliary R_n^m, R_0^m = (d/rdr)^m g, R_{n+e}^m = R_e R_n^{m+1} + n_e R_{n-e}^{m+1}, D_n =
/// R_n^0. `raise`: calls raise_order<order>(r, d).
template <int p, class T, class Raise>
MOTE_FORMULA void derivatives(engine::Vec3<T> r, T squared_softening, T* d, const Raise& raise) {
  using N = engine::Number<T>;
  const T square = N::multiply_add(
      r.x, r.x, N::multiply_add(r.y, r.y, N::multiply_add(r.z, r.z, squared_softening)));
  const T root = N::rsqrt(square), inverse = root * root;
  T radial[p + 1];
  radial[0] = root;
  for (int m = 1; m <= p; ++m) radial[m] = T(1 - 2 * m) * inverse * radial[m - 1];
  d[0] = radial[p];
  unrolled<p>([&]<int step>(Constant<step>) {
    raise(Constant<step + 1>{});
    d[0] = radial[p - 1 - step];
  });
}
template <int p, class T>
MOTE_FORMULA void derivatives(engine::Vec3<T> r, T squared_softening, T* d) {
  derivatives<p>(r, squared_softening, d,
                 [&]<int order>(Constant<order>) { raise_order<order>(r, d); });
}

/// x^n / n! of orders up to p.
template <int p, class T>
MOTE_FORMULA void monomials(engine::Vec3<T> x, T* values) {
  const T component[3] = {x.x, x.y, x.z};
  values[0] = T(1);
  for (int i = 1; i < count_of(p); ++i)
    values[i] =
        component[tables.axis[i]] * values[tables.one_less[i]] * T(tables.inverse_component[i]);
}

}  // namespace expansion

}  // namespace mote::sim
