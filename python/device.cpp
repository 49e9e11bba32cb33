#include <dlpack/dlpack.h>

#include <cstdint>
#include <memory>

#include "python/handle.h"

namespace mote::python {
namespace py = pybind11;

namespace {

Array array_of(py::object& handle, Column column) {
  Handle::Use use(handle.cast<Handle&>());
  return use->device_array(column);
}

/// Name of a capsule that no consumer has taken yet (DLPack protocol).
constexpr const char* unconsumed = "dltensor";

/// The object of a capsule.
struct Managed {
  DLManagedTensor tensor{};
  std::int64_t shape = 0;
  py::object owner;

  /// The deleter, which consumers may call in any thread.
  static void drop(DLManagedTensor* tensor) {
    py::gil_scoped_acquire lock;
    delete static_cast<Managed*>(tensor->manager_ctx);
  }
};

}  // namespace

py::dict device_array(py::object handle, Column column) {
  const Array a = array_of(handle, column);
  py::dict dict;
  dict["pointer"] = reinterpret_cast<std::uintptr_t>(a.data);
  dict["count"] = a.count;
  dict["kind"] = std::string(1, a.kind);
  dict["bytes"] = a.bytes;
  dict["device"] = a.device;
  dict["stream"] = reinterpret_cast<std::uintptr_t>(a.stream);
  return dict;
}

py::capsule dlpack(py::object handle, Column column) {
  const Array a = array_of(handle, column);
  auto managed = std::make_unique<Managed>();
  managed->shape = static_cast<std::int64_t>(a.count);
  managed->owner = std::move(handle);
  DLTensor& t = managed->tensor.dl_tensor;
  t.data = const_cast<void*>(a.data);
  t.device = {kDLCUDA, a.device};
  t.ndim = 1;
  t.dtype = {static_cast<std::uint8_t>(a.kind == 'u' ? kDLUInt : kDLFloat),
             static_cast<std::uint8_t>(8 * a.bytes), 1};
  t.shape = &managed->shape;
  managed->tensor.manager_ctx = managed.get();
  managed->tensor.deleter = &Managed::drop;
  PyObject* const capsule = PyCapsule_New(&managed->tensor, unconsumed, [](PyObject* self) {
    if (!PyCapsule_IsValid(self, unconsumed)) return;  // its consumer calls the deleter
    auto* tensor = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(self, unconsumed));
    tensor->deleter(tensor);
  });
  if (!capsule) throw py::error_already_set();
  managed.release();
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace mote::python
