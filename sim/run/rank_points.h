#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/exec/ranks.h"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"
#include "engine/memory/device_memory.h"
#include "engine/memory/point_frame.h"
#include "sim/division.h"
#include "sim/measure/pack.h"
#include "sim/ranks/column_exchange.h"
#include "sim/state.h"

namespace mote::sim {

/// Packs the bodies of all ranks into a frame of rank 0. Each rank packs its own, and sends the
/// points; to a frame on a device from device to device.
template <class Exec>
class RankPoints {
 public:
  using Space = typename Exec::Space;

  /// `to`: the frame of rank 0, not looked at on others, which know its `kind`. `computed`: values
  /// of a computed scalar of all bodies, on rank 0; else empty. Collective.
  void pack(const Exec& exec, const State<Space>& own, const Division& division,
            const FrameKind& kind, const engine::PointFrame& to, const PackRequest& request,
            std::span<const double> computed) {
    const auto as_float = [](double value) { return static_cast<float>(value); };
    if constexpr (!std::is_same_v<Space, engine::Host>) {
      if (kind.on_device) {
        // Rank 0 records `done` when it has the points of all.
        engine::PointFrame unfinished = to;
        unfinished.done = nullptr;
        pack_by<engine::DeviceMessages>(exec, own, division, kind, unfinished, request, on_device_);
        if (!computed.empty()) {
          std::vector<float> scalars(computed.size());
          std::transform(computed.begin(), computed.end(), scalars.begin(), as_float);
          engine::copy_to_device(to.scalars, scalars.data(),
                                 static_cast<engine::Index>(scalars.size()), exec.stream);
          engine::wait(exec);
        }
        if (is_first(exec)) engine::record(exec, to.done);
        return;
      }
    }
    pack_by<HostMessages>(exec, own, division, kind, to, request, on_host_);
    if (!computed.empty()) std::transform(computed.begin(), computed.end(), to.scalars, as_float);
  }

 private:
  /// The points of own bodies on the way to rank 0.
  template <class Memory>
  struct Room {
    engine::Buffer<float, Memory> positions, scalars, radii;
    engine::PointFrame frame(engine::Index points, const FrameKind& kind) {
      const auto fit = [](engine::Buffer<float, Memory>& column, engine::Index size) {
        if (column.size() != size) column = engine::Buffer<float, Memory>(size);
      };
      fit(positions, 3 * points), fit(scalars, points), fit(radii, kind.with_radii ? points : 0);
      return {.positions = positions.data(),
              .scalars = scalars.data(),
              .radii = kind.with_radii ? radii.data() : nullptr,
              .on_device = kind.on_device};
    }
  };

  static bool is_first(const Exec& exec) { return exec.ranks->rank() == 0; }

  template <class Messages, class Memory>
  static void pack_by(const Exec& exec, const State<Space>& own, const Division& division,
                      const FrameKind& kind, const engine::PointFrame& to,
                      const PackRequest& request, Room<Memory>& room) {
    // Rank 0 has the first bodies.
    const engine::PointFrame frame = is_first(exec) ? to : room.frame(own.count(), kind);
    PackRequest without_computed = request;
    without_computed.scalar = formula_of(request);
    sim::pack(exec, own, frame, without_computed);
    Messages messages;
    const auto add = [&](float* column, engine::Index numbers) {
      const auto of = [&](engine::Index begin, engine::Index count) {
        return std::span(column + numbers * begin, static_cast<std::size_t>(numbers * count));
      };
      if (!column) return;
      if (!is_first(exec)) return messages.send(0, std::as_bytes(of(0, own.count())));
      for (int other = 1; other < division.ranks(); ++other) {
        const engine::Range theirs = division.own(other);
        messages.receive(other, std::as_writable_bytes(of(theirs.begin, theirs.count())));
      }
    };
    add(frame.positions, 3), add(frame.scalars, 1), add(frame.radii, 1);
    messages.run(exec);
  }

  Room<engine::Host> on_host_;
  Room<Space> on_device_;
};

}  // namespace mote::sim
