#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/exec/ranks.h"
#include "engine/memory/device_messages.h"
#include "sim/division.h"

namespace mote::sim {

/// The bodies of which a rank wants a column: Division::held or Division::summed.
enum class Wanted { held, summed };

/// Messages in the memory of a backend: those of host memory beside engine::DeviceMessages.
class HostMessages {
 public:
  void send(int to, std::span<const std::byte> bytes) { outgoing_.push_back({to, bytes}); }
  void receive(int from, std::span<std::byte> bytes) { incoming_.push_back({from, bytes}); }
  template <class Exec>
  void run(const Exec& exec) {
    exec.ranks->exchange(outgoing_, incoming_);
  }

 private:
  std::vector<engine::Ranks::Outgoing> outgoing_;
  std::vector<engine::Ranks::Incoming> incoming_;
};
template <class Space>
using MessagesIn =
    std::conditional_t<std::is_same_v<Space, engine::Host>, HostMessages, engine::DeviceMessages>;

/// Copies numbers in the memory of a backend from one rank to the same place of all others.
/// Collective.
template <class Exec, class T>
void copy_from_rank(const Exec& exec, int from, std::span<T> numbers) {
  MessagesIn<typename Exec::Space> messages;
  const int own = exec.ranks->rank();
  if (own != from) messages.receive(from, std::as_writable_bytes(numbers));
  for (int other = 0; own == from && other < exec.ranks->size(); ++other)
    if (other != from) messages.send(other, std::as_bytes(numbers));
  messages.run(exec);
}

/// One exchange of columns between the ranks: each sends what others want of its own bodies.
template <class Exec>
class ColumnExchange {
 public:
  ColumnExchange(const Exec& exec, const Division& division)
      : exec_(exec),
        division_(division),
        rank_(exec.ranks->rank()),
        held_(division.held(rank_)),
        own_(division.own(rank_)) {}

  /// Adds a column. `first`: its value for the first held body. All ranks add the same columns in
  /// the same order.
  template <class T>
  void add(T* first, Wanted wanted) {
    const auto part = [&](const engine::Range& bodies) {
      return std::span(first + (bodies.begin - held_.begin),
                       static_cast<std::size_t>(bodies.count()));
    };
    for (int other = 0; other < division_.ranks(); ++other) {
      if (other == rank_) continue;
      const engine::Range there = common(own_, wanted_by(other, wanted)),
                          here = common(division_.own(other), wanted_by(rank_, wanted));
      if (there.count() > 0) messages_.send(other, std::as_bytes(part(there)));
      if (here.count() > 0) messages_.receive(other, std::as_writable_bytes(part(here)));
    }
  }

  void run() { messages_.run(exec_); }

 private:
  engine::Range wanted_by(int rank, Wanted wanted) const {
    return wanted == Wanted::held ? division_.held(rank) : division_.summed(rank);
  }

  const Exec& exec_;
  const Division& division_;
  int rank_;
  engine::Range held_, own_;
  MessagesIn<typename Exec::Space> messages_;
};

}  // namespace mote::sim
