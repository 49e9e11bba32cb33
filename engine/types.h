#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mote::engine {

/// Counts and positions of particles. Signed, so that differences are safe.
using Index = std::int64_t;

/// Where an array lives. `Pinned` is host memory that a device copies to and from by itself. Device
/// and pinned arrays exist only in builds with CUDA.
struct Host {};
struct Pinned {};
struct Device {};

/// Which machine computes. `automatic` becomes one of the others when a scene is opened.
enum class Backend { automatic, cpu, cuda };

/// Number types of a simulation: `single` state and forces in float; `mixed` state and integration
/// in double, forces from positions of two floats; `full` ("double" to the user) everything in
/// double.
enum class Precision { single, mixed, full };

std::string_view name_of(Backend backend);
std::string_view name_of(Precision precision);

/// Nothing when the word names no backend (auto, cpu, cuda) or precision (single, mixed, double).
std::optional<Backend> backend_named(std::string_view word);
std::optional<Precision> precision_named(std::string_view word);

}  // namespace mote::engine
