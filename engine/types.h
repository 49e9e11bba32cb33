#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mote::engine {

/// Counts and indices of particles. Signed, so that differences are safe.
using Index = std::int64_t;

/// Memory space of an array. `Pinned` is page-locked host memory, which a device copies to and from
/// by DMA. Device and pinned arrays exist only in builds with CUDA.
struct Host {};
struct Pinned {};
struct Device {};

/// Backend of a simulation. `automatic` is resolved to one of the others when a scene is opened.
enum class Backend { automatic, cpu, cuda };

/// Number types of a simulation. `single`: state and forces in float. `mixed`: state and
/// integration in double, forces from positions as pairs of floats. `double_` ("double" to the
/// user): all in double.
enum class Precision { single, mixed, double_ };

std::string_view name_of(Backend backend);
std::string_view name_of(Precision precision);

/// Nothing if the word is not a backend (auto, cpu, cuda) or precision (single, mixed, double).
std::optional<Backend> backend_named(std::string_view word);
std::optional<Precision> precision_named(std::string_view word);

}  // namespace mote::engine
