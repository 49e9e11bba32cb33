#pragma once

#include <hdf5.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

/// Private to sim/io: owners of what the HDF5 library hands out.
namespace mote::sim::hdf5 {

/// An identifier of HDF5 and the call that gives it back. A negative identifier is "nothing".
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close with) : id_(id), close_(with) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Negative when HDF5 failed; the identifier is gone in any case.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// While it lives, no other thread is in HDF5: some builds of the library have a lock of their own
/// and some have none. Who writes with HDF5 holds one from the first call to the last; files are
/// read in another process (engine/read_process.h).
class Exclusive {
 public:
  /// Throws bad_alloc where there is no memory left for HDF5 itself, which does not ask whether it
  /// got what it needs to say what went wrong.
  Exclusive() : lock_(mutex()) { expect_memory(); }

 private:
  static void expect_memory();
  static std::mutex& mutex();
  std::lock_guard<std::mutex> lock_;
};

/// While it lives, HDF5 prints nothing on this thread; what went wrong is asked for with `reason`.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last call on this thread failed: the innermost entry of HDF5's error stack, one line.
std::string reason();

/// A new HDF5 file under the partial name of `path`, renamed by `commit`; without it the partial
/// file is removed. Once a write fails HDF5 is told that it succeeded, because HDF5 1.10 crashes
/// when it closes a file that it cannot write; the failure is kept and thrown by the next `check`,
/// or by `commit`. Every failure is a SystemError.
class Output {
 public:
  explicit Output(std::filesystem::path path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  hid_t id() const { return file_.get(); }
  /// Passes the result of an HDF5 call on; throws when it is negative or a write has failed.
  template <class Result>
  Result check(Result result) const {
    if (result < 0 || state_.failure != 0) fail();
    return result;
  }
  /// `durable`: file and name are on the disk when it returns, whatever happens to the machine
  /// then.
  void commit(bool durable = false);

  /// What the file driver shares with this object.
  struct State {
    int descriptor = -1;
    int failure = 0;  ///< errno of the first write that failed; 0 for none
  };

 private:
  void close_all();
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  State state_;
  Handle file_;
};

}  // namespace mote::sim::hdf5
