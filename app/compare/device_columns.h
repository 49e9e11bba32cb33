#pragma once

#include <cstddef>
#include <type_traits>

#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"
#include "sim/state.h"

namespace mote::app {

/// Calls `use(on_device, on_host)` for each floating-point column of two states of the same bodies.
template <class Use>
void with_columns(sim::State<engine::Device>& device, sim::State<engine::Host>& host, Use&& use) {
  device.visit([&]<class Real>(sim::StateView<Real> d) {
    host.visit([&]<class HostReal>(sim::StateView<HostReal> h) {
      if constexpr (std::is_same_v<Real, HostReal>) {
        for (std::size_t k = 0; k < d.common().size(); ++k) use(d.common()[k], h.common()[k]);
      }
    });
  });
}

/// Copies ids and columns; waits.
inline void copy_to_device(const engine::Cuda& exec, sim::State<engine::Device>& device,
                           sim::State<engine::Host>& host) {
  engine::copy_to_device(device.id(), host.id(), host.count(), exec.stream);
  with_columns(device, host, [&](auto* on_device, auto* on_host) {
    engine::copy_to_device(on_device, on_host, host.count(), exec.stream);
  });
  engine::wait(exec);
}

}  // namespace mote::app
