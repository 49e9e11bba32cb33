#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "render/gl/handle.h"
#include "render/gl/target.h"
#include "render/pass/lit_tiles.h"

namespace mote::render {

/// Maps density of light to brightness. Both are densities, 0 < faint < white.
struct Exposure {
  float white = 1;       ///< shown in the full colour of the map
  float faint = 0.005f;  ///< brightness is linear below this, logarithmic above
};

/// Counts of lit pixels by density: bin i starts at 2^(i/16 - 32); the first and last bins also
/// hold what lies outside.
using LightHistogram = std::array<std::uint32_t, 1024>;

/// White is the 98th percentile of the lit pixels. Faint is proportional to the peak density of one
/// point, so that single points look soft and dense regions keep their structure, within bounds
/// that keep both visible. An unlit picture gets the default.
Exposure exposure_of(const LightHistogram& histogram, float peak_density);

/// Measures pictures on the GPU, in integers: equal pictures give equal results.
class ExposurePass {
 public:
  /// Throws engine::SystemError when the shader cannot be loaded.
  explicit ExposurePass(const std::filesystem::path& shaders);

  /// Waits until the GPU has drawn the picture.
  LightHistogram measure(const Target& light);

  /// Measures without waiting: `start` enqueues a measurement, `previous` returns the one before
  /// it, which by then is usually complete. Call `previous` only after two starts.
  void start(const Target& light);
  LightHistogram previous() const { return read(1 - newest_); }

 private:
  LightHistogram read(int buffer) const;

  ProgramHandle program_;
  LitTiles tiles_;
  std::array<BufferHandle, 2> bins_;
  int newest_ = 0;
};

/// Exposure of successive pictures: measured for each, held constant, or smoothed in time to avoid
/// flicker.
class ExposureFollower {
 public:
  explicit ExposureFollower(const std::filesystem::path& shaders) : meter_(shaders) {}

  /// Exposure for a picture of light. `seconds` since the last one: with > 0 the exposure follows
  /// the measurement of the previous picture with a time constant of 0.3 s; with 0 it is measured
  /// exactly.
  Exposure expose(const Target& light, float peak_density, double seconds);

  /// `true`: the next lit picture sets the exposure of all later ones; `false`: each is measured.
  void hold(bool hold);
  /// Forgets earlier pictures, for a scene change.
  void reset();

 private:
  Exposure follow(const Target& light, float peak_density, double seconds);

  ExposurePass meter_;
  std::optional<Exposure> held_, last_;
  bool hold_ = false;
};

}  // namespace mote::render
