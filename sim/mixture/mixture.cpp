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
bool is_of(const MixtureView<Real>& view, Index i, FluidKind kind) {
  return view.kind[i] == static_cast<std::uint8_t>(kind);
}

}  // namespace

template <class Real>
MixtureForce<Real>::MixtureForce(const Fluid& fluid, const Domain& domain)
    : fluid_of_(fluid),
      domain_(domain),
      kernel_(smoothing_kernel<Real>(smoothing_length(fluid), static_cast<int>(fluid.dimensions))),
      reach_(2 * smoothing_length(fluid)) {}

template <class Real>
template <class Choose>
void MixtureForce<Real>::sort(const Cpu& exec, const MixtureView<Real>& view, Side& side,
                              Choose&& choose) const {
  side.chosen.clear();
  for (Index i = 0; i < view.count; ++i)
    if (choose(i)) side.chosen.push_back(static_cast<std::int32_t>(i));
  const std::size_t n = side.chosen.size();
  for (auto* axis : {&side.x, &side.y, &side.z}) axis->resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::int32_t i = side.chosen[k];
    side.x[k] = view.x[i], side.y[k] = view.y[i], side.z[k] = view.z[i];
  }
  StateView<const Real> places{};
  places.count = static_cast<Index>(n);
  places.x = side.x.data(), places.y = side.y.data(), places.z = side.z.data();
  side.grid.build(exec, places, domain_,
                  reach_ / 2);  // small cells: less of what is looked at is out of reach
  side.column.resize(n);
  for (std::size_t k = 0; k < n; ++k)
    side.column[k] = side.chosen[static_cast<std::size_t>(side.grid.column()[k])];
}

/// Calls use(k, W) for the bodies of a side that are within reach of a place.
template <class Real>
template <class Use>
void MixtureForce<Real>::for_each_near(const Side& side, Vec3<Real> at, Use&& use) const {
  if (side.column.empty()) return;
  const CellLayout& cells = side.grid.layout();
  const double place[3] = {double(at.x), double(at.y), double(at.z)};
  double images[3];
  for (int axis = 0; axis < 3; ++axis) {
    images[axis] = image_within(cells, axis, place[axis]);
    // Who is no longer anywhere, or so far away that there is no such image, is near nobody.
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
  const auto squared_reach = static_cast<Real>(reach_ * reach_);
  for_each_run_within(
      cells, side.grid.start(), image, reach_,
      [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
        const Vec3<Real> s = rounded(shift);
        for (std::int32_t k = begin; k < end; ++k) {
          const Vec3<Real> d = Vec3<Real>{side.grid.x()[k] - from.x, side.grid.y()[k] - from.y,
                                          side.grid.z()[k] - from.z} +
                               s;
          if (dot(d, d) < squared_reach)
            use(static_cast<std::size_t>(k), kernel_value(kernel_, kernel_point(kernel_, d)));
        }
      });
}

template <class Real>
void MixtureForce<Real>::porosities(const Cpu& exec, const MixtureView<Real>& view,
                                    Real* porosity) {
  sort(exec, view, grains_, [&](Index i) { return view.grain[i] != 0; });
  sort(exec, view, fluid_, [&](Index i) { return !is_of(view, i, FluidKind::other); });
  std::fill_n(porosity, view.count, Real(1));
  grain_at_.resize(grains_.column.size());
  for (std::size_t k = 0; k < grain_at_.size(); ++k)
    grain_at_[k].volume = volume_of_grain(view.radius[grains_.column[k]]);
  engine::parallel_chunks(exec.threads, fluid_.count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const std::int32_t i = fluid_.column[static_cast<std::size_t>(k)];
      if (!is_of(view, i, FluidKind::fluid)) continue;
      Real grains = 0;
      for_each_near(grains_, {view.x[i], view.y[i], view.z[i]},
                    [&](std::size_t j, Real w) { grains += grain_at_[j].volume * w; });
      porosity[i] = porosity_beside(grains);
    }
  });
}

template <class Real>
double MixtureForce<Real>::run(const Cpu& exec, const MixtureView<Real>& view,
                               const Real* porosity) {
  const auto density = static_cast<Real>(fluid_of_.density),
             viscosity = static_cast<Real>(fluid_of_.viscosity);
  fluid_at_.resize(fluid_.column.size());
  fluid_rate_.assign(fluid_.column.size(), Real(0));
  engine::parallel_chunks(exec.threads, fluid_.count(), [&](Index begin, Index end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const std::int32_t i = fluid_.column[k];
      if (is_of(view, i, FluidKind::wall)) {
        fluid_at_[k] = {view.mass[i] / density, Real(0), {}, {}};
        continue;
      }
      const Vec3<Real> own{view.own_x[i], view.own_y[i], view.own_z[i]};
      fluid_at_[k] = {view.mass[i] / view.density[i],
                      porosity[i],
                      {view.vx[i], view.vy[i], view.vz[i]},
                      view.density[i] * own};
    }
  });
  engine::parallel_chunks(exec.threads, grains_.count(), [&](Index begin, Index end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const std::int32_t i = grains_.column[k];
      PoreSums<Real> sums{};
      for_each_near(fluid_, {view.x[i], view.y[i], view.z[i]}, [&](std::size_t j, Real w) {
        const FluidAt& other = fluid_at_[j];
        add_to_pores(other.volume * w, other.porosity, other.v, other.push, sums);
      });
      const GrainPush<Real> push = push_on_grain(sums, density, viscosity, view.radius[i],
                                                 Vec3<Real>{view.vx[i], view.vy[i], view.vz[i]});
      const Real per_mass = Real(1) / view.mass[i],
                 per_fluid = sums.fluid > 0 ? Real(1) / sums.fluid : Real(0);
      view.ax[i] += per_mass * push.force.x;
      view.ay[i] += per_mass * push.force.y;
      view.az[i] += per_mass * push.force.z;
      GrainAt& grain = grain_at_[k];
      grain.share = per_fluid * push.force;
      grain.drag_share = per_fluid * push.drag;
      grain.rate = per_mass * push.drag;
    }
  });
  engine::parallel_chunks(exec.threads, fluid_.count(), [&](Index begin, Index end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const std::int32_t i = fluid_.column[k];
      if (!is_of(view, i, FluidKind::fluid)) continue;
      Vec3<Real> taken{0, 0, 0};
      Real drag = 0;
      for_each_near(grains_, {view.x[i], view.y[i], view.z[i]}, [&](std::size_t j, Real w) {
        taken += w * grain_at_[j].share;
        drag += w * grain_at_[j].drag_share;
      });
      const Real per_mass = fluid_at_[k].volume / view.mass[i];
      view.ax[i] -= per_mass * taken.x;
      view.ay[i] -= per_mass * taken.y;
      view.az[i] -= per_mass * taken.z;
      fluid_rate_[k] = per_mass * drag;
    }
  });
  Real of_grains = 0, of_fluid = 0;
  for (const GrainAt& grain : grain_at_) of_grains = std::max(of_grains, grain.rate);
  for (const Real rate : fluid_rate_) of_fluid = std::max(of_fluid, rate);
  return largest_drag_step(double(of_grains), double(of_fluid));
}

template class MixtureForce<float>;
template class MixtureForce<double>;

}  // namespace mote::sim
