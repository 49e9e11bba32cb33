#include "render/pass/splat.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/log.h"
#include "engine/text.h"
#include "render/gl/compute.h"
#include "render/gl/shader.h"
#include "render/gl/uniforms.h"
#include "render/pass/map_texture.h"
#include "render/pass/splat_sums.h"

namespace mote::render {
namespace {

using engine::Index;

constexpr float largest_radius = 32;  // pixels
constexpr Index timed_points = 1 << 20;

/// One row of the separable filter closest to the sprite (1 - r^2/R^2)^5: the product of two such
/// rows differs from it by 2 % of its peak. From the pixel itself outwards; both sides together sum
/// to 1.
std::vector<float> taps_of(double radius) {
  const auto last_tap = static_cast<std::size_t>(std::ceil(radius)) - 1;
  const auto sprite = [radius](std::size_t x, std::size_t y) {
    return std::pow(std::max(1 - static_cast<double>(x * x + y * y) / (radius * radius), 0.0), 5);
  };
  // The row is the dominant eigenvector; the next eigenvalue is 2 % of the largest, so the
  // iteration converges quickly.
  std::vector<double> row(last_tap + 1, 1.0);
  for (int round = 0; round < 12; ++round) {
    std::vector<double> next(row.size());
    for (std::size_t y = 0; y <= last_tap; ++y)
      for (std::size_t x = 0; x <= last_tap; ++x)
        next[y] += sprite(x, y) * row[x] * (x == 0 ? 1 : 2);
    double sum = -next[0];
    for (const double value : next) sum += 2 * value;
    for (double& value : next) value /= sum;
    row = next;
  }
  return {row.begin(), row.end()};
}

/// Two significant digits: a timing is no more precise.
std::string short_text(double value) {
  if (!(value > 0)) return "0";
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return engine::number_text(unit < 1 ? std::round(value / unit) / std::round(1 / unit)
                                      : std::round(value / unit) * unit);
}

}  // namespace

/// SplatTimes of the two paths [ms per million points].
struct SplatTimes {
  double raster, compute;
};

struct SplatPass::Parts {
  Parts(const std::filesystem::path& shaders, const ColorMap& colors)
      : sums(shaders),
        spread(load_program(shaders, {"splat_spread.comp"})),
        resolve(load_program(shaders, {"splat_light.comp"})),
        map(texture_of(colors)),
        separate(colors.separate) {
    glNamedBufferStorage(taps.name(), GLsizeiptr{4} * static_cast<GLsizeiptr>(largest_radius),
                         nullptr, GL_DYNAMIC_STORAGE_BIT);
  }

  void set_radius(float radius);
  void resolve_into(const Target& light, const PointStyle& style, bool fresh, int category);
  double time(SplatPath path, const PointBuffers& points, const glm::mat4& clip_from_world,
              const PointStyle& style);

  SplatSums sums;
  ProgramHandle spread, resolve;
  TextureHandle map;
  bool separate;
  BufferHandle taps = make_buffer();
  float tap_radius = 0;
  SplatPath path = SplatPath::automatic;
  std::optional<SplatTimes> times;
};

void SplatPass::Parts::set_radius(float radius) {
  if (radius == tap_radius) return;
  const std::vector<float> row = taps_of(radius);
  glNamedBufferSubData(taps.name(), 0, static_cast<GLsizeiptr>(row.size() * sizeof(float)),
                       row.data());
  for (const ProgramHandle* program : {&spread, &resolve})
    set(*program, "reach", static_cast<int>(row.size()) - 1);
  tap_radius = radius;
}

void SplatPass::Parts::resolve_into(const Target& light, const PointStyle& style, bool fresh,
                                    int category) {
  const SplatPlanes& planes = sums.planes();
  set_radius(std::clamp(style.radius, 1.0f, largest_radius));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, taps.name());
  set(resolve, "light_one", style.light);
  set(resolve, "fresh", fresh ? 1 : 0);
  set(resolve, "category", static_cast<float>(category));
  glBindTextureUnit(0, planes.sums.texture.name());
  bind_image(0, planes.scratch.texture.name(), GL_WRITE_ONLY, GL_RG32F);
  run_for_pixels(spread, planes.width, planes.height);
  finish_images();
  glBindTextureUnit(0, planes.scratch.texture.name());
  glBindTextureUnit(1, map.name());
  bind_image(0, light.texture(), GL_READ_WRITE, GL_RGBA32F);
  run_for_pixels(resolve, planes.width, planes.height);
  finish_images();
}

/// Returns milliseconds per million points. Uses the clock on an idle GPU with enough repetitions:
/// timer queries of software drivers miss a part of the work, which differs between the paths.
double SplatPass::Parts::time(SplatPath by, const PointBuffers& points,
                              const glm::mat4& clip_from_world, const PointStyle& style) {
  const auto measure = [&](int pictures) {
    using Clock = std::chrono::steady_clock;
    glFinish();
    const auto begin = Clock::now();
    for (int i = 0; i < pictures; ++i) sums.run(by, {&points, 1}, clip_from_world, style);
    glFinish();
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
    return elapsed.count() / pictures;
  };
  measure(1);  // warm-up: drivers compile and allocate late
  const double once = measure(1);
  const double best = std::min(once, measure(static_cast<int>(std::clamp(10 / once, 1.0, 30.0))));
  return best * 1e6 / static_cast<double>(points.count);
}

SplatPass::SplatPass(const std::filesystem::path& shaders, const ColorMap& map)
    : parts_(std::make_unique<Parts>(shaders, map)) {}

SplatPass::~SplatPass() = default;

void SplatPass::set_map(const ColorMap& map) {
  parts_->map = texture_of(map);
  parts_->separate = map.separate;
}

void SplatPass::use(SplatPath path) {
  Parts& parts = *parts_;
  parts.path = path;
  if (path == SplatPath::automatic && parts.times)
    parts.path =
        parts.times->compute < parts.times->raster ? SplatPath::compute : SplatPath::raster;
}

SplatPath SplatPass::path() const {
  return parts_->path;
}

std::string SplatPass::report() const {
  const Parts& parts = *parts_;
  if (parts.path == SplatPath::automatic) return "not yet chosen";
  const bool compute = parts.path == SplatPath::compute;
  const std::string name = compute ? "compute" : "raster", other = compute ? "raster" : "compute";
  if (!parts.times) return name;
  const SplatTimes& times = *parts.times;
  return name + " (" + short_text(compute ? times.compute : times.raster) + " ms; " + other + " " +
         short_text(compute ? times.raster : times.compute) + " ms per million points)";
}

void SplatPass::choose(const PointBuffers& points, const glm::mat4& clip_from_world,
                       const PointStyle& style, int width, int height) {
  if (points.count == 0) return;
  Parts& parts = *parts_;
  parts.sums.resize(width, height);
  PointBuffers sample = points;
  sample.count = std::min(points.count, timed_points);
  parts.times = SplatTimes{parts.time(SplatPath::raster, sample, clip_from_world, style),
                           parts.time(SplatPath::compute, sample, clip_from_world, style)};
  use(SplatPath::automatic);
  engine::log().info("splatting points by {}", report());
}

void SplatPass::draw(std::span<const PointBuffers> points, const glm::mat4& clip_from_world,
                     const PointStyle& style, const Target& light, bool fresh) {
  std::vector<PointBuffers> drawn;
  Index count = 0;
  for (const PointBuffers& buffers : points) {
    MOTE_EXPECT(buffers.count >= 0 &&
                (buffers.count == 0 || (buffers.positions != 0 && buffers.scalars != 0)));
    if (buffers.count > 0) drawn.push_back(buffers);
    count += buffers.count;
  }
  MOTE_EXPECT(count <= Index{0xffffffff});
  if (drawn.empty()) {
    if (fresh) light.clear({0, 0, 0, 0});
    return;
  }
  Parts& parts = *parts_;
  if (parts.path == SplatPath::automatic)
    choose(drawn.front(), clip_from_world, style, light.width(), light.height());
  parts.sums.resize(light.width(), light.height());
  const auto add = [&](int category) {
    parts.sums.run(parts.path, drawn, clip_from_world, style, category);
    parts.resolve_into(light, style, std::exchange(fresh, false), category);
  };
  if (!parts.separate) return add(all_categories);
  // Category numbers must not be averaged. Light adds up, so drawing them in turn is exact.
  for (const int category : parts.sums.categories(drawn)) add(category);
  if (fresh) light.clear({0, 0, 0, 0});
}

}  // namespace mote::render
