#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "render/gl/handle.h"
#include "render/gl/target.h"

namespace mote::render {

/// How density of light becomes brightness. Both are densities, 0 < faint < white.
struct Exposure {
  float white = 1;       ///< shown in the full colour of the map
  float faint = 0.005f;  ///< brightness is linear below this, logarithmic above
};

/// Counts of lit pixels by density: bin i holds densities from 2^(i/16 - 32) on; the first and last
/// hold the rest.
using LightHistogram = std::array<std::uint32_t, 1024>;

/// White is what 98 % of the lit pixels stay below. Faint follows from the density in the middle of
/// one point, so that single points look soft and crowds keep their structure, within bounds that
/// keep both visible. A picture without light gets the default.
Exposure exposure_of(const LightHistogram& histogram, float density_of_one);

/// Measures pictures on the GPU. Exact in whole numbers, so it gives the same for the same picture.
class ExposurePass {
 public:
  /// Throws engine::SystemError when the shader cannot be loaded.
  explicit ExposurePass(const std::filesystem::path& shaders);

  /// Waits until the picture has been drawn.
  LightHistogram measure(const Target& light);

  /// The same in two parts, so that nobody waits: `start` leaves the measurement to the GPU,
  /// `before` gives the one before it, which by then is usually done. Call `before` only after two.
  void start(const Target& light);
  LightHistogram before() const { return read(1 - newest_); }

 private:
  LightHistogram read(int place) const;

  ProgramHandle program_;
  std::array<BufferHandle, 2> bins_;
  int newest_ = 0;
};

/// How pictures that follow each other are exposed: each for itself, all like one, or with a delay
/// so that the brightness of a living picture does not flicker.
class ExposureFollower {
 public:
  explicit ExposureFollower(const std::filesystem::path& shaders) : meter_(shaders) {}

  /// For the picture of light. `seconds` since the last one: the exposure follows what is measured
  /// with a time constant of 0.3 s, and what is measured is that of the picture before; 0: it is
  /// measured exactly.
  Exposure expose(const Target& light, float density_of_one, double seconds);

  /// From the next picture with any light on all are exposed like it; `false`: each is measured.
  void hold(bool hold);
  /// The next picture has nothing to do with those before.
  void forget();

 private:
  Exposure follow(const Target& light, float density_of_one, double seconds);

  ExposurePass meter_;
  std::optional<Exposure> held_, last_;
  bool hold_ = false;
};

}  // namespace mote::render
