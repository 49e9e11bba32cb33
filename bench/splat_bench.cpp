#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "engine/text.h"
#include "render/color_map.h"
#include "render/context.h"
#include "render/gl/shader.h"
#include "render/pass/splat.h"
#include "render/pass/splat_sums.h"
#include "render/shader_folder.h"

// Times frames of very many points with both paths of SplatPass and compares the images.
//   usage: mote_splat [--n POINTS]... [--width PIXELS] [--height PIXELS] [--radius PIXELS]
//                     [--pictures COUNT] [--path both|compute]
// Points are generated on the GPU, 20 bytes each, at most 2^28 per buffer: some drivers draw
// buffers of more than 4 GiB incorrectly.
namespace {

using namespace mote;
using namespace mote::render;
using Clock = std::chrono::steady_clock;

constexpr double max_points = 4e9;
constexpr engine::Index points_per_buffer = 1 << 28;

struct Options {
  std::vector<engine::Index> counts;
  int width = 1920, height = 1080, pictures = 10;
  float radius = 4.5f;
  bool raster = true;  // as well as compute
};

enum class Shape : GLuint { uniform, plummer, spot };
constexpr std::array shapes = {Shape::uniform, Shape::plummer, Shape::spot};
constexpr std::array names = {"uniform", "Plummer", "a spot"};

// Points that fill the frame; a Plummer sphere whose scale radius is a tenth of the frame's height;
// and all points within 3 pixels. In random order, the worst case for memory access.
constexpr const char* generator = R"(#version 450 core
layout(local_size_x = 256) in;
layout(std430, binding = 0) writeonly buffer Positions { float positions[]; };
layout(std430, binding = 1) writeonly buffer Scalars { float scalars[]; };
layout(std430, binding = 2) writeonly buffer Weights { float weights[]; };
uniform uint first, count, shape;
uniform float spot;
uint state;
float random() {
  state = state * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
  return (float((word >> 22) ^ word) + 0.5) * 2.3283064e-10;
}
void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationIndex;
  if (i >= count) return;
  state = (first + i) * 2654435761u ^ 0x9e3779b9u;
  random();
  vec3 at = vec3(random(), random(), random()) * 2 - 1;
  if (shape == 1u) {
    float r = 0.2 / sqrt(max(pow(random(), -2.0 / 3.0) - 1, 1e-6)), z = random() * 2 - 1, a = 6.2831853 * random();
    at = r * vec3(sqrt(1 - z * z) * cos(a), sqrt(1 - z * z) * sin(a), z);
    at.z = clamp(at.z, -1, 1);
  }
  if (shape == 2u) at *= spot;
  positions[3u * i] = at.x;
  positions[3u * i + 1u] = at.y;
  positions[3u * i + 2u] = at.z;
  scalars[i] = random();
  weights[i] = 2 * random();
})";

struct Points {
  BufferHandle positions = make_buffer(), scalars = make_buffer(), weights = make_buffer();
  PointBuffers buffers;

  explicit Points(engine::Index count) {
    const auto allocate = [count](const BufferHandle& buffer, engine::Index floats) {
      glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(4 * floats * count), nullptr, 0);
    };
    allocate(positions, 3);
    allocate(scalars, 1);
    allocate(weights, 1);
    if (glGetError() != GL_NO_ERROR)
      throw engine::SystemError("allocate buffers for points", "out of GPU memory",
                                "use fewer points");
    buffers = {positions.name(), scalars.name(), weights.name(), count};
  }
};

using Buffers = std::vector<PointBuffers>;

engine::Index count_of(const Buffers& points) {
  engine::Index count = 0;
  for (const PointBuffers& buffers : points) count += buffers.count;
  return count;
}

class Generator {
 public:
  Generator() : program_(glCreateProgram()) {
    const ShaderHandle shader(glCreateShader(GL_COMPUTE_SHADER));
    glShaderSource(shader.name(), 1, &generator, nullptr);
    glCompileShader(shader.name());
    glAttachShader(program_.name(), shader.name());
    glLinkProgram(program_.name());
    GLint good = GL_FALSE;
    glGetProgramiv(program_.name(), GL_LINK_STATUS, &good);
    if (!good) throw engine::SystemError("link the point generator", "the driver failed", "");
  }

  /// `before`: number of points in previous buffers.
  void fill(const Points& points, Shape shape, float spot, engine::Index before) const {
    constexpr engine::Index batch = 1 << 22;
    glUseProgram(program_.name());
    const auto location = [this](const char* name) { return uniform(program_, name); };
    glUniform1ui(location("shape"), static_cast<GLuint>(shape));
    glUniform1f(location("spot"), spot);
    for (engine::Index first = 0; first < points.buffers.count; first += batch) {
      const engine::Index count = std::min(batch, points.buffers.count - first);
      const auto bind = [&](GLuint at, const BufferHandle& buffer, engine::Index bytes) {
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, at, buffer.name(),
                          static_cast<GLintptr>(first * bytes),
                          static_cast<GLsizeiptr>(count * bytes));
      };
      bind(0, points.positions, 12);
      bind(1, points.scalars, 4);
      bind(2, points.weights, 4);
      glUniform1ui(location("first"), static_cast<GLuint>(before + first));
      glUniform1ui(location("count"), static_cast<GLuint>(count));
      glDispatchCompute(static_cast<GLuint>((count + 255) / 256), 1, 1);
    }
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glFinish();
  }

 private:
  ProgramHandle program_;
};

struct Drawn {
  double milliseconds;
  std::vector<float> light;
};

/// Milliseconds per frame after a warm-up frame, the best of three rounds.
template <class Picture>
double milliseconds(int pictures, const Picture& picture) {
  picture();
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    glFinish();
    const auto begin = Clock::now();
    for (int i = 0; i < pictures; ++i) picture();
    glFinish();
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
    best = std::min(best, elapsed.count() / pictures);
  }
  return best;
}

Drawn draw(SplatPass& pass, SplatPath path, const Buffers& points, const glm::mat4& view,
           const Options& options, const Target& light) {
  const PointStyle style{
      .radius = options.radius,
      .light = static_cast<float>(static_cast<double>(options.width) * options.height /
                                  static_cast<double>(count_of(points)))};
  pass.use(path);
  const double elapsed =
      milliseconds(options.pictures, [&] { pass.draw(points, view, style, light, true); });
  return {elapsed, light.read_light()};
}

/// The largest difference of densities relative to the largest density.
double difference(const std::vector<float>& one, const std::vector<float>& other) {
  double largest = 0, brightest = 1e-30;
  for (std::size_t i = 3; i < one.size(); i += 4) {
    brightest = std::max(brightest, static_cast<double>(one[i]));
    largest = std::max(largest, static_cast<double>(std::abs(one[i] - other[i])));
  }
  return largest / brightest;
}

Options options_of(int count, char** words) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = words[i];
    if (name == "--path") {
      options.raster = i + 1 < count && std::string_view(words[i + 1]) == "both";
      continue;
    }
    const double value = i + 1 < count ? std::atof(words[i + 1]) : 0;
    if (!(value >= 1))
      throw engine::InputError("", fmt::format("{} needs a number from 1", name), "");
    if (name == "--n" && value > max_points)
      throw engine::InputError("--n", fmt::format("{:.0f} points are too many", value),
                               fmt::format("use at most {:.0f}", max_points));
    if (name == "--n")
      options.counts.push_back(static_cast<engine::Index>(value));
    else if (name == "--width")
      options.width = static_cast<int>(value);
    else if (name == "--height")
      options.height = static_cast<int>(value);
    else if (name == "--radius")
      options.radius = static_cast<float>(value);
    else if (name == "--pictures")
      options.pictures = static_cast<int>(value);
    else
      throw engine::InputError("", fmt::format("unknown option {}", name),
                               "see the top of bench/splat_bench.cpp");
  }
  if (options.counts.empty()) options.counts = {1000000, 10000000};
  return options;
}

/// The timing columns of a row of the table.
std::string row_of(const Buffers& points, const Options& options, const Target& light) {
  const glm::mat4 view{1};
  SplatPass pass(find_shaders(), color_map_named("inferno"));
  std::string raster_time = "", compared = "", chosen = "";
  const Drawn compute = draw(pass, SplatPath::compute, points, view, options, light);
  if (options.raster) {
    pass.choose(points.front(), view, {}, options.width, options.height);
    chosen = pass.report();
    const Drawn raster = draw(pass, SplatPath::raster, points, view, options, light);
    raster_time = fmt::format("{:.2f} ms", raster.milliseconds);
    compared = fmt::format("{:.1e}", difference(compute.light, raster.light));
  }
  SplatSums sums(find_shaders());
  sums.resize(options.width, options.height);
  const double summing =
      milliseconds(options.pictures, [&] { sums.run(SplatPath::compute, points, view, {}); });
  return fmt::format("| {} | {:.3f} ms | {:.3f} ms | {} | {} |\n", raster_time,
                     compute.milliseconds, summing, compared, chosen);
}

void measure(const Options& options) {
  EglContext context;
  fmt::print("{}, {}; {} x {} pixels, radius {}; atomics of {} bits\n\n", context.info().renderer,
             context.info().version, options.width, options.height, options.radius,
             GLEW_NV_gpu_shader5 && GLEW_NV_shader_atomic_int64 ? 64 : 32);
  fmt::print(
      "| N | points | weights | raster | compute | sums only | difference | path chosen from the "
      "first million |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  const Generator generate;
  const Target light(options.width, options.height, Target::Kind::light);
  for (const engine::Index count : options.counts) {
    std::list<Points> points;
    for (engine::Index left = count; left > 0; left -= points.back().buffers.count)
      points.emplace_back(std::min(left, points_per_buffer));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      engine::Index before = 0;
      for (const Points& some : points) {
        generate.fill(some, shapes[i], 3.0f / static_cast<float>(options.height), before);
        before += some.buffers.count;
      }
      for (const bool weighted : {false, true}) {
        Buffers drawn;
        for (const Points& some : points) drawn.push_back(some.buffers);
        if (!weighted)
          for (PointBuffers& buffers : drawn) buffers.weights = 0;
        fmt::print("| {} | {} | {} {}", engine::with_thousands(static_cast<long long>(count)),
                   names[i], weighted ? "any" : "1", row_of(drawn, options, light));
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    measure(options_of(count, words));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mote_splat: {}\n", error.what());
    return 1;
  }
}
