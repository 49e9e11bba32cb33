// mote._core: the bindings of mote.h. Checks of arguments and docstrings are in the Python files of
// the package.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "python/handle.h"

namespace mote::python {
namespace {

namespace py = pybind11;
using Released = py::gil_scoped_release;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

Options options_of(const py::dict& given) {
  Options options;
  const auto word = [&](const char* name, std::string& out) {
    if (given.contains(name) && !given[name].is_none()) out = given[name].cast<std::string>();
  };
  const auto number = [&](const char* name, std::optional<int>& out) {
    if (given.contains(name) && !given[name].is_none()) out = given[name].cast<int>();
  };
  word("backend", options.backend);
  word("precision", options.precision);
  word("simd", options.simd);
  word("stepping", options.stepping);
  word("devices", options.devices);
  number("threads", options.threads);
  number("device", options.device);
  if (given.contains("trust")) options.trust = given["trust"].cast<bool>();
  return options;
}

/// Opens a simulation without the GIL: generating bodies and the first forces may take long.
template <class Open>
std::unique_ptr<Handle> opened(Open open) {
  const Released released;
  return std::make_unique<Handle>(open());
}

std::span<const double> span_of(const Numbers& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// Steps without the GIL, checking for Ctrl+C twenty times a second. The current step is completed.
template <class Step>
std::uint64_t interruptible(Handle& handle, Step step) {
  using Clock = std::chrono::steady_clock;
  Handle::Use use(handle);
  auto last = Clock::now();
  bool interrupted = false;
  const StopWish stop = [&] {
    if (interrupted) return true;
    if (Clock::now() - last < std::chrono::milliseconds(50)) return false;
    last = Clock::now();
    const py::gil_scoped_acquire lock;
    interrupted = PyErr_CheckSignals() != 0;
    return interrupted;
  };
  std::uint64_t steps = 0;
  {
    const Released released;
    steps = step(use, stop);
  }
  if (interrupted) throw py::error_already_set();
  return steps;
}

/// A read-only view of host memory, which keeps the simulation alive; a copy if columns may be
/// reallocated.
py::array column(py::object self, Column which) {
  Handle::Use use(self.cast<Handle&>());
  const Array a = use->array(which);
  const py::dtype type(std::string(1, a.kind) + std::to_string(a.bytes));
  const auto count = static_cast<py::ssize_t>(a.count);
  if (use->bodies_may_change()) return py::array(type, {count}, a.data);
  py::array array(type, {count}, a.data, self);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// Moves numbers into an array of shape (n,), or (n, 3) for vectors.
py::array copied(std::vector<double> numbers, bool vectors) {
  auto* data = new std::vector<double>(std::move(numbers));
  const py::capsule owner(data, [](void* p) { delete static_cast<std::vector<double>*>(p); });
  const auto size = static_cast<py::ssize_t>(data->size());
  if (!vectors) return py::array_t<double>({size}, data->data(), owner);
  return py::array_t<double>({size / 3, py::ssize_t{3}}, data->data(), owner);
}

py::dict measurement(Handle& handle) {
  Handle::Use use(handle);
  const Measurement m = [&] {
    const Released released;
    return use->measure();
  }();
  const auto vector = [](const std::array<double, 3>& v) {
    return py::make_tuple(v[0], v[1], v[2]);
  };
  using namespace py::literals;
  return py::dict(
      "time"_a = m.time, "step"_a = m.step, "kinetic"_a = m.kinetic, "potential"_a = m.potential,
      "energy"_a = m.energy, "energy_error"_a = m.energy_error, "energy_drift"_a = m.energy_drift,
      "virial_ratio"_a = m.virial_ratio, "mass"_a = m.mass, "momentum"_a = vector(m.momentum),
      "angular_momentum"_a = vector(m.angular_momentum),
      "center_of_mass"_a = vector(m.center_of_mass),
      "lagrangian_radii"_a = vector(m.lagrangian_radii), "low"_a = vector(m.low),
      "high"_a = vector(m.high), "fastest"_a = m.fastest, "temperature"_a = m.temperature,
      "pressure"_a = m.pressure, "constraint_energy"_a = m.constraint_energy);
}

py::array picture(Handle& handle, int width, int height) {
  Handle::Use use(handle);
  Picture p = [&] {
    const Released released;
    return use->render(width, height);
  }();
  py::array_t<std::uint8_t> array({p.height, p.width, 3});
  std::copy(p.rgb.begin(), p.rgb.end(), array.mutable_data());
  return array;
}

/// Binds a method that may take long: released GIL.
template <class Result, class... Arguments>
auto slow(Result (Simulation::*method)(Arguments...)) {
  return [method](Handle& handle, std::decay_t<Arguments>... arguments) {
    Handle::Use use(handle);
    const Released released;
    return ((*use.operator->()).*method)(arguments...);
  };
}
template <class Result>
auto quick(Result (Simulation::*method)() const) {
  return [method](Handle& handle) -> std::decay_t<Result> {
    Handle::Use use(handle);
    return ((*use.operator->()).*method)();
  };
}

/// NumPy 2 changed the memory layout of its dtypes, which older versions of pybind11 misread.
void expect_numpy_of_this_build() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (std::stoi(version) >= 2)
    throw py::import_error(
        "mote was built with pybind11 " PYBIND11_TOSTRING(PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(
            PYBIND11_VERSION_MINOR) ", which cannot read NumPy " +
        version + ": install numpy<2, or build mote with pybind11 2.12 or newer");
#endif
}

/// Recovers errno from the text of a system error, as in "write a.h5: No space left on device;
/// ...".
int error_number(const std::string& text) {
  for (int number = 1; number < 134; ++number)
    if (text.find(std::string(": ") + std::strerror(number)) != std::string::npos) return number;
  return 0;
}

/// Adds the exceptions, InputError with its list of problems.
void add_errors(py::module_& module) {
  static py::exception<InputError> input(module, "InputError", PyExc_ValueError);
  static py::exception<SystemError> system(module, "SystemError", PyExc_OSError);
  static py::exception<UnhealthyError> unhealthy(module, "UnhealthyError", PyExc_ArithmeticError);
  input.attr("problems") = py::tuple();
  const auto describe = [](py::handle error, const char* help) {
    error.attr("__module__") = "mote";
    error.attr("__doc__") = help;
  };
  describe(
      input,
      "Invalid input: a scene, an option, a file. `problems` is a list of everything found, as "
      "dicts\nwith place, key, problem and remedy.");
  describe(system, "A failure of the system: files, devices, drivers or memory.");
  describe(unhealthy,
           "The simulation has become unhealthy: non-finite numbers, an energy error above the "
           "scene's limit\n"
           "(health.energy_error), or a failed hook. The state is the one after that step.");
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& e) {
      const py::object error = py::handle(input.ptr())(e.what());
      py::list problems;
      for (const Diagnostic& d : e.diagnostics()) {
        using namespace py::literals;
        problems.append(py::dict("place"_a = d.place, "key"_a = d.key, "problem"_a = d.problem,
                                 "remedy"_a = d.remedy));
      }
      error.attr("problems") = problems;
      PyErr_SetObject(input.ptr(), error.ptr());
    } catch (const SystemError& e) {
      const py::object error = py::handle(system.ptr())(e.what());
      if (const int number = error_number(e.what())) error.attr("errno") = number;
      PyErr_SetObject(system.ptr(), error.ptr());
    } catch (const UnhealthyError& e) {
      PyErr_SetString(unhealthy.ptr(), e.what());
    }
  });
}

void add_simulation(py::module_& module) {
  py::class_<Handle>(module, "Simulation")
      .def("step",
           [](Handle& h, std::uint64_t steps) {
             return interruptible(h,
                                  [&](auto& s, const auto& stop) { return s->step(steps, stop); });
           })
      .def("run_until",
           [](Handle& h, double time, std::uint64_t most) {
             return interruptible(
                 h, [&](auto& s, const auto& stop) { return s->run_until(time, stop, most); });
           })
      .def("run_until",
           [](Handle& h, const std::string& time, std::uint64_t most) {
             return interruptible(
                 h, [&](auto& s, const auto& stop) { return s->run_until(time, stop, most); });
           })
      .def("run",
           [](Handle& h, std::uint64_t most) {
             return interruptible(h, [&](auto& s, const auto& stop) { return s->run(stop, most); });
           })
      .def("change",
           [](Handle& h, const Numbers& mass, const Numbers& position, const Numbers& velocity) {
             Handle::Use use(h);
             const Released released;
             use->change(span_of(mass), span_of(position), span_of(velocity));
           })
      .def("add",
           [](Handle& h, const std::string& tables, std::optional<std::uint32_t> around) {
             Handle::Use use(h);
             const Released released;
             return use->add(tables, around);
           })
      .def("remove",
           [](Handle& h, const std::vector<std::uint32_t>& ids) {
             Handle::Use use(h);
             const Released released;
             use->remove(ids);
           })
      .def("ended", quick(&Simulation::ended))
      .def("warning", quick(&Simulation::warning))
      .def("time", quick(&Simulation::time))
      .def("time_of",
           [](Handle& h, const std::string& text) {
             Handle::Use use(h);
             return use->time_of(text);
           })
      .def("dt", quick(&Simulation::dt))
      .def("last_dt", quick(&Simulation::last_dt))
      .def("step_count", quick(&Simulation::step_count))
      .def("interactions", quick(&Simulation::interactions))
      .def("count", quick(&Simulation::count))
      .def("backend", quick(&Simulation::backend))
      .def("precision", quick(&Simulation::precision))
      .def("title", quick(&Simulation::title))
      .def("units", quick(&Simulation::units))
      .def("scene_json", quick(&Simulation::scene_json))
      .def("reasons", quick(&Simulation::reasons))
      .def("live", quick(&Simulation::live))
      .def("bodies_may_change", quick(&Simulation::bodies_may_change))
      .def("hash", slow(&Simulation::hash))
      .def("set",
           slow(static_cast<void (Simulation::*)(const std::string&, double)>(&Simulation::set)))
      .def("set", slow(static_cast<void (Simulation::*)(const std::string&, const std::string&)>(
                      &Simulation::set)))
      .def("checkpoint", slow(&Simulation::checkpoint))
      .def("measure", &measurement)
      .def("render", &picture)
      .def("name",
           [](Handle& h, std::uint32_t id) {
             Handle::Use use(h);
             return use->name(id);
           })
      .def("column", &column)
      .def("device_array", &device_array)
      .def("dlpack", &dlpack)
      .def("masses", [](Handle& h) { return copied(slow(&Simulation::masses)(h), false); })
      .def("positions", [](Handle& h) { return copied(slow(&Simulation::positions)(h), true); })
      .def("velocities", [](Handle& h) { return copied(slow(&Simulation::velocities)(h), true); })
      .def("accelerations",
           [](Handle& h) { return copied(slow(&Simulation::accelerations)(h), true); })
      .def("field_names", quick(&Simulation::fields))
      .def("field", [](Handle& h, const std::string& name) {
        return copied(slow(&Simulation::field)(h, name), false);
      });
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  expect_numpy_of_this_build();
  add_errors(module);
  py::enum_<Column>(module, "Column")
      .value("id", Column::id)
      .value("mass", Column::mass)
      .value("x", Column::x)
      .value("y", Column::y)
      .value("z", Column::z)
      .value("vx", Column::vx)
      .value("vy", Column::vy)
      .value("vz", Column::vz)
      .value("ax", Column::ax)
      .value("ay", Column::ay)
      .value("az", Column::az);
  add_simulation(module);
  module.def("load", [](const std::string& scene, const Settings& settings, const py::dict& given) {
    const Options options = options_of(given);
    return opened([&] { return load(scene, settings, options); });
  });
  module.def("load_text", [](const std::string& text, const std::string& name,
                             const Settings& settings, const py::dict& given) {
    const Options options = options_of(given);
    return opened([&] { return load_text(text, name, settings, options); });
  });
  module.def("from_arrays", [](const Numbers& mass, const Numbers& position,
                               const Numbers& velocity, const std::vector<std::string>& names,
                               const std::string& scene, const py::dict& given) {
    const Options options = options_of(given);
    const Bodies bodies{span_of(mass), span_of(position), span_of(velocity), names};
    return opened([&] { return from_arrays(bodies, scene, options); });
  });
  module.def("resume", [](const std::string& checkpoint, const py::dict& given) {
    const Options options = options_of(given);
    return opened([&] { return resume(checkpoint, options); });
  });
  module.def("parameters_json", [](const std::string& scene, const py::dict& given) {
    return parameters_json(scene, options_of(given));
  });
  module.def("scenes", &scenes);
  module.def("version", &version);
}

}  // namespace mote::python
