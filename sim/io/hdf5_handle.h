#pragma once

#include <hdf5.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

/// Private to sim/io: RAII for objects of the HDF5 library.
namespace mote::sim::hdf5 {

/// An HDF5 identifier and the call that closes it. A negative identifier is empty.
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
  /// Returns a negative value if HDF5 failed; the identifier is released in any case.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Lock on the HDF5 library, which not every build makes thread-safe. Writers hold it from the
/// first HDF5 call to the last; files are read in another process (engine/read_process.h).
class Exclusive {
 public:
  /// Throws bad_alloc if memory is short: HDF5 does not check the allocations of its error
  /// handling.
  Exclusive() : lock_(mutex()) { expect_memory(); }

 private:
  static void expect_memory();
  static std::mutex& mutex();
  std::lock_guard<std::mutex> lock_;
};

/// Suppresses HDF5's error output on this thread during its lifetime; `reason` returns the error.
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

/// Why the last call on this thread failed: the innermost entry of HDF5's error stack, on one line.
std::string reason();

/// A new HDF5 file under the partial name of `path`, renamed by `commit`; without `commit` the
/// partial file is removed. After a failed write the driver reports success to HDF5, because HDF5
/// 1.10 crashes when it closes a file that it cannot write; the failure is stored and thrown by the
/// next `check` or by `commit`. Every failure is a SystemError.
class Output {
 public:
  explicit Output(std::filesystem::path path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  hid_t id() const { return file_.get(); }
  /// Returns the result of an HDF5 call; throws if it is negative or a write has failed.
  template <class Result>
  Result check(Result result) const {
    if (result < 0 || state_.failure != 0) fail();
    return result;
  }
  /// `durable`: syncs file and directory entry to disk, so that they survive a crash of the
  /// machine.
  void commit(bool durable = false);

  /// State shared with the file driver.
  struct State {
    int descriptor = -1;
    int failure = 0;  ///< errno of the first failed write; 0: none
  };

 private:
  void close_all();
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  State state_;
  Handle file_;
};

}  // namespace mote::sim::hdf5
