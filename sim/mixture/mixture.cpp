#include "sim/mixture/mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/exec/parallel.h"
#include "sim/space/cell_range.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Index;
using engine::Vec3d;

template <class Real>
bool has_kind(const MixtureView<Real>& view, Index i, FluidKind kind) {
  return view.kind[i] == static_cast<std::uint8_t>(kind);
}

}  // namespace

template <class Real>
MixtureForce<Real>::MixtureForce(const Fluid& fluid, const Domain& domain)
    : parameters_(fluid),
      domain_(domain),
      kernel_(smoothing_kernel<Real>(smoothing_length(fluid), static_cast<int>(fluid.dimensions))),
      support_radius_(2 * smoothing_length(fluid)) {}

template <class Real>
template <class Choose>
void MixtureForce<Real>::sort(const Cpu& exec, const MixtureView<Real>& view, SortedBodies& bodies,
                              Choose&& choose) const {
  bodies.selected.clear();
  for (Index i = 0; i < view.count; ++i)
    if (choose(i)) bodies.selected.push_back(static_cast<std::int32_t>(i));
  const std::size_t n = bodies.selected.size();
  for (auto* axis : {&bodies.x, &bodies.y, &bodies.z}) axis->resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::int32_t i = bodies.selected[k];
    bodies.x[k] = view.x[i], bodies.y[k] = view.y[i], bodies.z[k] = view.z[i];
  }
  StateView<const Real> positions{};
  positions.count = static_cast<Index>(n);
  positions.x = bodies.x.data(), positions.y = bodies.y.data(), positions.z = bodies.z.data();
  // Small cells: fewer of the candidates are beyond the support radius.
  bodies.grid.build(exec, positions, domain_, support_radius_ / 2);
  bodies.index.resize(n);
  for (std::size_t k = 0; k < n; ++k)
    bodies.index[k] = bodies.selected[static_cast<std::size_t>(bodies.grid.index()[k])];
}

/// Calls use(slot, W) for the bodies within the support radius of a position.
template <class Real>
template <class Use>
void MixtureForce<Real>::for_each_in_support(const SortedBodies& bodies, Vec3<Real> position,
                                             Use&& use) const {
  if (bodies.index.empty()) return;
  const CellLayout& cells = bodies.grid.layout();
  const double at[3] = {double(position.x), double(position.y), double(position.z)};
  double images[3];
  for (int axis = 0; axis < 3; ++axis) {
    images[axis] = image_within(cells, axis, at[axis]);
    // A body that is not finite, or too far away for a representable image, has no neighbours.
    const double from_low = images[axis] - cells.low[axis];
    if (!std::isfinite(images[axis]) ||
        (cells.periodic[axis] && !(from_low >= 0 && from_low <= cells.length[axis])))
      return;
  }
  const Vec3d image{images[0], images[1], images[2]};
  const auto rounded = [](Vec3d a) {
    return Vec3<Real>{static_cast<Real>(a.x), static_cast<Real>(a.y), static_cast<Real>(a.z)};
  };
  const Vec3<Real> from = rounded(image);
  const auto squared_radius = static_cast<Real>(support_radius_ * support_radius_);
  for_each_run_within(
      cells, bodies.grid.start(), image, support_radius_,
      [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
        const Vec3<Real> s = rounded(shift);
        for (std::int32_t k = begin; k < end; ++k) {
          const Vec3<Real> d = Vec3<Real>{bodies.grid.x()[k] - from.x, bodies.grid.y()[k] - from.y,
                                          bodies.grid.z()[k] - from.z} +
                               s;
          if (dot(d, d) < squared_radius)
            use(static_cast<std::size_t>(k), kernel_value(kernel_, kernel_point(kernel_, d)));
        }
      });
}

template <class Real>
void MixtureForce<Real>::porosities(const Cpu& exec, const MixtureView<Real>& view,
                                    Real* porosity) {
  sort(exec, view, grains_, [&](Index i) { return view.grain[i] != 0; });
  sort(exec, view, fluid_, [&](Index i) { return !has_kind(view, i, FluidKind::other); });
  std::fill_n(porosity, view.count, Real(1));
  grain_samples_.resize(grains_.index.size());
  for (std::size_t k = 0; k < grain_samples_.size(); ++k)
    grain_samples_[k].volume = grain_volume(view.radius[grains_.index[k]]);
  engine::parallel_chunks(exec.threads, fluid_.count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const std::int32_t i = fluid_.index[static_cast<std::size_t>(k)];
      if (!has_kind(view, i, FluidKind::fluid)) continue;
      Real solid_fraction = 0;
      for_each_in_support(grains_, {view.x[i], view.y[i], view.z[i]}, [&](std::size_t j, Real w) {
        solid_fraction += grain_samples_[j].volume * w;
      });
      porosity[i] = porosity_for(solid_fraction);
    }
  });
}

template <class Real>
double MixtureForce<Real>::run(const Cpu& exec, const MixtureView<Real>& view,
                               const Real* porosity) {
  const auto density = static_cast<Real>(parameters_.density),
             viscosity = static_cast<Real>(parameters_.viscosity);
  fluid_samples_.resize(fluid_.index.size());
  fluid_rate_.assign(fluid_.index.size(), Real(0));
  engine::parallel_chunks(exec.threads, fluid_.count(), [&](Index begin, Index end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const std::int32_t i = fluid_.index[k];
      if (has_kind(view, i, FluidKind::wall)) {
        fluid_samples_[k] = {view.mass[i] / density, Real(0), {}, {}};
        continue;
      }
      const Vec3<Real> own{view.fluid_ax[i], view.fluid_ay[i], view.fluid_az[i]};
      fluid_samples_[k] = {view.mass[i] / view.density[i],
                           porosity[i],
                           {view.vx[i], view.vy[i], view.vz[i]},
                           view.density[i] * own};
    }
  });
  engine::parallel_chunks(exec.threads, grains_.count(), [&](Index begin, Index end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const std::int32_t i = grains_.index[k];
      PoreSums<Real> sums{};
      for_each_in_support(fluid_, {view.x[i], view.y[i], view.z[i]}, [&](std::size_t j, Real w) {
        const FluidSample& other = fluid_samples_[j];
        add_to_pores(other.volume * w, other.porosity, other.v, other.force_density, sums);
      });
      const GrainForce<Real> result = force_on_grain(
          sums, density, viscosity, view.radius[i], Vec3<Real>{view.vx[i], view.vy[i], view.vz[i]});
      const Real per_mass = Real(1) / view.mass[i],
                 per_fluid = sums.fluid > 0 ? Real(1) / sums.fluid : Real(0);
      view.ax[i] += per_mass * result.force.x;
      view.ay[i] += per_mass * result.force.y;
      view.az[i] += per_mass * result.force.z;
      GrainSample& grain = grain_samples_[k];
      grain.reaction = per_fluid * result.force;
      grain.drag_reaction = per_fluid * result.drag;
      grain.rate = per_mass * result.drag;
    }
  });
  engine::parallel_chunks(exec.threads, fluid_.count(), [&](Index begin, Index end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const std::int32_t i = fluid_.index[k];
      if (!has_kind(view, i, FluidKind::fluid)) continue;
      Vec3<Real> reaction{0, 0, 0};
      Real drag = 0;
      for_each_in_support(grains_, {view.x[i], view.y[i], view.z[i]}, [&](std::size_t j, Real w) {
        reaction += w * grain_samples_[j].reaction;
        drag += w * grain_samples_[j].drag_reaction;
      });
      const Real per_mass = fluid_samples_[k].volume / view.mass[i];
      view.ax[i] -= per_mass * reaction.x;
      view.ay[i] -= per_mass * reaction.y;
      view.az[i] -= per_mass * reaction.z;
      fluid_rate_[k] = per_mass * drag;
    }
  });
  Real grain_drag_rate = 0, fluid_drag_rate = 0;
  for (const GrainSample& grain : grain_samples_)
    grain_drag_rate = std::max(grain_drag_rate, grain.rate);
  for (const Real rate : fluid_rate_) fluid_drag_rate = std::max(fluid_drag_rate, rate);
  return largest_drag_step(double(grain_drag_rate), double(fluid_drag_rate));
}

template class MixtureForce<float>;
template class MixtureForce<double>;

}  // namespace mote::sim
