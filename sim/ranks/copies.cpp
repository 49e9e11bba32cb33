#include "sim/ranks/copies.h"

#include <algorithm>
#include <span>
#include <vector>

namespace mote::sim {

using engine::Host;
using engine::Range;

State<Host> share_of(const State<Host>& bodies, const Division& division, int rank) {
  const Range own = division.own(rank), held = division.held(rank);
  const Copies copies = division.about(rank, own);
  State<Host> share(own.count(), bodies.precision(), bodies.layout(), copies);
  share.choose(held.count(), {});
  for_columns(share, bodies, [&](auto* to, const auto* from, bool /*physical*/) {
    std::copy_n(from + held.begin, held.count(), to);
  });
  std::copy_n(bodies.globals(), bodies.layout().global_count(), share.globals());
  share.choose(own.count(), copies);
  forget_copies(engine::Cpu{}, share);
  return share;
}

void gather_bodies(engine::Ranks& ranks, State<Host>& to, const State<Host>& own,
                   const Division& division) {
  std::vector<engine::Ranks::Outgoing> outgoing;
  std::vector<engine::Ranks::Incoming> incoming;
  const auto count = static_cast<std::size_t>(own.count());
  for_columns(to, own, [&](auto* target, const auto* source, bool /*physical*/) {
    for (int other = 0; other < ranks.size(); ++other) {
      const Range theirs = division.own(other);
      outgoing.push_back({other, std::as_bytes(std::span(source, count))});
      incoming.push_back(
          {other, std::as_writable_bytes(
                      std::span(target + theirs.begin, static_cast<std::size_t>(theirs.count())))});
    }
  });
  ranks.exchange(outgoing, incoming);
  std::copy_n(own.globals(), own.layout().global_count(), to.globals());
}

}  // namespace mote::sim
