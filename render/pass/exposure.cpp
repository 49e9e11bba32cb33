#include "render/pass/exposure.h"

#include <algorithm>
#include <cmath>

#include "render/gl/shader.h"

namespace mote::render {
namespace {

constexpr float lowest = -32, per_two = 16;  // as LightHistogram says

/// The density that this part of the lit pixels stays below.
float density_below(const LightHistogram& histogram, std::uint64_t lit, double part) {
  const double wanted = part * static_cast<double>(lit);
  double before = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const double here = histogram[i];
    if (here > 0 && before + here >= wanted) {
      const double place = static_cast<double>(i) + (wanted - before) / here;
      return static_cast<float>(std::exp2(place / per_two + lowest));
    }
    before += here;
  }
  return static_cast<float>(std::exp2(static_cast<double>(histogram.size()) / per_two + lowest));
}

}  // namespace

Exposure exposure_of(const LightHistogram& histogram, float density_of_one) {
  std::uint64_t lit = 0;
  for (const std::uint32_t count : histogram) lit += count;
  if (lit == 0) return {};
  const float white = density_below(histogram, lit, 0.98);
  return {white, std::clamp(0.6f * density_of_one, white / 1000, white / 30)};
}

ExposurePass::ExposurePass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"exposure.comp"})), bins_(make_buffer()) {
  glNamedBufferStorage(bins_.name(), sizeof(LightHistogram), nullptr, 0);
  glProgramUniform1f(program_.name(), uniform(program_, "lowest"), lowest);
  glProgramUniform1f(program_.name(), uniform(program_, "per_two"), per_two);
}

LightHistogram ExposurePass::measure(const Target& light) {
  const GLuint zero = 0;
  glClearNamedBufferData(bins_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  glUseProgram(program_.name());
  glBindTextureUnit(0, light.texture());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, bins_.name());
  const auto groups = [](int pixels) { return static_cast<GLuint>((pixels + 15) / 16); };
  glDispatchCompute(groups(light.width()), groups(light.height()), 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  LightHistogram histogram{};
  glGetNamedBufferSubData(bins_.name(), 0, sizeof(LightHistogram), histogram.data());
  return histogram;
}

}  // namespace mote::render
