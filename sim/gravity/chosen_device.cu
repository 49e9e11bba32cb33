#include "sim/gravity/chosen_device.h"

#include <algorithm>
#include <type_traits>

#include "engine/exec/launch.cuh"
#include "sim/gravity/chosen_forces.cuh"

namespace mote::sim {
namespace {

using direct::chosen_threads;
using direct::chosen_warps;
using direct::ChosenPart;
using direct::Pairs;
using direct::SourceView;
using direct::VelocityView;
using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Precision;

constexpr unsigned pack_threads = 256;
constexpr Index most_partials = Index{1} << 23;  ///< 64 MiB of partial sums

/// More targets share each read of a source if there are many. Changes no bit.
constexpr Index many_targets = 2048;
constexpr int together = 4;

template <Precision precision, ZeroDistance guard, bool jerks>
void launch_sums(const Cuda& exec, const SourceView<precision>& sources,
                 const VelocityView<precision>& velocities,
                 const StateView<typename Pairs<precision>::Real>& s, const ChosenPart& part,
                 typename Pairs<precision>::Term squared_softening) {
  const bool many = part.count >= many_targets;
  const auto kernel = many ? direct::sum_chosen<precision, guard, jerks, together>
                           : direct::sum_chosen<precision, guard, jerks, 1>;
  engine::launch(exec,
                 {.blocks = engine::blocks_for(part.count, chosen_warps * (many ? together : 1)),
                  .threads = chosen_threads,
                  .blocks_y = static_cast<unsigned>(part.chunks)},
                 kernel, sources, velocities, s, part, squared_softening);
}

}  // namespace

std::uint64_t ChosenDirectForces::device_bytes(Index count) {
  constexpr std::uint64_t word = 16, words = 4;  // of position and velocity, in double
  const auto bodies = static_cast<std::uint64_t>(count);
  const auto chunk = static_cast<std::uint64_t>(direct::chosen_chunk(count));
  const std::uint64_t sums = bodies * ((bodies + chunk - 1) / chunk) * 6;
  return bodies * words * word +
         sizeof(double) * std::min(sums, static_cast<std::uint64_t>(most_partials));
}

template <Precision precision>
void ChosenDirectForces::run_on(const Cuda& exec, State<Device>& state, const ForceRequest& request,
                                const Parameters& of) {
  using P = Pairs<precision>;
  using Term = typename P::Term;
  const bool jerks = request.with_jerks();
  // A word is two doubles.
  const auto fit = [](engine::Buffer<double, Device>& buffer, Index words) {
    if (buffer.size() < 2 * words) buffer = engine::Buffer<double, Device>(2 * words);
  };
  fit(sources_, P::words * of.sources);
  if (jerks) fit(velocities_, (precision == Precision::double_ ? 2 : 1) * of.sources);
  const auto count = static_cast<int>(of.sources);
  const SourceView<precision> sources{reinterpret_cast<typename P::Word*>(sources_.data()), count,
                                      count};
  const VelocityView<precision> velocities{
      jerks ? reinterpret_cast<typename P::Word*>(velocities_.data()) : nullptr, count};
  state.visit([&]<class Real>(StateView<Real> s) {
    if constexpr (std::is_same_v<Real, typename P::Real>) {
      const StateView<Real> all = s.with(state.copies());
      engine::launch(exec, {engine::blocks_for(all.count, pack_threads), pack_threads},
                     direct::pack_moving<precision>, all, of.slots, sources, velocities);
      const int chunk = direct::chosen_chunk(of.sources);
      ChosenPart part{request.targets.slots, 0, 0, chunk, (count + chunk - 1) / chunk, nullptr,
                      jerks ? 6 : 3};
      const Index targets = request.targets.of(s.count);
      const Index by_memory = most_partials / (Index{part.chunks} * part.components),
                  by_time = static_cast<Index>(of.terms_per_launch / static_cast<double>(count));
      const Index most = std::clamp<Index>(std::min(by_memory, by_time), 1, targets);
      fit(partials_, (most * part.chunks * part.components + 1) / 2);
      part.sums = partials_.data();
      const auto softening = static_cast<Term>(of.softening);
      const Term e2 = softening * softening;
      for (Index first = 0; first < targets; first += most) {
        part.first = static_cast<int>(first);
        part.count = static_cast<int>(std::min(most, targets - first));
        const auto with = [&]<ZeroDistance guard>() {
          if (jerks)
            launch_sums<precision, guard, true>(exec, sources, velocities, s, part, e2);
          else
            launch_sums<precision, guard, false>(exec, sources, velocities, s, part, e2);
        };
        // Without softening, `coincident` adds zero to the squared distance.
        if (guard_for(e2) == ZeroDistance::none)
          with.template operator()<ZeroDistance::none>();
        else
          with.template operator()<ZeroDistance::coincident>();
        engine::launch(exec,
                       {.blocks = engine::blocks_for(part.count, chosen_threads),
                        .threads = chosen_threads,
                        .blocks_y = static_cast<unsigned>(part.components)},
                       direct::fold_chosen<Real>, s, request.jerks, part, of.gravitational);
      }
    }
  });
}

void ChosenDirectForces::run(const Cuda& exec, State<Device>& state, const ForceRequest& request,
                             const Parameters& parameters) {
  if (parameters.sources == 0 || request.targets.of(state.count()) == 0) return;
  switch (state.precision()) {
    case Precision::single:
      return run_on<Precision::single>(exec, state, request, parameters);
    case Precision::mixed:
      return run_on<Precision::mixed>(exec, state, request, parameters);
    case Precision::double_:
      return run_on<Precision::double_>(exec, state, request, parameters);
  }
}

}  // namespace mote::sim
