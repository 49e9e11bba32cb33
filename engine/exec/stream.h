#pragma once

#include <memory>

#include "engine/exec/policy.h"

struct CUevent_st;

namespace mote::engine {

/// An ordered queue of work on one device. Everything a simulation does on a device goes through
/// its one stream, none through the implicit one. Defined in builds with CUDA only.
class Stream {
 public:
  /// Makes it the one that the calling thread works for.
  explicit Stream(int device);

  Cuda policy() const { return {device_, stream_.get()}; }

 private:
  int device_;
  std::shared_ptr<CUstream_st> stream_;
};

/// Makes the policy's device the current one, and its stream the one that the thread works for:
/// before anything is allocated or started for it.
void make_current(const Cuda& exec);
/// The device alone, for destructors: whether it is. What is wrong is logged. A thread that was
/// never told of a device has number 0, and nearly all calls would make a context there, which
/// takes memory.
bool make_current(int device) noexcept;

/// What a thread works for: the stream that it made, or made current, last; null when there is none
/// any more. Memory that the thread takes is used by that stream, which lives until the last of it
/// is freed.
struct Work {
  int device = 0;  ///< the current one
  std::shared_ptr<CUstream_st> stream;
};
Work work_of_thread();

/// Whether nothing that a thread worked for is under way any more: waits for its stream, and for no
/// other. Makes the device current. What is wrong is logged.
bool come_to_rest(const Work& work) noexcept;

/// Blocks until all work of the policy's stream is done. Throws SystemError for an error that the
/// work met.
void wait(const Cuda& exec);

/// Work that the policy's stream gets from now on waits for the last mark of an event; null:
/// nothing to wait for. Does not block the host.
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
