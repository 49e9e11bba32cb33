#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "api/mote.h"

namespace mote::python {

/// A simulation that Python holds. Arrays keep it alive.
class Handle {
 public:
  explicit Handle(Simulation simulation) : simulation_(std::move(simulation)) {}

  /// The simulation for one call. Calls let other threads of Python run, and these must not call
  /// too.
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
  bool busy_ = false;  // read and written while Python's lock is held
};

/// A column on the GPU: {pointer, count, kind, bytes, device, stream}.
pybind11::dict device_array(pybind11::object handle, Column column);
/// The same as a capsule of DLPack, which keeps the simulation alive.
pybind11::capsule dlpack(pybind11::object handle, Column column);

}  // namespace mote::python
