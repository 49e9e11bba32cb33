#include "render/pass/splat_sums.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/check.h"
#include "engine/log.h"
#include "render/gl/compute.h"
#include "render/gl/shader.h"
#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"

namespace mote::render {
namespace {

using engine::Index;

constexpr Index aligned_points = 1024;  // buffer bindings may start at multiples of it
constexpr Index group_size = 128;       // equal in splat_deposit.comp and splat_categories.comp
using CategoryBits = std::array<GLuint, 8>;
constexpr GLintptr scale_bytes = 257 * 4;  // equal in splat_weigh.comp

ProgramHandle load_deposit(const std::filesystem::path& shaders) {
  if (GLEW_NV_gpu_shader5 && GLEW_NV_shader_atomic_int64) try {
      return load_program(shaders, {"splat_deposit.comp", "splat_add_64.comp"});
    } catch (const engine::SystemError& error) {
      engine::log().warn("splatting uses 32-bit atomics: {}", error.what());
    }
  return load_program(shaders, {"splat_deposit.comp", "splat_add.comp"});
}

GLint64 find_largest_block() {
  GLint64 bytes = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
  return bytes;
}

/// Binds `count` points of a buffer with this many bytes per point, from `first` on.
void bind_batch(GLuint binding, GLuint buffer, Index first, Index count, Index bytes) {
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, static_cast<GLintptr>(first * bytes),
                    static_cast<GLsizeiptr>(count * bytes));
}

}  // namespace

SplatPlane::SplatPlane(int width, int height) {
  glTextureStorage2D(texture.name(), 1, GL_RG32F, width, height);
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, texture.name(), 0);
  if (glCheckNamedFramebufferStatus(framebuffer.name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw engine::SystemError("make a picture for points",
                              "the framebuffer is incomplete, or the driver is out of memory",
                              "use a smaller picture");
}

void SplatPlane::clear() const {
  constexpr std::array<float, 4> zero{};
  glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, 0, zero.data());
}

SplatPlanes::SplatPlanes(int wide, int high, GLint64 largest_block)
    : width(wide), height(high), sums(wide, high), scratch(wide, high) {
  const GLint64 bytes = GLint64{8} * wide * high;
  if (bytes > largest_block) return;
  units = make_buffer();
  glNamedBufferStorage(units.name(), static_cast<GLsizeiptr>(bytes), nullptr, 0);
  // Once: splat_fold.comp resets the sums it reads to zero.
  const GLuint zero = 0;
  glClearNamedBufferData(units.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
}

SplatSums::SplatSums(const std::filesystem::path& shaders, Index compute_batch)
    : raster_(load_program(shaders, {"splat_points.vert", "splat_points.frag"})),
      deposit_(load_deposit(shaders)),
      weigh_(load_program(shaders, {"splat_weigh.comp"})),
      fold_(load_program(shaders, {"splat_fold.comp"})),
      find_categories_(load_program(shaders, {"splat_categories.comp"})),
      scale_(make_buffer()),
      found_(make_buffer()),
      vertices_(make_vertex_array()),
      largest_block_(find_largest_block()),
      compute_batch_(compute_batch) {
  // Batches start at offsets that every driver allows.
  MOTE_EXPECT(compute_batch > 0 && compute_batch % aligned_points == 0 && compute_batch <= 1 << 25);
  glNamedBufferStorage(scale_.name(), scale_bytes, nullptr, GL_DYNAMIC_STORAGE_BIT);
  glNamedBufferStorage(found_.name(), sizeof(CategoryBits), nullptr, GL_DYNAMIC_STORAGE_BIT);
  declare_points(vertices_, 0);
}

void SplatSums::resize(int width, int height) {
  if (planes_ && planes_->width == width && planes_->height == height) return;
  planes_.reset();  // first, so that two sizes need not fit at once
  planes_.emplace(width, height, largest_block_);
}

void SplatSums::set_view(const ProgramHandle& program, const PointBuffers& points,
                         const glm::mat4& clip_from_world, const PointStyle& style,
                         int category) const {
  set(program, "clip_from_world", clip_from_world);
  set(program, "viewport", glm::vec2(planes_->width, planes_->height));
  set(program, "scalar_low", points.scalar_low);
  set(program, "scalar_scale", scalar_scale(points));
  set(program, "weight_floor", style.weight_floor);
  set(program, "category", static_cast<float>(category));
}

void SplatSums::run(SplatPath by, std::span<const PointBuffers> points,
                    const glm::mat4& clip_from_world, const PointStyle& style, int category) {
  MOTE_EXPECT(!points.empty());
  const bool by_compute = by == SplatPath::compute && planes_->units;
  set_view(by_compute ? deposit_ : raster_, points.front(), clip_from_world, style, category);
  if (!by_compute) return run_raster(points);
  Index before = 0;
  for (const PointBuffers& buffers : points) {
    run_compute(buffers, style, before);
    before += buffers.count;
  }
}

void SplatSums::draw_points(const PointBuffers& points, Index first, Index count) const {
  const auto bind = [&](GLuint binding, GLuint buffer, Index bytes) {
    glVertexArrayVertexBuffer(vertices_.name(), binding, buffer,
                              static_cast<GLintptr>(first * bytes), static_cast<GLsizei>(bytes));
  };
  bind(0, points.positions, 12);
  bind(1, points.scalars, 4);
  if (points.weights != 0) {
    bind(2, points.weights, 4);
    glEnableVertexArrayAttrib(vertices_.name(), 2);
  } else {
    glDisableVertexArrayAttrib(vertices_.name(), 2);
    glVertexAttrib1f(2, 1);
  }
  glBindVertexArray(vertices_.name());
  glUseProgram(raster_.name());
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
  unbind_points(vertices_);
}

void SplatSums::run_raster(std::span<const PointBuffers> points) const {
  glViewport(0, 0, planes_->width, planes_->height);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_PROGRAM_POINT_SIZE);
  glPointSize(1);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  const bool batched = points.size() > 1 || points.front().count > splat_raster_batch;
  bool first_batch = true;
  for (const PointBuffers& buffers : points)
    for (Index first = 0; first < buffers.count; first += splat_raster_batch) {
      const SplatPlane& plane = batched ? planes_->scratch : planes_->sums;
      plane.clear();
      plane.bind();
      draw_points(buffers, first, std::min(buffers.count - first, splat_raster_batch));
      if (batched) add_batch(false, first_batch);
      first_batch = false;
    }
  glDisable(GL_BLEND);
}

/// Sets the units of a weight of 1 for these points; derived in splat_weigh.comp.
void SplatSums::set_scale(const PointBuffers& points, const PointStyle& style, Index count) const {
  if (points.weights == 0) {
    int exponent = 0;
    std::frexp(static_cast<double>(count) * std::max(1.0f, style.weight_floor), &exponent);
    const auto units = static_cast<float>(std::exp2(std::clamp(31 - exponent, -120, 120)));
    glNamedBufferSubData(scale_.name(), 0, sizeof units, &units);
    return;
  }
  glUseProgram(weigh_.name());
  set(weigh_, "count", static_cast<GLuint>(count));
  set(weigh_, "weight_floor", style.weight_floor);
  for (const GLint last : {0, 1}) {
    set(weigh_, "last", last);
    glDispatchCompute(last ? 1 : 256, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
}

/// Number of points that fit into a shader storage binding.
Index SplatSums::shader_batch() const {
  return std::min(compute_batch_,
                  static_cast<Index>(largest_block_) / 12 / aligned_points * aligned_points);
}

std::vector<int> SplatSums::categories(std::span<const PointBuffers> points) const {
  CategoryBits bits{};
  glNamedBufferSubData(found_.name(), 0, sizeof bits, bits.data());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, found_.name());
  const Index batch = shader_batch();
  for (const PointBuffers& buffers : points)
    for (Index first = 0; first < buffers.count; first += batch) {
      const Index count = std::min(buffers.count - first, batch);
      bind_batch(1, buffers.scalars, first, count, 4);
      set(find_categories_, "count", static_cast<GLuint>(count));
      glUseProgram(find_categories_.name());
      glDispatchCompute(
          static_cast<GLuint>(std::min<Index>((count + group_size - 1) / group_size, 1024)), 1, 1);
    }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glGetNamedBufferSubData(found_.name(), 0, sizeof bits, bits.data());
  std::vector<int> present;
  for (int number = 0; number < 256; ++number)
    if (bits[static_cast<std::size_t>(number) / 32] >> (number % 32) & 1) present.push_back(number);
  return present;
}

void SplatSums::run_compute(const PointBuffers& points, const PointStyle& style,
                            Index before) const {
  const Index batch = shader_batch();
  set(deposit_, "weighted", points.weights != 0 ? 1 : 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, planes_->units.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, scale_.name());
  for (Index first = 0; first < points.count; first += batch) {
    const Index count = std::min(points.count - first, batch);
    bind_batch(0, points.positions, first, count, 12);
    bind_batch(1, points.scalars, first, count, 4);
    // Binds something even without weights; it is not read.
    bind_batch(2, points.weights != 0 ? points.weights : points.scalars, first, count, 4);
    set_scale(points, style, count);
    set(deposit_, "count", static_cast<GLuint>(count));
    set(deposit_, "index", static_cast<GLuint>(before + first));
    // Long groups check less often for repeated pixels; few points are better spread over the whole
    // GPU.
    const Index rounds = 1 + 4 * std::clamp<Index>(count / (8192 * group_size), 2, 8);
    const Index groups = (count + rounds * group_size - 1) / (rounds * group_size);
    set(deposit_, "rounds", static_cast<GLuint>(rounds));
    glUseProgram(deposit_.name());
    glDispatchCompute(static_cast<GLuint>(groups), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    add_batch(true, before + first == 0);
  }
}

/// Adds the sums of a batch to the total.
void SplatSums::add_batch(bool integers, bool first) const {
  set(fold_, "integers", integers ? 1 : 0);
  set(fold_, "first", first ? 1 : 0);
  if (!integers) {
    // Unused here, but declared in the shader, so they should be bound.
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, scale_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, scale_.name());
  }
  glBindTextureUnit(0, planes_->scratch.texture.name());
  bind_image(0, planes_->sums.texture.name(), GL_READ_WRITE, GL_RG32F);
  run_for_pixels(fold_, planes_->width, planes_->height);
  finish_images();
  // makes the zeros visible to the next batch
  if (integers) glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

}  // namespace mote::render
