#pragma once

#include <xsimd/xsimd.hpp>

/// Files that are compiled once per instruction set (cmake/simd.cmake), with MOTE_SIMD_LEVEL
/// defined as the name of a SimdLevel, get the number types of that level, and distinct names for
/// what they define: MOTE_AT_LEVEL(kernels) is kernels_avx2 and so on. Definitions are constinit,
/// so that no code for an instruction set runs before that set is chosen.
namespace mote::engine::simd_levels {

struct scalar {
  using Single = float;
  using Double = double;
};
template <class Arch>
struct Batches {
  using Single = xsimd::batch<float, Arch>;
  using Double = xsimd::batch<double, Arch>;
};
using sse4_2 = Batches<xsimd::sse4_2>;
using avx2 = Batches<xsimd::fma3<xsimd::avx2>>;
using avx512 = Batches<xsimd::avx512dq>;

}  // namespace mote::engine::simd_levels

namespace mote::engine {

using SimdSingle = simd_levels::MOTE_SIMD_LEVEL::Single;
using SimdDouble = simd_levels::MOTE_SIMD_LEVEL::Double;

}  // namespace mote::engine

#define MOTE_JOIN_NAMES(name, level) name##_##level
#define MOTE_JOIN_EXPANDED(name, level) MOTE_JOIN_NAMES(name, level)
#define MOTE_AT_LEVEL(name) MOTE_JOIN_EXPANDED(name, MOTE_SIMD_LEVEL)
