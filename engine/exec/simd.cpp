#include "engine/exec/simd.h"

namespace mote::engine {

std::string_view name_of(SimdLevel level) {
  switch (level) {
    case SimdLevel::scalar:
      return "scalar";
    case SimdLevel::sse4_2:
      return "sse4.2";
    case SimdLevel::avx2:
      return "avx2";
    case SimdLevel::avx512:
      return "avx512";
  }
  return "?";
}

const std::vector<SimdLevel>& supported_simd_levels() {
  static const std::vector<SimdLevel> levels = [] {
    // The compiler's builtin also checks that the operating system saves the wide registers.
    __builtin_cpu_init();
    std::vector<SimdLevel> found{SimdLevel::scalar};
    if (__builtin_cpu_supports("sse4.2")) found.push_back(SimdLevel::sse4_2);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      found.push_back(SimdLevel::avx2);
    // Every instruction set that this level is compiled for: virtual machines may hide any of them.
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("fma"))
      found.push_back(SimdLevel::avx512);
    return found;
  }();
  return levels;
}

SimdLevel best_simd_level() {
  return supported_simd_levels().back();
}

std::optional<SimdLevel> simd_level_named(std::string_view word) {
  for (SimdLevel l : {SimdLevel::scalar, SimdLevel::sse4_2, SimdLevel::avx2, SimdLevel::avx512})
    if (word == name_of(l)) return l;
  return std::nullopt;
}

}  // namespace mote::engine
