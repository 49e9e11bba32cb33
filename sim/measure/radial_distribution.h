#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/domain.h"
#include "sim/state.h"

namespace mote::sim {

/// The `radial_distribution` table of a scene.
struct RadialDistribution {
  double range = 0;         ///< [length], > 0; at most half the domain along periodic axes
  std::int64_t bins = 200;  ///< 1 to most_radial_bins
  std::int64_t every = 100;
  std::int64_t from = 0;
  bool species = false;  ///< also for each pair of species
};

inline constexpr std::int64_t most_radial_bins = 10'000;
/// Most species for g(r) of pairs.
inline constexpr std::size_t most_radial_species = 8;

const engine::ParamTable<RadialDistribution>& radial_distribution_table();

/// One shell of radii.
struct RadialBin {
  double low, high;     ///< [length]
  double value;         ///< g(r) of the shell
  double coordination;  ///< neighbours of a body within `high`: the integral of rho g 4 pi r^2
  std::vector<double> pairs;  ///< g(r) of pairs of species, in the order of pair_names
};

/// Radial distribution function of bodies in a closed domain, accumulated over samples: pairs in a
/// shell relative to an ideal gas of the same mean density (Allen & Tildesley 2017, section 8.2,
/// with n^2 / 2 pairs of n bodies; n_a n_b for two species). Counts are integers: the same bits for
/// any number of threads, and after a restart.
class RadialCounts {
 public:
  /// `species`: names of the scene's species.
  RadialCounts(const RadialDistribution& wanted, const Domain& domain,
               std::vector<std::string> species);

  /// Adds one sample. Positions must be finite.
  void add(const engine::Cpu& exec, const State<engine::Host>& state);

  std::uint64_t samples() const { return samples_; }
  std::vector<RadialBin> bins() const;
  /// "a_b", for a <= b in the order of the scene's species.
  std::vector<std::string> pair_names() const;

  /// Serializes and restores all counts; `read` throws Json::exception for malformed input.
  engine::Json json() const;
  void read(const engine::Json& json);

 private:
  template <class Real>
  void count(const engine::Cpu& exec, const StateView<const Real>& state);

  std::size_t kinds() const { return wanted_.species ? species_.size() + 1 : 1; }
  /// Index of an unordered pair of kinds.
  static std::size_t pair(std::size_t a, std::size_t b) {
    return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
  }

  RadialDistribution wanted_;
  Domain domain_;
  std::vector<std::string> species_;
  std::uint64_t samples_ = 0;
  double bodies_ = 0, squares_ = 0;    ///< sums over samples of n and n^2, exact integers
  std::vector<double> products_;       ///< sums by pair of kinds: n_a n_b, or n_a^2 / 2 for a = b
  std::vector<std::uint64_t> counts_;  ///< counts by pair of kinds and bin
};

}  // namespace mote::sim
