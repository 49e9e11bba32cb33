#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/exec/ranks.h"
#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"
#include "sim/division.h"

namespace mote::sim {

/// The bodies of which a rank wants a column: Division::held or Division::summed.
enum class Wanted { held, summed };

/// One exchange of columns between the ranks: each sends what others want of its own bodies. On a
/// GPU the columns pass through host memory.
template <class Exec>
class ColumnExchange {
 public:
  static constexpr bool on_host = std::is_same_v<typename Exec::Space, engine::Host>;

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
    T* column = first;
    if constexpr (!on_host) {
      Staged& staged = staged_.emplace_back();
      staged.device = reinterpret_cast<std::byte*>(first);
      staged.size = sizeof(T);
      staged.wanted = wanted_by(rank_, wanted);
      staged.host.resize(static_cast<std::size_t>(held_.count()) * sizeof(T));
      column = reinterpret_cast<T*>(staged.host.data());
      const engine::Index at = own_.begin - held_.begin;
      engine::copy_to_host(column + at, first + at, own_.count(), exec_.stream);
    }
    const auto part = [&](const engine::Range& bodies) {
      return std::as_writable_bytes(std::span(column + (bodies.begin - held_.begin),
                                              static_cast<std::size_t>(bodies.count())));
    };
    for (int other = 0; other < division_.ranks(); ++other) {
      if (other == rank_) continue;
      const engine::Range there = common(own_, wanted_by(other, wanted)),
                          here = common(division_.own(other), wanted_by(rank_, wanted));
      if (there.count() > 0) outgoing_.push_back({other, part(there)});
      if (here.count() > 0) incoming_.push_back({other, part(here)});
    }
  }

  void run() {
    if constexpr (!on_host) engine::wait(exec_);
    exec_.ranks->exchange(outgoing_, incoming_);
    if constexpr (!on_host) {
      for (const Staged& staged : staged_) {
        upload(staged, common(staged.wanted, {held_.begin, own_.begin}));
        upload(staged, common(staged.wanted, {own_.end, held_.end}));
      }
      engine::wait(exec_);
    }
  }

 private:
  struct Staged {
    std::byte* device;
    std::size_t size;  ///< of a value [bytes]
    engine::Range wanted;
    std::vector<std::byte> host;
  };

  engine::Range wanted_by(int rank, Wanted wanted) const {
    return wanted == Wanted::held ? division_.held(rank) : division_.summed(rank);
  }

  void upload(const Staged& staged, const engine::Range& bodies) {
    const auto at = static_cast<std::size_t>(bodies.begin - held_.begin) * staged.size,
               bytes = static_cast<std::size_t>(bodies.count()) * staged.size;
    if (bytes > 0)
      engine::copy_bytes_to_device(staged.device + at, staged.host.data() + at, bytes,
                                   exec_.stream);
  }

  const Exec& exec_;
  const Division& division_;
  int rank_;
  engine::Range held_, own_;
  std::vector<engine::Ranks::Outgoing> outgoing_;
  std::vector<engine::Ranks::Incoming> incoming_;
  std::vector<Staged> staged_;
};

}  // namespace mote::sim
