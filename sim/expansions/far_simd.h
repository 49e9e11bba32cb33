#pragma once

#include <type_traits>
#include <utility>

#include "engine/math/lanes.h"
#include "engine/math/number_simd.h"
#include "sim/expansions/multipole_kernel.h"

/// Expansions of far cells: the larger part of the time of a force.
namespace mote::sim::multipole_simd {

using engine::Index;
using engine::Lanes;
using engine::Vec3;

/// Exchanges rows and columns: rows[i] holds element i of what each row was.
template <class T>
MOTE_FORMULA void transpose(T (&rows)[static_cast<std::size_t>(Lanes<T>::width)]) {
  constexpr int width = static_cast<int>(Lanes<T>::width);
  if constexpr (width > 1) {
    using Register = typename T::register_type;
    const auto exchange = [&]<int step, std::size_t... lane>(std::integral_constant<int, step>,
                                                             std::index_sequence<lane...>) {
      for (int i = 0; i < width; ++i) {
        if (i & step) continue;
        const Register a = rows[i], b = rows[i + step];
        rows[i] = T(__builtin_shufflevector(
            a, b, (int(lane) & step ? width + int(lane) - step : int(lane))...));
        rows[i + step] = T(__builtin_shufflevector(
            a, b, (int(lane) & step ? width + int(lane) : int(lane) + step)...));
      }
    };
    constexpr auto lanes = std::make_index_sequence<static_cast<std::size_t>(width)>{};
    exchange(std::integral_constant<int, 1>{}, lanes);
    if constexpr (width > 2) exchange(std::integral_constant<int, 2>{}, lanes);
    if constexpr (width > 4) exchange(std::integral_constant<int, 4>{}, lanes);
    if constexpr (width > 8) exchange(std::integral_constant<int, 8>{}, lanes);
  }
}

/// Coefficients of one order that are found at once, so that their sums hide the latency of an
/// addition and share the moments that are loaded: a divisor of how many there are.
constexpr int found_at_once(int order) {
  const int count = expansion::count_of(order) - expansion::count_below(order);
  for (const int some : {7, 6, 5})
    if (count % some == 0) return some;
  return count;
}

/// Sums are written out, term by term, for batches as wide as those of AVX2 and up. Older sets,
/// which few processors are left with, take loops over tables, which compile in half of the time.
template <class T>
inline constexpr bool written_out = sizeof(T) >= 32;

/// Expansions up to this order are one function, whose numbers stay in registers; of others, the
/// longer parts are functions that all orders share. Those are aligned, since their speed would
/// depend by a tenth on where in a line of the cache they begin.
inline constexpr int largest_inlined = 4;

/// Places of n + k for any order: the first ones of each row are those of a lower order.
inline constexpr const auto& places = expansion::products<expansion::largest_order>;
MOTE_FORMULA constexpr int row_length(int order) {
  return expansion::count_of(expansion::largest_order - order);
}

/// Adds factor sum_n M_n D_{n+k} to `some` sums, of coefficients k of one order. `place`: row of
/// the first k; `row`: length of a row; `add_others(a)`: adds the n of order 2 and up. Centers are
/// centers of mass: moments of order 1 are zero, but for charges, which have `dipoles`.
template <int some, class T, class AddOthers>
MOTE_FORMULA void contract(const unsigned char* place, int row, const T* moments, const T* d,
                           T factor, bool dipoles, T* sums, const AddOthers& add_others) {
  using N = engine::Number<T>;
  T a[some];
  const auto add = [&]() __attribute__((always_inline)) {
#pragma GCC unroll 8
    for (int i = 0; i < some; ++i) sums[i] = N::multiply_add(a[i], factor, sums[i]);
  };
#pragma GCC unroll 8
  for (int i = 0; i < some; ++i) a[i] = moments[0] * d[place[i * row]];
  add_others(a);
  add();
  if (!dipoles) return;
#pragma GCC unroll 8
  for (int i = 0; i < some; ++i) {
    const unsigned char* const at = place + i * row;
    a[i] = N::multiply_add(moments[1], d[at[1]],
                           N::multiply_add(moments[2], d[at[2]], moments[3] * d[at[3]]));
  }
  add();
}

/// Written out, for n of order up to `most`.
template <int order, int k, int some, class T>
MOTE_FORMULA void contract_written(int most, const T* moments, const T* d, T factor, bool dipoles,
                                   T* sums) {
  using expansion::Constant;
  constexpr int left = expansion::largest_order - order, row = row_length(order);
  constexpr const unsigned char* place = places.sum + places.first[k];
  const auto add_others = [&](T(&a)[some]) __attribute__((always_inline)) {
    if constexpr (left > 1) {
      const auto add_order = [&]<int of>(Constant<of>) __attribute__((always_inline)) {
        if (of > most) return false;
        constexpr int begin = expansion::count_below(of), end = expansion::count_of(of);
#pragma GCC unroll 64
        for (int n = begin; n < end; ++n) {
          const T moment = moments[n];
#pragma GCC unroll 8
          for (int i = 0; i < some; ++i)
            a[i] = engine::Number<T>::multiply_add(moment, d[place[i * row + n]], a[i]);
        }
        return true;
      };
      [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        (void)(add_order(Constant<2 + i>{}) && ...);
      }
      (std::make_integer_sequence<int, left - 1>{});
    }
  };
  contract<some>(place, row, moments, d, factor, left > 0 && most > 0 && dipoles, sums + k,
                 add_others);
}
template <int order, int k, int some, class T>
[[gnu::noinline, gnu::aligned(64)]] void call_contract(int most, const T* moments, const T* d,
                                                       T factor, bool dipoles, T* sums) {
  contract_written<order, k, some>(most, moments, d, factor, dipoles, sums);
}

/// By the table, for n < `terms`.
template <int some, class T>
[[gnu::noinline]] void contract_by_table(const unsigned char* place, int row, int terms,
                                         const T* moments, const T* d, T factor, bool dipoles,
                                         T* sums) {
  const auto add_others = [&](T(&a)[some]) __attribute__((always_inline)) {
    for (int n = 4; n < terms; ++n) {
      const T moment = moments[n];
#pragma GCC unroll 8
      for (int i = 0; i < some; ++i)
        a[i] = engine::Number<T>::multiply_add(moment, d[place[i * row + n]], a[i]);
    }
  };
  contract<some>(place, row, moments, d, factor, dipoles && terms > 1, sums, add_others);
}

/// Adds to the sums of all coefficients of one order.
template <int p, int order, class T>
MOTE_FORMULA void contract_order(const T* moments, const T* d, T factor, bool dipoles, T* sums) {
  constexpr int begin = expansion::count_below(order), some = found_at_once(order),
                most = p - order;
  constexpr bool inlined = p <= largest_inlined || most < (order < 6 ? 3 : 2);
  expansion::unrolled<(expansion::count_of(order) - begin) / some>(
      [&]<int block>(expansion::Constant<block>) {
        constexpr int k = begin + block * some;
        if constexpr (!written_out<T>)
          contract_by_table<some>(places.sum + places.first[k], row_length(order),
                                  expansion::count_of(most), moments, d, factor, dipoles, sums + k);
        else if constexpr (inlined)
          contract_written<order, k, some>(most, moments, d, factor, dipoles, sums);
        else
          call_contract<order, k, some>(most, moments, d, factor, dipoles, sums);
      });
}

template <int order, class T>
[[gnu::noinline, gnu::aligned(64)]] void call_raise_order(const Vec3<T>& r, T* d) {
  expansion::raise_order<order>(r, d);
}

/// Adds the lanes of each sum, from the first to the last.
template <int count, class T>
MOTE_FORMULA void add_sums_of_lanes(double* to, const T* sums) {
  using L = Lanes<T>;
  constexpr int width = static_cast<int>(L::width);
  typename L::Real lanes[width];
  double total[width];
  for (int first = 0; first < count; first += width) {
    T rows[width];
    for (int k = 0; k < width; ++k) rows[k] = first + k < count ? sums[first + k] : T(0);
    transpose(rows);
    for (int k = 0; k < width; ++k) total[k] = 0;
    for (int lane = 0; lane < width; ++lane) {
      L::store(lanes, rows[lane]);
      for (int k = 0; k < width; ++k) total[k] += static_cast<double>(lanes[k]);
    }
    for (int k = 0; k < width && first + k < count; ++k) to[first + k] += total[k];
  }
}

/// Lanes are sources. Lengths are divided by the distance, so that the derivatives are of order 1.
template <int p, class T, class Real>
void far(const CellColumns& cells, const Real* rows, const engine::Vec3d* images,
         const SourceCell* sources, Index count, const CellFrame& target, double squared_softening,
         bool dipoles, bool potential, double* locals) {
  using N = engine::Number<T>;
  using L = Lanes<T>;
  constexpr int n = expansion::count_of(p), stride = padded_count(p);
  constexpr int width = static_cast<int>(L::width);
  constexpr int loaded = (n + width - 1) / width * width;
  if (count == 0) return;
  T sums[n], d[n], moments[loaded];
  for (int k = 0; k < n; ++k) sums[k] = T(0);
  alignas(64) Real x[width], y[width], z[width], scale[width];
  for (Index first = 0; first < count; first += width) {
    const int valid = count - first < width ? static_cast<int>(count - first) : width;
    for (int lane = 0; lane < width; ++lane) {
      const auto [s, image] = sources[lane < valid ? first + lane : first];
      const engine::Vec3d at = target.center - images[image];
      x[lane] = static_cast<Real>(at.x - cells.x[s]);
      y[lane] = static_cast<Real>(at.y - cells.y[s]);
      z[lane] = static_cast<Real>(at.z - cells.z[s]);
      scale[lane] = static_cast<Real>(cells.scale[s]);
    }
    for (int j = 0; j < loaded; j += width) {
      T block[width];
      for (int lane = 0; lane < width; ++lane)
        block[lane] = lane < valid
                          ? L::load(rows + std::size_t{sources[first + lane].cell} * stride + j)
                          : T(0);
      transpose(block);
      for (int row = 0; row < width; ++row) moments[j + row] = block[row];
    }
    Vec3<T> r{L::load(x), L::load(y), L::load(z)};
    const T inverse = N::rsqrt(dot(r, r));
    r = inverse * r;
    expansion::derivatives<p>(r, T(static_cast<Real>(squared_softening)) * inverse * inverse, d,
                              [&]<int order>(expansion::Constant<order>) {
                                if constexpr (written_out<T> && order <= largest_inlined)
                                  expansion::raise_order<order>(r, d);
                                else
                                  call_raise_order<order>(r, d);
                              });
    const T source_ratio = L::load(scale) * inverse;
    T power = source_ratio;
    for (int order = 1, j = 1; order <= p; ++order, power = power * source_ratio)
      for (; j < expansion::count_of(order); ++j) moments[j] = moments[j] * power;
    const T target_ratio = T(static_cast<Real>(target.scale)) * inverse;
    T factor[p + 1];
    factor[0] = inverse;
    for (int order = 1; order <= p; ++order) factor[order] = factor[order - 1] * target_ratio;
    expansion::unrolled<p + 1>([&]<int order>(expansion::Constant<order>) {
      if (order == 0 && !potential) return;
      contract_order<p, order>(moments, d, factor[order], dipoles, sums);
    });
  }
  add_sums_of_lanes<n>(locals, sums);
}

}  // namespace mote::sim::multipole_simd
