#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "engine/exec/ranks.h"
#include "sim/expansions/tree.h"
#include "sim/ranks/column_exchange.h"

namespace mote::sim {

/// How the targets of an evaluation are divided between ranks: in ranges along the curve of a tree,
/// which all ranks have. Leaves are not divided: a range has those whose first body is in it, so
/// targets own their sums and the division changes no bit of them.
class CurveShares {
 public:
  /// Returns the first body of each rank's range among `count` along the curve, and the end of the
  /// last range. Without ranks there is one range.
  std::vector<engine::Index> borders(const engine::Ranks* ranks, engine::Index count) const;

  /// Moves the borders by the work of each rank in the last evaluation, as if it were spread evenly
  /// over its range, so that the next ranges have equal work. Collective.
  void balance(engine::Ranks* ranks, std::uint64_t own_work);

 private:
  std::vector<double> end_;  ///< of each range, as a fraction of all bodies; empty: even
};

/// The cells of each level of a tree of which all bodies are in a range along the curve that begins
/// and ends with leaves.
std::vector<engine::Range> cells_inside(const Tree& tree, const engine::Range& bodies);
/// The cells with bodies on both sides of borders between such ranges, the deepest ones first.
std::vector<std::uint32_t> cells_across(const Tree& tree,
                                        const std::vector<engine::Index>& borders);

/// Adds this rank's part of a column to the messages to all others, and theirs to those received:
/// of rank r the elements [borders[r], borders[r + 1]).
template <class Messages, class T>
void add_parts(Messages& messages, const engine::Ranks& ranks,
               const std::vector<engine::Index>& borders, T* column) {
  const auto part = [&](int of) {
    const engine::Index begin = borders[static_cast<std::size_t>(of)],
                        end = borders[static_cast<std::size_t>(of) + 1];
    return std::span(column + begin, static_cast<std::size_t>(end - begin));
  };
  const auto own = part(ranks.rank());
  for (int other = 0; other < ranks.size(); ++other) {
    if (other == ranks.rank()) continue;
    if (!own.empty()) messages.send(other, std::as_bytes(own));
    if (!part(other).empty()) messages.receive(other, std::as_writable_bytes(part(other)));
  }
}

/// Sends each rank's part of the columns to the others, and receives theirs, as add_parts says.
/// Collective; does nothing without ranks.
template <class Exec, class T>
void gather_parts(const Exec& exec, const std::vector<engine::Index>& borders,
                  std::initializer_list<T*> columns) {
  if (!exec.ranks) return;
  MessagesIn<typename Exec::Space> messages;
  for (T* const column : columns) add_parts(messages, *exec.ranks, borders, column);
  messages.run(exec);
}

}  // namespace mote::sim
