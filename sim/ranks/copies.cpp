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
  State<Host> share(own.count(), bodies.precision(), bodies.layout(), copies,
                    division.complete_about_own(rank));
  for_columns(share, bodies, [&](auto* to, const auto* from, bool /*physical*/) {
    std::copy_n(from + own.begin, own.count(), to);
  });
  for_static_columns(share, bodies, [&](auto* to, const auto* from) {
    std::copy_n(from + held.begin, held.count(), to - copies.before);
  });
  std::copy_n(bodies.globals(), bodies.layout().global_count(), share.globals());
  forget_copies(engine::Cpu{}, share);
  return share;
}

namespace {

/// Sends own bodies to ranks 0 to `receivers` - 1, which receive those of all.
void gather_on(int receivers, engine::Ranks& ranks, State<Host>* to, const State<Host>& own,
               const Division& division) {
  std::vector<engine::Ranks::Outgoing> outgoing;
  std::vector<engine::Ranks::Incoming> incoming;
  const auto count = static_cast<std::size_t>(own.count());
  const auto send = [&](const auto* source) {
    for (int other = 0; other < receivers; ++other)
      outgoing.push_back({other, std::as_bytes(std::span(source, count))});
  };
  const auto receive = [&](auto* target) {
    for (int other = 0; other < ranks.size(); ++other) {
      const Range theirs = division.own(other);
      incoming.push_back(
          {other, std::as_writable_bytes(
                      std::span(target + theirs.begin, static_cast<std::size_t>(theirs.count())))});
    }
  };
  for_columns(const_cast<State<Host>&>(own), own,
              [&](const auto*, const auto* source, bool /*physical*/) { send(source); });
  if (to)
    for_columns(*to, own, [&](auto* target, const auto*, bool /*physical*/) { receive(target); });
  ranks.exchange(outgoing, incoming);
  if (to) std::copy_n(own.globals(), own.layout().global_count(), to->globals());
}

}  // namespace

void gather_bodies(engine::Ranks& ranks, State<Host>& to, const State<Host>& own,
                   const Division& division) {
  gather_on(ranks.size(), ranks, &to, own, division);
}

void gather_on_first(engine::Ranks& ranks, State<Host>* to, const State<Host>& own,
                     const Division& division) {
  gather_on(1, ranks, ranks.rank() == 0 ? to : nullptr, own, division);
}

}  // namespace mote::sim
