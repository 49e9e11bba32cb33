#pragma once

#include <cuda_runtime.h>

#include "engine/types.h"
#include "sim/expansions/gravity_formula.h"
#include "sim/state.h"

namespace mote::sim::direct {

using engine::Precision;
using engine::Vec3;
using engine::Vec3d;

/// Memory layout of bodies in the force kernels, and the number type of pairs, at one precision. A
/// source is one or two words of 16 bytes: all first words, then all second words, so that
/// neighbouring threads read neighbouring words.
///   Term   number type of a pair
///   Real   number type of the state
///   Word   16 bytes
///   Body   a body in a thread's registers
template <Precision precision>
struct Pairs;

template <>
struct Pairs<Precision::single> {
  using Term = float;
  using Real = float;
  using Word = float4;
  static constexpr int words = 1;
  struct Body {
    Vec3<float> position;
    float mass;
  };
  static __device__ __forceinline__ Body body(Word first, Word) {
    return {{first.x, first.y, first.z}, first.w};
  }
  static __device__ __forceinline__ void words_of(Vec3<Real> x, Real mass, Word& first, Word&) {
    first = make_float4(x.x, x.y, x.z, mass);
  }
  static __device__ __forceinline__ Vec3<float> separation(const Body& i, const Body& j) {
    return j.position - i.position;
  }
};

template <>
struct Pairs<Precision::mixed> {
  using Term = float;
  using Real = double;
  using Word = float4;
  static constexpr int words = 2;
  struct Body {
    Vec3<float> high, low;
    float mass;
  };
  static __device__ __forceinline__ Body body(Word first, Word second) {
    return {{first.x, first.y, first.z}, {second.x, second.y, second.z}, first.w};
  }
  static __device__ __forceinline__ void words_of(Vec3<Real> x, Real mass, Word& first,
                                                  Word& second) {
    first = make_float4(static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z),
                        static_cast<float>(mass));
    second = make_float4(static_cast<float>(x.x - static_cast<double>(first.x)),
                         static_cast<float>(x.y - static_cast<double>(first.y)),
                         static_cast<float>(x.z - static_cast<double>(first.z)), 0.0f);
  }
  static __device__ __forceinline__ Vec3<float> separation(const Body& i, const Body& j) {
    return sim::separation(i.high, i.low, j.high, j.low);
  }
};

template <>
struct Pairs<Precision::double_> {
  using Term = double;
  using Real = double;
  using Word = double2;
  static constexpr int words = 2;
  struct Body {
    Vec3<double> position;
    double mass;
  };
  static __device__ __forceinline__ Body body(Word first, Word second) {
    return {{first.x, first.y, second.x}, second.y};
  }
  static __device__ __forceinline__ void words_of(Vec3<Real> x, Real mass, Word& first,
                                                  Word& second) {
    first = make_double2(x.x, x.y);
    second = make_double2(x.z, mass);
  }
  static __device__ __forceinline__ Vec3<double> separation(const Body& i, const Body& j) {
    return j.position - i.position;
  }
};

/// The sources of a force in device memory: `count` bodies and a capacity of `padded`; for the
/// symmetric kernel the rest holds bodies that contribute nothing (Padding).
template <Precision precision>
struct SourceView {
  using Word = typename Pairs<precision>::Word;
  Word* words;  ///< padded x words per source
  int count, padded;

  __device__ __forceinline__ const Word* first() const { return words; }
  __device__ __forceinline__ const Word* second() const {
    return words + (Pairs<precision>::words - 1) * padded;
  }
  __device__ __forceinline__ typename Pairs<precision>::Body body(int k) const {
    return Pairs<precision>::body(first()[k], second()[k]);
  }
  __device__ __forceinline__ void put(int k, Vec3<typename Pairs<precision>::Real> x,
                                      typename Pairs<precision>::Real mass) const {
    Word a, b = Word{};
    Pairs<precision>::words_of(x, mass, a, b);
    words[k] = a;
    if constexpr (Pairs<precision>::words == 2) words[padded + k] = b;
  }
};

/// The attracted bodies: those of a state, massless ones included, or a range of the sources.
template <Precision precision>
struct StateTargets {
  using P = Pairs<precision>;
  StateView<typename P::Real> state;

  MOTE_HOST_DEVICE int count() const { return static_cast<int>(state.count); }
  __device__ __forceinline__ typename P::Body body(int i) const {
    typename P::Word a, b{};
    P::words_of({state.x[i], state.y[i], state.z[i]}, 0, a, b);
    return P::body(a, b);
  }
};
template <Precision precision>
struct SourceTargets {
  SourceView<precision> sources;
  int first, number;

  MOTE_HOST_DEVICE int count() const { return number; }
  __device__ __forceinline__ typename Pairs<precision>::Body body(int i) const {
    return sources.body(first + i);
  }
};

template <class Sum, class T>
__device__ __forceinline__ void add_to(Vec3<Sum>& total, const Vec3<T>& sum) {
  total.x += static_cast<Sum>(sum.x);
  total.y += static_cast<Sum>(sum.y);
  total.z += static_cast<Sum>(sum.z);
}

}  // namespace mote::sim::direct
