#include "render/pass/exposure.h"

#include <algorithm>
#include <cmath>

#include "render/gl/compute.h"
#include "render/gl/shader.h"

namespace mote::render {
namespace {

constexpr int pixels_per_invocation = 4, tile = 64;  // pixels along each axis, as in the shader
constexpr float lowest = -32, bins_per_octave = 16;  // bins of LightHistogram

/// The density below which this fraction of the lit pixels lies.
float density_below(const LightHistogram& histogram, std::uint64_t lit, double fraction) {
  const double wanted = fraction * static_cast<double>(lit);
  double below = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const double here = histogram[i];
    if (here > 0 && below + here >= wanted) {
      const double bin = static_cast<double>(i) + (wanted - below) / here;
      return static_cast<float>(std::exp2(bin / bins_per_octave + lowest));
    }
    below += here;
  }
  return static_cast<float>(
      std::exp2(static_cast<double>(histogram.size()) / bins_per_octave + lowest));
}

bool lit(const LightHistogram& histogram) {
  return std::any_of(histogram.begin(), histogram.end(), [](auto count) { return count > 0; });
}

constexpr double time_constant = 0.3;  // seconds

}  // namespace

Exposure exposure_of(const LightHistogram& histogram, float peak_density) {
  std::uint64_t lit = 0;
  for (const std::uint32_t count : histogram) lit += count;
  if (lit == 0) return {};
  const float white = density_below(histogram, lit, 0.98);
  return {white, std::clamp(0.6f * peak_density, white / 1000, white / 30)};
}

ExposurePass::ExposurePass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"exposure.comp", "tiles.glsl"})),
      tiles_(shaders),
      bins_{make_buffer(), make_buffer()} {
  for (const BufferHandle& bins : bins_)
    glNamedBufferStorage(bins.name(), sizeof(LightHistogram), nullptr, 0);
  glProgramUniform1f(program_.name(), uniform(program_, "lowest"), lowest);
  glProgramUniform1f(program_.name(), uniform(program_, "per_two"), bins_per_octave);
}

LightHistogram ExposurePass::measure(const Target& light) {
  start(light);
  return read(newest_);
}

void ExposurePass::start(const Target& light) {
  newest_ = 1 - newest_;
  const GLuint zero = 0, bins = bins_[static_cast<std::size_t>(newest_)].name();
  glClearNamedBufferData(bins, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  tiles_.find(light, tile, 0, false);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, bins);
  tiles_.run(program_, pixels_per_invocation);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
}

LightHistogram ExposurePass::read(int buffer) const {
  LightHistogram histogram{};
  glGetNamedBufferSubData(bins_[static_cast<std::size_t>(buffer)].name(), 0, sizeof(LightHistogram),
                          histogram.data());
  return histogram;
}

Exposure ExposureFollower::expose(const Target& light, float peak_density, double seconds) {
  if (held_) return *held_;
  if (seconds > 0 && last_ && !hold_) return follow(light, peak_density, seconds);
  const LightHistogram histogram = meter_.measure(light);
  const Exposure exposure = exposure_of(histogram, peak_density);
  last_.reset();
  if (lit(histogram)) {
    last_ = exposure;
    if (hold_) held_ = exposure;
  }
  return exposure;
}

Exposure ExposureFollower::follow(const Target& light, float peak_density, double seconds) {
  meter_.start(light);
  const LightHistogram histogram = meter_.previous();
  if (!lit(histogram)) return *last_;
  const Exposure wanted = exposure_of(histogram, peak_density);
  const auto fraction = static_cast<float>(1 - std::exp(-seconds / time_constant));
  const auto interpolated = [fraction](float from, float to) {
    return from * std::pow(to / from, fraction);
  };
  last_ =
      Exposure{interpolated(last_->white, wanted.white), interpolated(last_->faint, wanted.faint)};
  return *last_;
}

void ExposureFollower::hold(bool hold) {
  hold_ = hold;
  held_.reset();
}

void ExposureFollower::reset() {
  last_.reset();
}

}  // namespace mote::render
