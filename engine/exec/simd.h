#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace mote::engine {

/// Instruction sets that the hot loops are compiled for, all in one binary, in ascending order.
enum class SimdLevel { scalar, sse4_2, avx2, avx512 };

std::string_view name_of(SimdLevel level);

/// Levels that this processor and operating system support, in ascending order, starting with
/// scalar.
const std::vector<SimdLevel>& supported_simd_levels();

/// The best supported level.
SimdLevel best_simd_level();

std::optional<SimdLevel> simd_level_named(std::string_view word);

/// Selects the kernels compiled for a level.
template <class Kernels>
const Kernels& kernels_for(SimdLevel level, const Kernels& scalar, const Kernels& sse4_2,
                           const Kernels& avx2, const Kernels& avx512) {
  switch (level) {
    case SimdLevel::avx512:
      return avx512;
    case SimdLevel::avx2:
      return avx2;
    case SimdLevel::sse4_2:
      return sse4_2;
    case SimdLevel::scalar:
      break;
  }
  return scalar;
}

}  // namespace mote::engine
