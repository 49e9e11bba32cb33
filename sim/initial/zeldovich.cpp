#include "sim/initial/zeldovich.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/exec/parallel.h"
#include "sim/initial/common_params.h"
#include "sim/initial/cut_lattice.h"
#include "sim/initial/generate.h"
#include "sim/initial/growing_mode.h"
#include "sim/initial/wave_field.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

bool is_box(const Zeldovich& z) {
  return z.shape == "box";
}

double volume_of(const Zeldovich& z) {
  return (is_box(z) ? 1 : std::numbers::pi / 6) * z.size * z.size * z.size;
}

/// Waves with at least two bodies a wavelength.
int used_waves(const Zeldovich& z) {
  const double spacing = std::cbrt(volume_of(z) / static_cast<double>(z.n));
  const double finest = std::floor(z.size / (2 * spacing) * (1 + 1e-9));
  return static_cast<int>(std::min(finest, static_cast<double>(z.waves)));
}

}  // namespace

const engine::ParamTable<Zeldovich>& zeldovich_table() {
  using engine::param;
  static const engine::ParamTable<Zeldovich> table{
      "zeldovich",
      "cold matter on a lattice with random waves of density (Zel'dovich's approximation)",
      {count_param<Zeldovich>(), mass_param<Zeldovich>(),
       param(&Zeldovich::shape, {.name = "shape",
                                 .help = "sphere, or box: a cube that fills a periodic domain",
                                 .choices = {"sphere", "box"}}),
       length_param(&Zeldovich::size, "size", "diameter of the sphere, or side of the box"),
       param(&Zeldovich::amplitude,
             {.name = "amplitude",
              .help = "root mean square of the density contrast; above about 0.5 some bodies have "
                      "passed each other at the start",
              .minimum = 0,
              .maximum = 10}),
       param(&Zeldovich::spectral_index,
             {.name = "spectral_index",
              .help = "exponent of the power spectrum k^index: -3 large structures, 0 small ones",
              .minimum = -6,
              .maximum = 6}),
       param(&Zeldovich::waves,
             {.name = "waves",
              .help = "shortest waves: so many fit into the size; the longest is the size",
              .minimum = 1,
              .maximum = WaveSpectrum::most_waves}),
       param(&Zeldovich::expansion,
             {.name = "expansion",
              .help = "rate of expansion in units of the critical one, sqrt(8 pi G rho / 3), with "
                      "the velocities of growing waves; at rest when left out",
              .minimum = 0,
              .maximum = 1})}};
  return table;
}

BrokenRelations broken_relations(const Zeldovich& z) {
  if (!is_box(z) || cube_root(z.n) > 0) return {};
  const auto below = static_cast<std::int64_t>(std::floor(std::cbrt(static_cast<double>(z.n))));
  const auto cube = [](std::int64_t m) { return std::to_string(m * m * m); };
  return {{"n", std::to_string(z.n) + " bodies do not fill a box as a cubic lattice",
           "give a cube: " + cube(below) + " or " + cube(below + 1)}};
}

Bodies make(const Zeldovich& z, const MakeContext& context) {
  const CutLattice lattice =
      is_box(z) ? lattice_in_box(z.n, z.size) : lattice_in_sphere(z.n, z.size / 2);
  const WaveField field({.side = z.size,
                         .rms = z.amplitude,
                         .index = z.spectral_index,
                         .waves = static_cast<int>(z.waves),
                         .seed = context.seed,
                         .stream = context.stream},
                        used_waves(z));
  const WaveField::Columns columns = field.columns_at(lattice.x);
  const double critical =
      std::sqrt(8 * std::numbers::pi / 3 * context.gravitational * z.mass / volume_of(z));
  const double hubble = z.expansion ? *z.expansion * critical : 0;
  const double growth = z.expansion ? growing_rate(*z.expansion) * critical : 0;
  Bodies bodies = equal_masses(z.n, z.mass);
  engine::parallel_tasks(
      context.threads, static_cast<Index>(lattice.layers.size()), [&](Index task) {
        const CutLattice::Layer& layer = lattice.layers[static_cast<std::size_t>(task)];
        WaveField::Rows rows(field);
        rows.start_layer(layer.z);
        for (const CutLattice::Row& row : layer.rows) {
          const auto first = static_cast<std::size_t>(row.first),
                     begin = static_cast<std::size_t>(row.begin),
                     count = static_cast<std::size_t>(row.count);
          Vec3d* const moved = &bodies.velocity[first];
          rows.start_row(row.y);
          rows.displace(columns, begin, count, moved);
          for (std::size_t i = 0; i < count; ++i) {
            const Vec3d s = moved[i];
            const Vec3d position = Vec3d{lattice.x[begin + i], row.y, layer.z} + s;
            bodies.position[first + i] = position;
            bodies.velocity[first + i] = hubble * position + growth * s;
          }
        }
      });
  if (context.centre) center(bodies, context.threads);
  return bodies;
}

}  // namespace mote::sim
