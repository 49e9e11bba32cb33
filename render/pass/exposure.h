#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "render/gl/handle.h"
#include "render/gl/target.h"

namespace mote::render {

/// How density of light becomes brightness. Both are densities, 0 < faint < white.
struct Exposure {
  float white = 1;       ///< shown in the full colour of the map
  float faint = 0.005f;  ///< brightness is linear below this, logarithmic above
};

/// Counts of lit pixels by density: bin i holds densities from 2^(i/16 - 32) on; the first and last hold the
/// rest.
using LightHistogram = std::array<std::uint32_t, 1024>;

/// White is what 98 % of the lit pixels stay below. Faint follows from the density in the middle of one
/// point, so that single points look soft and crowds keep their structure, within bounds that keep both
/// visible. A picture without light gets the default.
Exposure exposure_of(const LightHistogram& histogram, float density_of_one);

/// Measures pictures on the GPU. Exact in whole numbers, so it gives the same for the same picture.
class ExposurePass {
 public:
  /// Throws engine::SystemError when the shader cannot be loaded.
  explicit ExposurePass(const std::filesystem::path& shaders);

  LightHistogram measure(const Target& light);

 private:
  ProgramHandle program_;
  BufferHandle bins_;
};

}  // namespace mote::render
