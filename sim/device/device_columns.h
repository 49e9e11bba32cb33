#pragma once

#include <type_traits>

#include "engine/check.h"
#include "engine/exec/policy.h"
#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"
#include "sim/state.h"

namespace mote::sim {

enum class Direction { to_device, to_host, on_device };

/// Copies all columns between states of equal layout and precision. Does not wait.
template <class To, class From>
void copy_columns(State<To>& to, const State<From>& from, CUstream_st* stream,
                  Direction direction) {
  const auto copy = [&](void* target, const void* source, std::size_t bytes) {
    switch (direction) {
      case Direction::to_device:
        return engine::copy_bytes_to_device(target, source, bytes, stream);
      case Direction::to_host:
        return engine::copy_bytes_to_host(target, source, bytes, stream);
      case Direction::on_device:
        return engine::copy_bytes_on_device(target, source, bytes, stream);
    }
  };
  for_columns(to, from, [&](auto* target, const auto* source, bool /*physical*/) {
    copy(target, source, static_cast<std::size_t>(to.count()) * sizeof *source);
  });
  if (const int globals = to.layout().global_count(); globals > 0)
    copy(to.globals(), from.globals(), static_cast<std::size_t>(globals) * sizeof(double));
}

/// Copies one body by index into a state of one body. Waits.
inline void copy_body(State<engine::Host>& one, const State<engine::Device>& state,
                      engine::Index index, const engine::Cuda& exec) {
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    engine::copy_bytes_to_host(to, from, bytes, exec.stream);
  };
  copy(one.id(), state.id() + index, sizeof(std::uint32_t));
  one.visit([&]<class Real>(StateView<Real> t) {
    state.visit([&]<class FromReal>(StateView<FromReal> f) {
      if constexpr (std::is_same_v<const Real, FromReal>) {
        for (std::size_t k = 0; k < t.common().size(); ++k)
          copy(t.common()[k], f.common()[k] + index, sizeof(Real));
      }
    });
  });
  engine::wait(exec);
}

}  // namespace mote::sim
