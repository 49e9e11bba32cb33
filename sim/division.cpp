#include "sim/division.h"

#include <algorithm>
#include <string>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/text.h"

namespace mote::sim {

using engine::Index;
using engine::Range;

namespace {

/// Bodies of the longest SIMD batch, and of a cache line of floats.
constexpr Index share_multiple = 16;

}  // namespace

Division::Division(Index bodies, int ranks, CopiesNeeded needed)
    : bodies_(bodies), ranks_(ranks), needed_(needed) {
  if (bodies < share_multiple * ranks)
    throw engine::InputError(
        "",
        engine::with_thousands(bodies) + " bodies are too few for " + std::to_string(ranks) +
            " GPUs or processes",
        "use fewer; each takes at least " + std::to_string(share_multiple) + " bodies");
}

Range Division::own(int rank) const {
  return engine::share_of(bodies_, rank, ranks_, share_multiple);
}

int Division::owner(Index body) const {
  int rank = 0;
  while (own(rank).end <= body) ++rank;
  return rank;
}

Range Division::summed(int rank) const {
  const Range range = own(rank);
  const auto next_chunk = [&](Index body) {
    return std::min((body + engine::loop_chunk - 1) / engine::loop_chunk * engine::loop_chunk,
                    bodies_);
  };
  return {next_chunk(range.begin), next_chunk(range.end)};
}

Range Division::held(int rank) const {
  return needed_ == CopiesNeeded::none ? complete(rank) : Range{0, bodies_};
}

Range Division::complete(int rank) const {
  if (needed_ == CopiesNeeded::velocities) return {0, bodies_};
  return {own(rank).begin, summed(rank).end};
}

Copies Division::about(int rank, const Range& bodies) const {
  const Range all = held(rank);
  return {bodies.begin - all.begin, all.end - bodies.end};
}

Copies Division::complete_about_own(int rank) const {
  const Range all = complete(rank), bodies = own(rank);
  return {bodies.begin - all.begin, all.end - bodies.end};
}

}  // namespace mote::sim
