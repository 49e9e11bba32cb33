#include "render/pass/looks.h"
#include "render/gl/compute.h"

#include <algorithm>
#include <array>
#include <glm/vec2.hpp>

#include "engine/check.h"
#include "render/gl/uniforms.h"

namespace mote::render {
namespace {

constexpr std::size_t kinds_count = 256;
Look look_of(const std::vector<Look>& looks, std::size_t kind) {
  return kind < looks.size() ? looks[kind] : Look{};
}

}  // namespace

LooksPass::LooksPass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"looks.comp"})), looks_(make_buffer()) {}

PointBuffers LooksPass::apply(const PointBuffers& points, const PointKinds& kinds,
                              const std::vector<Look>& looks, double radius) {
  MOTE_EXPECT(static_cast<engine::Index>(kinds->size()) == points.count && points.count > 0);
  if (kinds != kinds_) {
    kinds_ = kinds;
    std::vector<std::uint8_t> padded = *kinds;
    padded.resize((padded.size() + 3) / 4 * 4);
    kinds_buffer_ = make_buffer();
    glNamedBufferStorage(kinds_buffer_.name(), static_cast<GLsizeiptr>(padded.size()),
                         padded.data(), 0);
    population_.assign(kinds_count, 0);
    for (const std::uint8_t kind : *kinds) ++population_[kind];
    const auto bytes = static_cast<GLsizeiptr>(kinds->size() * sizeof(float));
    for (BufferHandle* buffer : {&weights_, &radii_, &scalars_}) {
      *buffer = make_buffer();
      glNamedBufferStorage(buffer->name(), bytes, nullptr, 0);
    }
  }
  std::array<glm::vec4, kinds_count> table;
  double sum = 0, visible = 0, largest = 0;
  for (std::size_t kind = 0; kind < kinds_count; ++kind) {
    const Look look = look_of(looks, kind);
    table[kind] = {look.brightness, look.visible ? look.size : 0, look.radius,
                   look.color ? own_color_scalar(*look.color) : 0};
    if (population_[kind] == 0 || !look.visible) continue;
    visible += static_cast<double>(population_[kind]);
    sum += look.brightness * static_cast<double>(population_[kind]);
    largest = std::max(largest, static_cast<double>(look.brightness));
  }
  weights_range_ = sum > 0 ? WeightRange{sum / visible, largest} : WeightRange{};
  glNamedBufferData(looks_.name(), sizeof(table), table.data(), GL_STREAM_DRAW);
  set(program_, "weighted", points.weights ? 1 : 0);
  set(program_, "sized", points.radii ? 1 : 0);
  set(program_, "radius", static_cast<float>(radius));
  glUseProgram(program_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, looks_.name());
  for (engine::Index first = 0; first < points.count; first += points_per_dispatch) {
    const engine::Index count = std::min(points_per_dispatch, points.count - first);
    const auto bind = [&](GLuint binding, GLuint buffer, engine::Index bytes) {
      glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, first * bytes, count * bytes);
    };
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, kinds_buffer_.name(), first,
                      (count + 3) / 4 * 4);
    bind(2, points.weights ? points.weights : weights_.name(), sizeof(float));
    bind(3, points.radii ? points.radii : radii_.name(), sizeof(float));
    bind(4, points.scalars, sizeof(float));
    bind(5, weights_.name(), sizeof(float));
    bind(6, radii_.name(), sizeof(float));
    bind(7, scalars_.name(), sizeof(float));
    set(program_, "count", static_cast<unsigned>(count));
    glDispatchCompute(static_cast<GLuint>((count + points_per_group - 1) / points_per_group), 1, 1);
  }
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  PointBuffers looked = points;
  looked.weights = weights_.name();
  looked.radii = radii_.name();
  looked.scalars = scalars_.name();
  return looked;
}

}  // namespace mote::render
