#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/exec/ranks.h"
#include "engine/memory/device_messages.h"
#include "engine/memory/on_device.h"
#include "sim/expansions/expansion_view.h"
#include "sim/expansions/tree_view.h"

namespace mote::sim {

/// Gathers the moments of a tree whose cells all ranks have: each rank has made those of the cells
/// inside its range along the curve, with their centers and their bodies. Cells across borders
/// remain. Collective; `own`: those of this rank. Returns those of all ranks.
template <class T>
std::vector<CellsInside> gather_moments(const engine::Cuda& exec, const DeviceTreeView& tree,
                                        const ExpansionView<T>& e, const CellsInside& own) {
  const std::vector<CellsInside> ranges = engine::gather_one(exec.ranks, own);
  // Calls `use` with what a rank has made, in one order on all ranks.
  const auto for_parts = [&](const CellsInside& cells, const auto& use) {
    use(std::span(e.bodies + cells.first_body, cells.end_body - cells.first_body));
    for (int level = 0; level < Targets::levels; ++level) {
      const std::uint32_t begin = cells.begin[level], count = cells.end[level] - begin;
      if (count == 0) continue;
      for (double* const column : {tree.x, tree.y, tree.z, tree.mass})
        use(std::span(column + begin, count));
      use(std::span(tree.radius + begin, count));
      use(std::span(tree.walk + begin, count));
      use(std::span(tree.massive + begin, count));
      const auto stride = static_cast<std::size_t>(e.stride);
      use(std::span(e.moments + begin * stride, count * stride));
      if (e.charged) use(std::span(e.near + begin, count));
    }
  };
  engine::DeviceMessages messages;
  for (int other = 0; other < exec.ranks->size(); ++other) {
    if (other == exec.ranks->rank()) continue;
    for_parts(own, [&](auto part) { messages.send(other, std::as_bytes(part)); });
    for_parts(ranges[static_cast<std::size_t>(other)],
              [&](auto part) { messages.receive(other, std::as_writable_bytes(part)); });
  }
  messages.run(exec);
  return ranges;
}

}  // namespace mote::sim
