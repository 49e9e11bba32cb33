#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "api/mote.h"

namespace mote::python {

/// A simulation owned by Python. Arrays keep it alive.
class Handle {
 public:
  explicit Handle(Simulation simulation) : simulation_(std::move(simulation)) {}

  /// Exclusive use during one call. Calls release the GIL, and throw if another thread is inside
  /// one.
  class Use {
   public:
    explicit Use(Handle& handle) : handle_(handle) {
      if (handle_.busy_)
        throw std::runtime_error(
            "the simulation is busy in another thread; use one thread at a time");
      handle_.busy_ = true;
    }
    ~Use() { handle_.busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Simulation* operator->() { return &handle_.simulation_; }

   private:
    Handle& handle_;
  };

 private:
  Simulation simulation_;
  bool busy_ = false;  // accessed only with the GIL held
};

/// A column on the GPU: {pointer, count, kind, bytes, device, stream}.
pybind11::dict device_array(pybind11::object handle, Column column);
/// The same as a DLPack capsule, which keeps the simulation alive.
pybind11::capsule dlpack(pybind11::object handle, Column column);

}  // namespace mote::python
