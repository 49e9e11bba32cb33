#include "sim/io/hdf5_handle.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>

#include "engine/check.h"
#include "engine/files.h"

namespace mote::sim::hdf5 {
namespace {

constexpr const char* write_remedy =
    "check that the folder exists and is writable and that the disk has space";

std::string system_reason(int number) {
  return std::generic_category().message(number);
}

herr_t innermost(unsigned, const H5E_error2_t* entry, void* data) {
  auto& text = *static_cast<std::string*>(data);
  if (text.empty() && entry->desc != nullptr) text = entry->desc;
  return 0;
}

/// A file of the driver. HDF5 casts between this and its first member.
struct DriverFile {
  H5FD_t common;
  Output::State* state;
  haddr_t end_of_space;  ///< HDF5's EOA, end of allocated addresses
  haddr_t end_of_file;   ///< HDF5's EOF, end of written data
};

DriverFile* self(H5FD_t* file) {
  return reinterpret_cast<DriverFile*>(file);
}
const DriverFile* self(const H5FD_t* file) {
  return reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* driver_open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* state = static_cast<Output::State* const*>(H5Pget_driver_info(access));
  return state == nullptr ? nullptr : &(new DriverFile{{}, *state, 0, 0})->common;
}

herr_t driver_close(H5FD_t* file) {
  delete self(file);
  return 0;
}

haddr_t driver_space(const H5FD_t* file, H5FD_mem_t) {
  return self(file)->end_of_space;
}
haddr_t driver_end(const H5FD_t* file, H5FD_mem_t) {
  return self(file)->end_of_file;
}

herr_t driver_set_space(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file)->end_of_space = address;
  return 0;
}

herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                   void* buffer) {
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t n = ::pread(self(file)->state->descriptor, to, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    to += n;
    address += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  std::memset(to, 0, size);  // unwritten data reads as zeros
  return 0;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                    const void* buffer) {
  DriverFile& f = *self(file);
  f.end_of_file = std::max(f.end_of_file, address + size);
  const auto* from = static_cast<const char*>(buffer);
  while (size > 0 && f.state->failure == 0) {
    const ssize_t n = ::pwrite(f.state->descriptor, from, size, static_cast<off_t>(address));
    if (n < 0 && errno != EINTR) f.state->failure = errno;
    if (n <= 0) continue;
    from += n;
    address += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return 0;
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& f = *self(file);
  if (f.end_of_file == f.end_of_space) return 0;
  if (f.state->failure == 0 &&
      ::ftruncate(f.state->descriptor, static_cast<off_t>(f.end_of_space)) != 0)
    f.state->failure = errno;
  f.end_of_file = f.end_of_space;
  return 0;
}

/// The driver, registered once; HDF5 keeps the pointer to its description.
hid_t driver() {
  static const H5FD_class_t description = [] {
    H5FD_class_t c{};
#if H5_VERSION_GE(1, 14, 0)
    c.version = H5FD_CLASS_VERSION;
    c.value = static_cast<H5FD_class_value_t>(256);  // first value reserved for applications
#endif
    c.name = "mote";
    c.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    c.fc_degree = H5F_CLOSE_STRONG;
    c.fapl_size = sizeof(Output::State*);
    c.open = driver_open;
    c.close = driver_close;
    c.get_eoa = driver_space;
    c.set_eoa = driver_set_space;
    c.get_eof = driver_end;
    c.read = driver_read;
    c.write = driver_write;
    c.truncate = driver_truncate;
    return c;
  }();
  static const hid_t id = H5FDregister(&description);
  return id;
}

}  // namespace

std::mutex& Exclusive::mutex() {
  static std::mutex all_of_hdf5;
  return all_of_hdf5;
}

void Exclusive::expect_memory() {
  constexpr std::size_t needed = std::size_t{32} << 20;  // HDF5's tables and caches need less
  void* volatile probe = std::malloc(needed);  // volatile: keeps the calls from being optimised out
  if (probe == nullptr) throw std::bad_alloc();
  std::free(probe);
}

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &text);
  // HDF5 wraps system errors in addresses and times; extracts the message.
  constexpr std::string_view mark = "error message = '";
  if (const auto at = text.find(mark); at != std::string::npos) {
    const auto from = at + mark.size();
    text = text.substr(from, text.find('\'', from) - from);
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "HDF5 reported no reason" : text;
}

Output::Output(std::filesystem::path path) : path_(std::move(path)) {
  state_.descriptor = engine::open_new_part(path_);
  if (state_.descriptor < 0)
    throw engine::SystemError("open " + path_.string(), system_reason(errno), write_remedy);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  State* const state = &state_;
  if (H5Pset_driver(access.get(), driver(), &state) >= 0)
    file_ = Handle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  if (file_) return;
  const std::string why = reason();
  close_all();
  std::error_code ignored;
  std::filesystem::remove(engine::part_of(path_), ignored);
  throw engine::SystemError("create " + path_.string(), why, "check the installation of HDF5");
}

Output::~Output() {
  if (state_.descriptor < 0) return;
  close_all();
  std::error_code ignored;
  std::filesystem::remove(engine::part_of(path_), ignored);
}

void Output::close_all() {
  file_.close();
  ::close(std::exchange(state_.descriptor, -1));
}

void Output::fail() const {
  if (state_.failure != 0)
    throw engine::SystemError("write " + path_.string(), system_reason(state_.failure),
                              write_remedy);
  throw engine::SystemError("write " + path_.string(), reason(), "this is a bug in mote or HDF5");
}

void Output::commit(bool durable) {
  check(file_.close());
  if (durable && ::fsync(state_.descriptor) != 0) state_.failure = errno;
  // Network file systems report a full disk only here.
  if (::close(state_.descriptor) != 0) state_.failure = errno;
  state_.descriptor = -1;
  if (state_.failure != 0) {
    std::error_code ignored;
    std::filesystem::remove(engine::part_of(path_), ignored);
    fail();
  }
  engine::commit_part(path_);
  if (durable)
    engine::sync_to_disk(std::filesystem::absolute(path_).parent_path());  // the directory entry
}

}  // namespace mote::sim::hdf5
