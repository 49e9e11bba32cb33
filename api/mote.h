#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/check.h"

/// mote as a library: open a scene, step, read bodies, measure, write checkpoints. Programs include
/// this header, which includes engine/check.h; docs/library.md is the guide. All numbers, times
/// included, are in the units of the scene ("nbody" by default: G = 1).
///
/// All functions throw InputError, with every problem found, for invalid input, and SystemError for
/// failures of the system. Nothing is printed, and files are written only where a path is given.
namespace mote {

using engine::Diagnostic;
using engine::InputError;
using engine::SystemError;

/// The simulation has become unhealthy: non-finite numbers, an energy error above the scene's limit
/// (health.energy_error; by default an energy_drift of 10 if the scene conserves energy, or such a
/// rise if it only dissipates), or a failed hook of the scene. The state is the one after that
/// step.
class MOTE_API UnhealthyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Values for the parameters of a scene by name, and for its other settings by path, written as on
/// the command line:
/// {{"n", "4096"}, {"gravity.softening", "0.01"}, {"seed", "7"}}.
using Settings = std::map<std::string, std::string>;

/// How to compute. Names and values are those of the options of `mote run`.
struct Options {
  std::string backend = "auto";    ///< auto, cpu, cuda
  std::string precision = "auto";  ///< auto (set by the scene), single, mixed, double
  std::string simd = "auto";       ///< cpu backend: auto, scalar, sse4.2, avx2, avx512
  /// cuda backend: auto, launch, graph, cooperative, cluster
  std::string stepping = "auto";
  std::optional<int> threads{};  ///< cpu backend; default all; results do not depend on it
  std::optional<int> device{};   ///< index of the GPU
  std::string devices{};  ///< several GPUs that share the bodies: "0,1"; "all": one for few bodies
  bool trust = false;     ///< the scene may read any file and run for any time
};

/// Bodies in arrays of the caller, which are copied.
struct Bodies {
  std::span<const double> mass;             ///< n, >= 0
  std::span<const double> position;         ///< 3 n: x, y, z of body 0, of body 1, ...
  std::span<const double> velocity;         ///< 3 n
  std::span<const std::string> names = {};  ///< n, or empty
};

/// Sums over all bodies, in double at every precision, in the units of the scene.
struct Measurement {
  double time = 0;
  std::uint64_t step = 0;
  double kinetic = 0, potential = 0, energy = 0;
  double energy_error = 0;  ///< (energy - initial energy) / |initial energy|
  /// |energy - initial energy| / the largest of |initial energy|, kinetic and |potential| energy
  /// measured so far: meaningful even if the initial energy is near 0.
  double energy_drift = 0;
  double virial_ratio = 0;  ///< 2 kinetic / |potential|: 1 in equilibrium
  double mass = 0;
  std::array<double, 3> momentum{}, angular_momentum{}, center_of_mass{};
  /// About the centre of mass, of 10, 50 and 90 % of the mass.
  std::array<double, 3> lagrangian_radii{};
  std::array<double, 3> low{}, high{};  ///< corners of the bounding box of all bodies
  double fastest = 0;                   ///< largest speed
  double temperature = 0;        ///< k T, an energy; with short-range pair forces or a thermostat
  double pressure = 0;           ///< set with such pair forces in a closed domain
  double constraint_energy = 0;  ///< part of `potential`, of the constraints of soft bodies
};

/// The arrays of the state.
enum class Column { id, mass, x, y, z, vx, vy, vz, ax, ay, az };

/// A column in the simulation's own memory, not a copy.
struct Array {
  const void* data = nullptr;
  std::size_t count = 0;
  char kind = 'f';         ///< 'f': floating point, 'u': unsigned integer
  int bytes = 4;           ///< per element: 4 (float, std::uint32_t) or 8 (double)
  int device = -1;         ///< index of the GPU; -1: host memory
  void* stream = nullptr;  ///< the CUDA stream that writes it; idle between calls
};

/// An sRGB picture, three bytes per pixel, top row first.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Called before each step, the first too; returns true to end the call early. It may call the
/// simulation; exceptions pass through.
using StopWish = std::function<bool()>;

/// A running scene. The same scene, options and machine give bitwise the same results as `mote
/// run`, however the steps are split into calls. Movable, not copyable. For one thread at a time:
/// while it steps, calls from other threads throw std::logic_error. After a move only destruction
/// and assignment are allowed; other calls throw std::logic_error. A child
/// process made by fork may continue it in one thread, unless it is on a GPU: then all but the
/// destructor throws SystemError.
class MOTE_API Simulation {
 public:
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// Takes `steps` steps and returns their number, less than that if `stop` returns true or a hook
  /// of the scene ends the run (`ended`). Throws UnhealthyError.
  std::uint64_t step(std::uint64_t steps = 1, const StopWish& stop = {});
  /// Steps to the first step at or after a time, none if that is not ahead, and at most `most`
  /// steps. Steps are never shortened.
  std::uint64_t run_until(double time, const StopWish& stop = {},
                          std::uint64_t most = ~std::uint64_t{0});
  /// Runs until a time with a unit, "10 Myr", in scenes that have units.
  std::uint64_t run_until(const std::string& time, const StopWish& stop = {},
                          std::uint64_t most = ~std::uint64_t{0});
  /// Steps to the end set by the scene (`stop`); throws InputError if it sets none.
  std::uint64_t run(const StopWish& stop = {}, std::uint64_t most = ~std::uint64_t{0});
  /// The reason why a hook of the scene ended the run, or "". Further stepping clears it.
  const std::string& ended() const;
  /// A warning, or "": the energy drift (Measurement::energy_drift) is above 0.1 although the scene
  /// conserves energy, the energy has risen by as much although the scene only dissipates, or the
  /// kinetic energy has grown by more than 1000 times. Checked by measure(), and during steps where
  /// that is cheap; `warning` in run.json. Also why the next step will throw UnhealthyError, if a
  /// measurement has shown that.
  const std::string& warning() const;

  double time() const;
  /// A time from text, "10 Myr" or "2.5", in the unit of the scene.
  double time_of(const std::string& text) const;
  double dt() const;                   ///< length of the next step
  double last_dt() const;              ///< that of the last one
  std::uint64_t step_count() const;    ///< since the start
  std::uint64_t interactions() const;  ///< directed, in all steps
  std::size_t count() const;           ///< number of bodies
  std::string backend() const;         ///< cpu or cuda
  std::string precision() const;       ///< single, mixed or double
  std::string title() const;
  std::string units() const;       ///< name of the unit system
  std::string scene_json() const;  ///< the expanded scene, with all defaults
  /// Explanations of automatic choices: backend, precision, ...
  const std::vector<std::string>& reasons() const;

  Measurement measure();
  /// 16 hexadecimal digits over the state: `state_hash` in run.json.
  std::string hash();

  /// A column in host memory. On the cpu backend that is the state itself, which steps change; on
  /// cuda it is a mirror, updated by each call. The pointer is valid for the lifetime of the
  /// simulation, or only until the next step if `bodies_may_change`. After the first `change`,
  /// `add` or `remove`, earlier pointers show what was before it.
  Array array(Column column);
  /// A column in GPU memory, valid as that of array(). Throws InputError on the cpu backend.
  Array device_array(Column column);
  /// True after `change`, `add` and `remove`, and if hooks, emitters or drains may add and remove
  /// bodies between steps, which reallocates columns, or forces may move them in memory, so that
  /// columns are copies in the order of ids.
  bool bodies_may_change() const;

  /// array(), typed. `Real` is float in single precision, otherwise double; std::uint32_t for ids.
  /// Throws InputError for other types.
  template <class Real>
  std::span<const Real> view(Column column) {
    static_assert(std::is_same_v<Real, float> || std::is_same_v<Real, double> ||
                  std::is_same_v<Real, std::uint32_t>);
    const Array a = array(column);
    expect_type(a, std::is_same_v<Real, std::uint32_t> ? 'u' : 'f', sizeof(Real));
    return {static_cast<const Real*>(a.data), a.count};
  }
  /// Copies, in double at every precision. Positions, velocities and accelerations have three
  /// numbers per body: x, y, z.
  std::vector<double> masses();
  std::vector<double> positions();
  std::vector<double> velocities();
  std::vector<double> accelerations();
  /// Names of what else the bodies of this scene have: "species" (its number, 0 for none),
  /// "density" of a fluid, "radius" and "spin_x" of grains, ... As in snapshots, in small letters.
  std::vector<std::string> fields() const;
  /// One of these by its name, a number per body, copied as above. Throws InputError if there is no
  /// such field.
  std::vector<double> field(const std::string& name);
  /// Name of the body with this id; "" when it has none.
  std::string name(std::uint32_t id) const;

  /// Changes a live parameter between steps: "gravity.softening", "integrator.dt" and those
  /// that the reference of scenes calls live, or what the scene made `live`, by its name. The
  /// change of energy does not count as an error.
  void set(const std::string& path, double value);
  /// Sets a value with a unit, "0.1 pc", in scenes that have units.
  void set(const std::string& path, const std::string& value);
  /// The live parameters and their values.
  std::map<std::string, double> live() const;

  /// Replaces masses, positions or velocities of all bodies between steps, in the order of their
  /// ids, three numbers per vector; empty: as they are. Evaluates the forces again; the change of
  /// energy does not count as an error. Throws InputError, leaving everything as it was, for
  /// numbers that are not finite or for which forces would not be.
  void change(std::span<const double> mass, std::span<const double> position,
              std::span<const double> velocity);
  /// Adds bodies between steps; returns the id of the first, others follow. As `change`.
  std::uint32_t add(const Bodies& bodies);
  /// Adds bodies by JSON tables like the scene's `bodies`: R"([{"kind": "plummer", "n": 100}])".
  /// `around`: id of a body to which positions and velocities are relative, and whose mass is the
  /// `central_mass` of orbits without one.
  std::uint32_t add(const std::string& tables, const std::optional<std::uint32_t>& around = {});
  /// Removes bodies by their ids, which are not given again. As `change`.
  void remove(std::span<const std::uint32_t> ids);

  /// Writes a checkpoint for resume(): an HDF5 file that readers of Gadget snapshots can open, too.
  void checkpoint(const std::string& path);

  /// Draws the bodies with the scene's view, as `mote run --picture`; needs no display. Width and
  /// height: 16 to 16384 pixels.
  Picture render(int width = 1280, int height = 720);

  struct Parts;
  explicit Simulation(std::unique_ptr<Parts> parts);

 private:
  static void expect_type(const Array& array, char kind, std::size_t bytes);
  Parts& parts() const;
  std::unique_ptr<Parts> parts_;
};

/// Opens a scene: a file, or the name of one shipped with mote ("plummer").
MOTE_API Simulation load(const std::string& scene, const Settings& settings = {},
                         const Options& options = {});
/// Opens a scene from text. `name` is for messages; its extension, .lua or .json, sets the
/// language, and its folder is where the scene may read files.
MOTE_API Simulation load_text(const std::string& text, const std::string& name = "scene.lua",
                              const Settings& settings = {}, const Options& options = {});
/// Opens a scene with bodies from memory. `scene`: everything but `bodies`, in JSON:
/// R"({"gravity": {"softening": 0.01}, "integrator": {"dt": 1e-3}})". Without "gravity" there is
/// none. Double precision for any number of bodies, unless set by the scene or `options`.
MOTE_API Simulation from_arrays(const Bodies& bodies, const std::string& scene,
                                const Options& options = {});
/// Resumes from a checkpoint, or from the latest one in the folder of a run; on the same machine
/// and backend bitwise as without interruption.
MOTE_API Simulation resume(const std::string& checkpoint, const Options& options = {});

/// The parameters that a scene declares (`param`, `live`), a JSON list of objects with name, type,
/// default, and as far as given doc, unit, minimum, maximum, choices and live.
MOTE_API std::string parameters_json(const std::string& scene, const Options& options = {});
/// Names of the scenes shipped with mote.
MOTE_API std::vector<std::string> scenes();
/// "0.1.0"
MOTE_API std::string version();

}  // namespace mote
