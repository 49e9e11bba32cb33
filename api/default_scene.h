#pragma once

#include <cstdint>
#include <optional>

namespace mote::api {

/// The scene that `mote` opens without a name.
inline constexpr const char* default_scene = "galaxies";

/// The machine that runs the default scene.
enum class DefaultMachine { cpu_without_window, cpu_in_window, gpu };

/// The number of bodies to ask of the default scene, which has `bodies` if nothing is asked; none
/// to leave it as it is. Without a window the first picture of a CPU should take seconds. A GPU
/// takes a step of a million bodies in milliseconds: from so many on, forces are by expansions
/// (sim/gravity/solver.h). `asked`: the command line sets the number.
inline std::optional<std::int64_t> bodies_to_ask(DefaultMachine machine, std::int64_t bodies,
                                                 bool asked) {
  constexpr std::int64_t few = 4096, many = 1048576;
  if (asked) return {};
  if (machine == DefaultMachine::cpu_without_window && bodies > few) return few;
  if (machine == DefaultMachine::gpu && bodies < many) return many;
  return {};
}

}  // namespace mote::api
