#pragma once

#include <memory>

#include "engine/exec/policy.h"

struct CUevent_st;

namespace mote::engine {

/// A CUDA stream. All device work of a simulation goes through its one stream, none through the
/// default stream; a force may use a second one within an evaluation. Defined in builds with CUDA
/// only.
class Stream {
 public:
  /// Makes it the current stream of the calling thread.
  explicit Stream(int device);

  Cuda policy() const { return {device_, stream_.get()}; }

 private:
  int device_;
  std::shared_ptr<CUstream_st> stream_;
};

/// Makes the policy's device and stream current in the calling thread. Needed before anything is
/// allocated or launched for them.
void make_current(const Cuda& exec);
/// Makes the device alone current, for destructors. Logs errors; returns true on success. Without
/// it a new thread uses device 0, and nearly every call would create a context there, which takes
/// memory.
bool make_current(int device) noexcept;

/// The current device of a thread and its current stream: the one that it created or made current
/// last; null if that was destroyed. Memory that the thread allocates belongs to that stream, which
/// lives until the last of it is freed.
struct CurrentStream {
  int device = 0;
  std::shared_ptr<CUstream_st> stream;
};
CurrentStream current_stream();

/// Waits for all work of the stream, and of no other. Makes its device current. Logs errors;
/// returns true on success.
bool drain(const CurrentStream& current) noexcept;

/// Blocks until all work of the policy's stream is done. Throws SystemError for errors of that
/// work.
void wait(const Cuda& exec);

/// Makes later work of the policy's stream wait for the event; null does nothing. Does not block
/// the host.
void wait_for(const Cuda& exec, CUevent_st* event);
/// Records the event in the policy's stream; null does nothing.
void record(const Cuda& exec, CUevent_st* event);

/// A CUDA event: a point in a stream that the host and other streams can wait for, with its time.
class Event {
 public:
  Event();
  /// An event without a time: cheaper, for use in every frame.
  static Event untimed();
  /// The handle for `record` and `wait_for` elsewhere.
  CUevent_st* handle() const { return event_.get(); }
  void record(CUstream_st* stream);
  void wait() const;
  /// Whether the work before it has completed; does not wait.
  bool done() const;
  /// Seconds from `start` to this event; both must have completed.
  double seconds_since(const Event& start) const;

 private:
  explicit Event(unsigned flags);
  struct Destroy {
    void operator()(CUevent_st* event) const;
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

/// Two events of a stream, for which streams of other devices wait that exchange data with it.
struct ExchangeEvents {
  Event written = Event::untimed();  ///< what they read is there
  Event read = Event::untimed();     ///< what it reads of them has been read
};
/// Returns those of the policy's stream, which keeps them until it is destroyed. Its device must be
/// current.
const std::shared_ptr<ExchangeEvents>& exchange_events(const Cuda& exec);

}  // namespace mote::engine
