#pragma once

#include <memory>

#include "engine/exec/policy.h"

struct CUevent_st;

namespace mote::engine {

/// An ordered queue of work on one device. Everything a simulation does on a device goes through its one stream,
/// none through the implicit one. Defined in builds with CUDA only.
class Stream {
 public:
  /// Makes `device` the current one.
  explicit Stream(int device);

  Cuda policy() const { return {device_, stream_.get()}; }

 private:
  struct Destroy {
    void operator()(CUstream_st* stream) const;
  };
  int device_;
  std::unique_ptr<CUstream_st, Destroy> stream_;
};

/// Makes the policy's device the current one: before work for it, where several are in use.
void make_current(const Cuda& exec);

/// Blocks until all work of the policy's stream is done. Throws SystemError for an error that the work met.
void wait(const Cuda& exec);

/// Work that the policy's stream gets from now on waits for the last mark of an event; null: nothing to wait for. Does
/// not block the host.
void wait_for(const Cuda& exec, CUevent_st* event);
/// Marks where the policy's stream is now; null: does nothing.
void record(const Cuda& exec, CUevent_st* event);

/// A mark in a stream that the host and other streams can wait for, and that knows its time.
class Event {
 public:
  Event();
  /// One that knows no time: cheaper, for marks of every frame.
  static Event untimed();
  /// For `record` and `wait_for` elsewhere.
  CUevent_st* handle() const { return event_.get(); }
  void record(CUstream_st* stream);
  void wait() const;
  /// Seconds from `start` to this mark; both have been passed.
  double seconds_since(const Event& start) const;

 private:
  explicit Event(unsigned flags);
  struct Destroy {
    void operator()(CUevent_st* event) const;
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

}  // namespace mote::engine
